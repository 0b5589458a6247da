// How joints look. A joint belongs to the body of its first end and moves with it; a distance joint has two ends.

import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

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

export function addJoint(joint, index, mechanism, size) {
  const s = thicknessOf(joint, mechanism, size);
  const part = { kind: "joint", index };
  const { joints } = mechanism.batches;
  if (joint.type === "distance") {
    const rod = () => new THREE.CylinderGeometry(0.45 * s, 0.45 * s, 1, 12);
    return joints.add(frameBetween(joint.ends, mechanism), `distance ${s}`, rod, { part });
  }
  const [end] = joint.ends;
  const within = along(new THREE.Vector3(...(end.axis ?? [0, 0, 1])), new THREE.Vector3(...end.point));
  const figure = () => mergeGeometries((parts[joint.type] ?? parts.fixed)(s));
  joints.add(mechanism.frameOf(end), `${joint.type} ${s}`, figure, { within, part });
}

// Turns the y axis into a direction, and puts the origin to a place.
export function along(direction, place, scale = new THREE.Vector3(1, 1, 1)) {
  const turn = new THREE.Quaternion().setFromUnitVectors(upright, direction.clone().normalize());
  return new THREE.Matrix4().compose(place, turn, scale);
}

export function endPoint(end, mechanism, out) {
  return out.set(...end.point).applyMatrix4(mechanism.frameOf(end).matrix);
}

const a = new THREE.Vector3();
const b = new THREE.Vector3();

// A frame between two ends, for what is one long, along y and about its middle.
export function frameBetween(ends, mechanism) {
  const frame = new THREE.Object3D();
  mechanism.moving.push({
    place() {
      endPoint(ends[0], mechanism, a);
      endPoint(ends[1], mechanism, b);
      frame.position.addVectors(a, b).multiplyScalar(0.5);
      b.sub(a);
      const length = Math.max(b.length(), 1e-9);
      frame.quaternion.setFromUnitVectors(upright, b.divideScalar(length));
      frame.scale.y = length;
      frame.updateMatrix();
    },
  });
  return frame;
}
