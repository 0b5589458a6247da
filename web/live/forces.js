// How forces look: springs are coils, dampers are cylinders with a piston, loads and torques are arrows.

import * as THREE from "three";

import { endPoint, stretch } from "./joints.js";

const coils = 9;

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
  spring(force, mechanism, size) {
    const geometry = new THREE.TubeGeometry(new Coil(0.035 * size), 260, 0.006 * size, 6);
    return between(force, mechanism, [new THREE.Mesh(geometry, mechanism.forceMaterial)]);
  },
  damper(force, mechanism, size) {
    const s = 0.02 * size;
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(0.4 * s, 0.4 * s, 1, 12), mechanism.forceMaterial);
    const pot = new THREE.Mesh(new THREE.CylinderGeometry(1.3 * s, 1.3 * s, 0.35, 20), mechanism.forceMaterial);
    pot.position.y = -0.1;
    return between(force, mechanism, [rod, pot]);
  },
  load: (force, mechanism, size) => arrow(force, mechanism, size),
  torque: (force, mechanism, size) => arrow(force, mechanism, size),
};
figures.bushing = figures.spring;

export function forceFigure(force, mechanism, size) {
  return figures[force.type]?.(force, mechanism, size);
}

function between(force, mechanism, meshes) {
  const group = new THREE.Group();
  meshes.forEach((mesh) => (mesh.castShadow = true));
  group.add(...meshes);
  mechanism.forces.add(group);
  return { place: () => stretch(group, force.ends, mechanism), remove: () => mechanism.discard(group) };
}

// Points at the place where it acts. Its direction is fixed in space, or in the body where the model says so.
function arrow(force, mechanism, size) {
  const direction = new THREE.Vector3(...(force.direction ?? [0, 0, 1]));
  if (direction.lengthSq() === 0) return null;
  direction.normalize();
  const length = 0.35 * size;
  const figure = new THREE.ArrowHelper(direction, undefined, length, mechanism.forceMaterial.color);
  figure.setLength(length, 0.09 * size, 0.05 * size);
  mechanism.forces.add(figure);
  const turned = new THREE.Vector3();
  return {
    place() {
      const [end] = force.ends;
      turned.copy(direction);
      if (force.inBody) turned.applyQuaternion(mechanism.frameOf(end).quaternion);
      figure.setDirection(turned);
      endPoint(end, mechanism, figure.position).addScaledVector(turned, -length);
    },
    remove: () => mechanism.discard(figure),
  };
}
