// Solids by the shapes of model files (include/polhode/model/shape.h): axes along z, centred at the centre of mass.

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";

const around = 48;

// three.js turns its solids about y; ours stand along z.
function alongZ(geometry) {
  return geometry.rotateX(Math.PI / 2);
}

const makers = {
  sphere: ({ radius }) => alongZ(new THREE.SphereGeometry(radius, around, 32)),
  box({ size }) {
    const edge = 0.08 * Math.min(...size);
    return new RoundedBoxGeometry(...size, 3, edge);
  },
  cylinder: ({ radius, height }) => alongZ(new THREE.CylinderGeometry(radius, radius, height, around)),
  // the apex is three quarters of the height below the centre of mass
  cone: ({ radius, height }) =>
    alongZ(new THREE.ConeGeometry(radius, height, around)).rotateX(Math.PI).translate(0, 0, -height / 4),
  capsule: ({ radius, length }) => alongZ(new THREE.CapsuleGeometry(radius, length, 12, around)),
  ellipsoid: ({ semi_axes: axes }) => alongZ(new THREE.SphereGeometry(1, around, 32)).scale(...axes),
};

export function shapeGeometry(shape) {
  return makers[shape.type](shape);
}

// Round solids carry sectors, light and a little darker, so that their spin is seen.
export function sectorTexture() {
  const sectors = 8;
  const data = new Uint8Array(4 * sectors);
  for (let i = 0; i < sectors; ++i) data.set(i % 2 ? [255, 255, 255, 255] : [205, 205, 205, 255], 4 * i);
  const texture = new THREE.DataTexture(data, sectors, 1);
  texture.magFilter = THREE.NearestFilter;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
