// How forces look: springs are coils, dampers are cylinders with a piston, loads and torques are arrows.

import * as THREE from "three";

import { endPoint, frameBetween } from "./joints.js";

const coils = 9;
const upright = new THREE.Vector3(0, 1, 0);

class Coil extends THREE.Curve {
  constructor(radius) {
    super();
    this.radius = radius;
  }

  // Straight at both ends, coiled between them.
  getPoint(t, out = new THREE.Vector3()) {
    const inner = Math.min(1, Math.max(0, (t - 0.1) / 0.8));
    const radius = this.radius * Math.min(1, 12 * inner, 12 * (1 - inner));
    const angle = 2 * Math.PI * coils * inner;
    return out.set(radius * Math.cos(angle), t - 0.5, radius * Math.sin(angle));
  }
}

const figures = {
  spring(force, mechanism, size, add) {
    const coil = () => new THREE.TubeGeometry(new Coil(0.035 * size), 260, 0.006 * size, 6);
    add(frameBetween(force.ends, mechanism), "spring", coil);
  },
  damper(force, mechanism, size, add) {
    const s = 0.02 * size;
    const frame = frameBetween(force.ends, mechanism);
    add(frame, "rod", () => new THREE.CylinderGeometry(0.4 * s, 0.4 * s, 1, 12));
    add(frame, "pot", () => new THREE.CylinderGeometry(1.3 * s, 1.3 * s, 0.35, 20).translate(0, -0.1, 0));
  },
  load: addArrow,
  torque: addArrow,
};
figures.bushing = figures.spring;

export function addForce(force, index, mechanism, size) {
  // its number among all forces of the model, of which not all are seen
  const part = { kind: "force", index: mechanism.scene.forceNames?.indexOf(force.name) ?? index };
  figures[force.type]?.(force, mechanism, size, (frame, kind, make) => mechanism.batches.forces.add(frame, kind, make, { part }));
}

// Points at the place where it acts. Its direction is fixed in space, or in the body where the model says so.
function addArrow(force, mechanism, size, add) {
  const direction = new THREE.Vector3(...(force.direction ?? [0, 0, 1]));
  if (direction.lengthSq() === 0) return;
  direction.normalize();
  const [length, tip, thickness] = [0.35 * size, 0.09 * size, 0.004 * size];
  const frame = new THREE.Object3D();
  const turned = new THREE.Vector3();
  mechanism.moving.push({
    place() {
      const [end] = force.ends;
      turned.copy(direction);
      if (force.inBody) turned.applyQuaternion(mechanism.frameOf(end).quaternion);
      frame.quaternion.setFromUnitVectors(upright, turned);
      endPoint(end, mechanism, frame.position);
      frame.updateMatrix();
    },
  });
  const shaft = length - tip;
  add(frame, "shaft", () => new THREE.CylinderGeometry(thickness, thickness, shaft, 12).translate(0, -tip - shaft / 2, 0));
  add(frame, "tip", () => new THREE.ConeGeometry(0.025 * size, tip, 20).translate(0, -tip / 2, 0));
}
