// Bodies, joints and forces as solids.

import * as THREE from "three";

import { colourCount, themeColour } from "../report/appearance.js";
import { Batch } from "./batch.js";
import { bodyLength } from "./frame.js";
import { addForce } from "./forces.js";
import { addJoint, along } from "./joints.js";
import { sectorTexture, shapeGeometry } from "./shapes.js";

const highlighted = 1.45;  // times as bright
const brighter = new THREE.Color();

export class Mechanism {
  constructor(scene, world) {
    this.scene = scene;
    this.colours = scene.bodies.map(() => new THREE.Color());
    this.bodies = scene.bodies.map(({ name }) => frame(name));
    this.ground = frame("ground");
    this.joints = new THREE.Group();
    this.forces = new THREE.Group();
    this.all = new THREE.Group();
    this.all.add(...this.bodies, this.ground, this.joints, this.forces);
    this.all.visible = false;  // until it is known where bodies are
    world.add(this.all);

    const material = (roughness, metalness, map = null) => new THREE.MeshStandardMaterial({ roughness, metalness, map });
    this.batches = {
      bodies: new Batch(material(0.5, 0.05, sectorTexture()), { receiveShadow: true }),
      joints: new Batch(material(0.45, 0.25)),
      links: new Batch(material(0.6, 0.1)),
      forces: new Batch(material(0.5, 0.2)),
    };
    this.moving = [];  // frames of their own: what lies between bodies, or points in a direction of space
    this.jointScale = 1;
    this.hidden = new Set();
    this.highlighted = -1;
    this.makeBodies();
    this.takeColours();
  }

  makeBodies() {
    const { bodies } = this.batches;
    this.boxes = [];  // around each body, in the frame of its shape
    this.turns = [];  // of the shape in the body
    this.scene.bodies.forEach(({ shape, orientation: [w, x, y, z] }, i) => {
      const kind = JSON.stringify(shape);
      const within = new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion(x, y, z, w));
      bodies.add(this.bodies[i], kind, () => shapeGeometry(shape), { within, part: { kind: "body", index: i } });
      const geometry = bodies.geometries.get(kind);
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      this.boxes.push(geometry.boundingBox);
      this.turns.push(within);
    });
    bodies.finish(this.all);
  }

  // The frame of an end of a joint: that of its body, or space.
  frameOf(end) {
    return end.body < 0 ? this.ground : this.bodies[end.body];
  }

  // How thick a body is: the middle one of its three extents.
  girthOf(index) {
    return this.boxes[index].getSize(new THREE.Vector3()).toArray().sort((a, b) => a - b)[1];
  }

  // Joints, forces and links are as thick as the size of the whole asks for.
  setSize(size) {
    this.size = size;
    const { joints, links, forces } = this.batches;
    [joints, links, forces].forEach((batch) => batch.clear());
    this.moving = [];
    this.scene.joints.forEach((joint, i) => addJoint(joint, i, this, size));
    this.scene.forces.forEach((force, i) => addForce(force, i, this, size));
    this.scene.joints.forEach(({ ends }) => ends.forEach((end) => this.addLink(end)));
    this.moving.forEach((figure) => figure.place());
    joints.finish(this.joints);
    links.finish(this.all);
    forces.finish(this.forces);
    this.hide(this.hidden);
  }

  // A rod from the middle of a body to a joint that lies outside of it.
  addLink({ body, point }) {
    if (body < 0) return;
    const end = new THREE.Vector3(...point);
    const inShape = end.clone().applyMatrix4(this.turns[body].clone().invert());
    if (this.boxes[body].clone().expandByScalar(1e-6 * this.size).containsPoint(inShape)) return;
    const radius = 0.011 * this.size;
    const length = end.length();
    const within = along(end, end.clone().multiplyScalar(0.5), new THREE.Vector3(1, length, 1));
    this.batches.links.add(this.bodies[body], "rod", () => new THREE.CylinderGeometry(radius, radius, 1, 12), { within });
  }

  place(numbers) {
    this.all.visible = true;
    this.placeBodies(numbers);
    this.moving.forEach((figure) => figure.place());
    for (const batch of Object.values(this.batches)) batch.place();
  }

  placeBodies(numbers) {
    this.bodies.forEach((body, i) => {
      const at = i * bodyLength;
      body.position.fromArray(numbers, at);
      body.quaternion.set(numbers[at + 4], numbers[at + 5], numbers[at + 6], numbers[at + 3]);
      body.updateMatrix();
    });
  }

  // All bodies where they are placed now, turned upright.
  boxAround(world) {
    const box = new THREE.Box3();
    this.bodies.forEach((body, i) => {
      const inWorld = new THREE.Matrix4().multiplyMatrices(world.matrixWorld, body.matrix).multiply(this.turns[i]);
      box.union(this.boxes[i].clone().applyMatrix4(inWorld));
    });
    return box;
  }

  // All places of bodies in these frames.
  reachOf(frames, world) {
    const box = new THREE.Box3();
    for (const { bodies } of frames) {
      this.placeBodies(bodies);
      box.union(this.boxAround(world));
    }
    return box;
  }

  // All that is seen, and where the floor is: below everything, and below what hangs and may swing. `reach` is where bodies come to.
  extent(world, reach) {
    const box = this.boxAround(world);
    if (reach) box.union(reach);
    const anchors = this.scene.joints
      .concat(this.scene.forces)
      .flatMap(({ ends }) => ends ?? [])
      .filter(({ body }) => body < 0)
      .map(({ point }) => world.localToWorld(new THREE.Vector3(...point)));
    let floor = box.min.y;
    for (const anchor of anchors) {
      const centre = box.getCenter(new THREE.Vector3());
      const farthest = Math.max(
        ...[box.min, box.max].map((corner) => Math.hypot(corner.x - anchor.x, corner.y - anchor.y, corner.z - anchor.z)),
      );
      if (centre.y <= anchor.y + 1e-3 * farthest) floor = Math.min(floor, anchor.y - 0.95 * farthest);
      box.expandByPoint(anchor);
    }
    floor = Math.min(floor, box.min.y);
    box.expandByPoint(new THREE.Vector3(box.min.x, floor, box.min.z));
    return { box, floor };
  }

  // Whether another body than before is highlighted now; -1 for none.
  highlight(index) {
    if (index === this.highlighted) return false;
    this.highlighted = index;
    this.colourBodies();
    return true;
  }

  colourBodies() {
    this.colours.forEach((colour, i) => {
      this.batches.bodies.setColour(i, brighter.copy(colour).multiplyScalar(i === this.highlighted ? highlighted : 1));
    });
  }

  takeColours() {
    this.colours.forEach((colour, i) => colour.set(themeColour(`--series-${i % colourCount}`)));
    this.colourBodies();
    const { joints, links, forces } = this.batches;
    joints.material.color.set(themeColour("--joint"));
    links.material.color.set(themeColour("--link"));
    forces.material.color.set(themeColour("--force"));
  }

  // Whether one sees through the bodies, to what is inside.
  setGlass(isGlass) {
    const { bodies } = this.batches;
    Object.assign(bodies.material, { transparent: isGlass, opacity: isGlass ? 0.3 : 1, depthWrite: !isGlass });
    bodies.material.needsUpdate = true;
    bodies.setSorted(isGlass);
  }

  // Bodies that are not drawn, nor the rods from them to their joints.
  hide(bodies) {
    this.hidden = bodies;
    const hidden = new Set([...bodies].map((i) => this.bodies[i]));
    for (const batch of [this.batches.bodies, this.batches.links]) batch.setVisible((frame) => !hidden.has(frame));
  }

  setJointScale(scale) {
    if (scale === this.jointScale) return;
    this.jointScale = scale;
    if (this.size) this.setSize(this.size);
  }

  dispose() {
    this.all.removeFromParent();
    for (const batch of Object.values(this.batches)) {
      batch.clear();
      batch.material.dispose();
    }
  }
}

// Its matrix is made where it is placed, once for each frame of the simulation.
function frame(name) {
  const object = new THREE.Object3D();
  object.name = name;
  object.matrixAutoUpdate = false;
  return object;
}
