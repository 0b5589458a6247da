// Bodies, joints and forces as solids.

import * as THREE from "three";

import { colourCount, themeColour } from "../report/appearance.js";
import { bodyLength } from "./frame.js";
import { forceFigure } from "./forces.js";
import { jointFigure } from "./joints.js";
import { discard, sectorTexture, shapeGeometry } from "./shapes.js";

export class Mechanism {
  constructor(scene, world) {
    this.scene = scene;
    this.colours = scene.bodies.map((_, i) => new THREE.Color(themeColour(`--series-${i % colourCount}`)));
    this.bodies = scene.bodies.map((body, i) => this.makeBody(body, i));
    this.targets = this.bodies.map((body) => body.userData.solid);
    this.jointMaterial = new THREE.MeshStandardMaterial({ roughness: 0.45, metalness: 0.25 });
    this.linkMaterial = new THREE.MeshStandardMaterial({ roughness: 0.6, metalness: 0.1 });
    this.forceMaterial = new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0.2 });
    this.ground = new THREE.Group();
    this.joints = new THREE.Group();
    this.forces = new THREE.Group();
    this.figures = [];
    this.jointScale = 1;
    world.add(...this.bodies, this.ground, this.joints, this.forces);
    this.takeColours();
  }

  makeBody({ shape, orientation, name }, index) {
    const group = new THREE.Group();
    group.name = name;
    const material = new THREE.MeshStandardMaterial({
      color: this.colours[index],
      roughness: 0.5,
      metalness: 0.05,
      map: shape.box ? null : sectorTexture(),
    });
    const solid = new THREE.Mesh(shapeGeometry(shape), material);
    const [w, x, y, z] = orientation;
    solid.quaternion.set(x, y, z, w);
    solid.castShadow = solid.receiveShadow = true;
    solid.userData.body = index;
    group.add(solid);
    group.userData.solid = solid;
    return group;
  }

  // The frame of an end of a joint: that of its body, or space.
  frameOf(end) {
    return end.body < 0 ? this.ground : this.bodies[end.body];
  }

  // How thick a body is: the middle one of its three extents.
  girthOf(index) {
    const { geometry } = this.targets[index];
    geometry.computeBoundingBox();
    return geometry.boundingBox.getSize(new THREE.Vector3()).toArray().sort((a, b) => a - b)[1];
  }

  // Joints, forces and links are as thick as the size of the whole asks for.
  setSize(size) {
    this.size = size;
    for (const figure of this.figures) figure.remove();
    this.figures = [];
    const { joints, forces } = this.scene;
    for (const joint of joints) this.figures.push(jointFigure(joint, this, size));
    for (const force of forces) this.figures.push(forceFigure(force, this, size));
    this.figures = this.figures.filter(Boolean);
    joints.forEach(({ ends }) => ends.forEach((end) => this.addLink(end)));
    this.figures.forEach((figure) => figure.place());
  }

  // A rod from the middle of a body to a joint that lies outside of it.
  addLink({ body, point }) {
    if (body < 0) return;
    const solid = this.targets[body];
    solid.geometry.computeBoundingBox();
    const inSolid = new THREE.Vector3(...point).applyQuaternion(solid.quaternion.clone().invert());
    if (solid.geometry.boundingBox.clone().expandByScalar(1e-6 * this.size).containsPoint(inSolid)) return;
    const end = new THREE.Vector3(...point);
    const rod = new THREE.Mesh(
      new THREE.CylinderGeometry(0.011 * this.size, 0.011 * this.size, end.length(), 12),
      this.linkMaterial,
    );
    rod.position.copy(end).multiplyScalar(0.5);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), end.clone().normalize());
    rod.castShadow = true;
    this.bodies[body].add(rod);
    this.figures.push({ place() {}, remove: () => this.discard(rod) });
  }

  place(numbers) {
    this.bodies.forEach((body, i) => {
      const [x, y, z, qw, qx, qy, qz] = numbers.subarray(i * bodyLength, (i + 1) * bodyLength);
      body.position.set(x, y, z);
      body.quaternion.set(qx, qy, qz, qw);
    });
    this.figures.forEach((figure) => figure.place());
  }

  // All that is seen, turned upright, and where the floor is: below everything, and below what hangs and may swing.
  extent(world) {
    const box = new THREE.Box3();
    this.bodies.forEach((body) => box.expandByObject(body.userData.solid));
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

  highlight(index) {
    this.targets.forEach((solid, i) => {
      solid.material.emissive.copy(this.colours[i]).multiplyScalar(i === index ? 0.35 : 0);
    });
  }

  takeColours() {
    this.colours.forEach((colour, i) => {
      colour.set(themeColour(`--series-${i % colourCount}`));
      this.targets[i].material.color.copy(colour);
    });
    this.jointMaterial.color.set(themeColour("--joint"));
    this.linkMaterial.color.set(themeColour("--link"));
    this.forceMaterial.color.set(themeColour("--force"));
  }

  // Whether one sees through the bodies, to what is inside.
  setGlass(isGlass) {
    this.targets.forEach(({ material }) => {
      Object.assign(material, { transparent: isGlass, opacity: isGlass ? 0.3 : 1, depthWrite: !isGlass });
      material.needsUpdate = true;
    });
  }

  setJointScale(scale) {
    if (scale === this.jointScale) return;
    this.jointScale = scale;
    if (this.size) this.setSize(this.size);
  }

  // Takes a figure away; the materials that all figures share stay.
  discard(figure) {
    discard(figure, [this.jointMaterial, this.linkMaterial, this.forceMaterial]);
  }

  dispose() {
    this.figures.forEach((figure) => figure.remove());
    this.bodies.forEach((body) => discard(body));
    [this.ground, this.joints, this.forces].forEach((group) => discard(group));
    [this.jointMaterial, this.linkMaterial, this.forceMaterial].forEach((material) => material.dispose());
  }
}
