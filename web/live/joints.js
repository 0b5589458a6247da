// How joints look. A figure belongs to the body of its first end and moves with it; a distance joint has two ends.

import * as THREE from "three";

const thickness = 0.022;
const upright = new THREE.Vector3(0, 1, 0);

// The parts of a joint along its axis, the y axis here; `s` is how thick it is.
const parts = {
  spherical: (s) => [new THREE.SphereGeometry(1.25 * s, 24, 16)],
  revolute: (s) => [new THREE.CylinderGeometry(s, s, 4.5 * s, 24), ...rims(s, 2.25 * s)],
  cylindrical: (s) => [new THREE.CylinderGeometry(0.8 * s, 0.8 * s, 9 * s, 24), new THREE.CylinderGeometry(s, s, 3 * s, 24)],
  prismatic: (s) => [new THREE.BoxGeometry(s, 9 * s, s), new THREE.BoxGeometry(2 * s, 3 * s, 2 * s)],
  planar: (s) => [new THREE.CylinderGeometry(4 * s, 4 * s, 0.35 * s, 32)],
  universal: (s) => [
    new THREE.CylinderGeometry(0.6 * s, 0.6 * s, 4.5 * s, 20),
    new THREE.CylinderGeometry(0.6 * s, 0.6 * s, 4.5 * s, 20).rotateZ(Math.PI / 2),
  ],
  fixed: (s) => [new THREE.BoxGeometry(1.8 * s, 1.8 * s, 1.8 * s)],
};

function rims(s, at) {
  return [-at, at].map((y) => new THREE.CylinderGeometry(1.4 * s, 1.4 * s, 0.6 * s, 24).translate(0, y, 0));
}

// As the size of the whole asks for, and not much thicker than the bodies that it connects, however small these are.
function thicknessOf(joint, mechanism, size) {
  const girths = joint.ends.filter(({ body }) => body >= 0).map(({ body }) => mechanism.girthOf(body));
  return mechanism.jointScale * Math.max(0.001 * size, Math.min(thickness * size, 0.7 * Math.min(...girths)));
}

export function jointFigure(joint, mechanism, size) {
  const s = thicknessOf(joint, mechanism, size);
  if (joint.type === "distance") return rod(joint.ends, mechanism, 0.45 * s);
  const group = new THREE.Group();
  for (const geometry of (parts[joint.type] ?? parts.fixed)(s)) {
    const mesh = new THREE.Mesh(geometry, mechanism.jointMaterial);
    mesh.castShadow = true;
    group.add(mesh);
  }
  const axis = new THREE.Vector3(...(joint.ends[0].axis ?? [0, 0, 1])).normalize();
  group.quaternion.setFromUnitVectors(upright, axis);
  mechanism.joints.add(group);
  return {
    // in the frame of the first body
    place() {
      const [end] = joint.ends;
      const frame = mechanism.frameOf(end);
      group.position.set(...end.point).applyQuaternion(frame.quaternion).add(frame.position);
      group.quaternion.setFromUnitVectors(upright, axis).premultiply(frame.quaternion);
    },
    remove: () => mechanism.discard(group),
  };
}

// A thin rod between two ends, which keeps its length.
function rod(ends, mechanism, radius) {
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, 1, 12), mechanism.jointMaterial);
  mesh.castShadow = true;
  mechanism.joints.add(mesh);
  return { place: () => stretch(mesh, ends, mechanism), remove: () => mechanism.discard(mesh) };
}

export function endPoint(end, mechanism, out) {
  const frame = mechanism.frameOf(end);
  return out.set(...end.point).applyQuaternion(frame.quaternion).add(frame.position);
}

const a = new THREE.Vector3();
const b = new THREE.Vector3();

// Puts an object that is one long, along y and about its middle, between two ends.
export function stretch(object, ends, mechanism) {
  endPoint(ends[0], mechanism, a);
  endPoint(ends[1], mechanism, b);
  object.position.addVectors(a, b).multiplyScalar(0.5);
  b.sub(a);
  const length = Math.max(b.length(), 1e-9);
  object.quaternion.setFromUnitVectors(upright, b.divideScalar(length));
  object.scale.y = length;
}
