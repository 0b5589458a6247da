// How bodies look.

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";

const around = 48;

// The points (r, z) of one part of an outline: a straight line, or an arc about a point of the axis.
function pointsOf({ from, to, centre }) {
  if (centre === undefined) return [from, to];
  const radius = Math.hypot(from[0], from[1] - centre);
  const start = Math.atan2(from[1] - centre, from[0]);
  const end = Math.atan2(to[1] - centre, to[0]);
  const count = Math.max(2, Math.ceil((Math.abs(end - start) / Math.PI) * 32));
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = start + ((end - start) * i) / count;
    return [Math.max(0, radius * Math.cos(angle)), centre + radius * Math.sin(angle)];
  });
}

// A solid of model files by the outline that the library tells of it (Outline in include/polhode/model/shape.h): a box, or
// parts that are turned about the z axis. A point where two parts meet is there twice, so that edges stay sharp.
export function shapeGeometry({ box, turned, stretch }) {
  if (box) return plain(new RoundedBoxGeometry(...box, 3, 0.08 * Math.min(...box)));
  const points = turned.flatMap(pointsOf).map(([r, z]) => new THREE.Vector2(r, z));
  // three.js turns about y; ours stand along z
  return new THREE.LatheGeometry(points, around).rotateX(Math.PI / 2).scale(...stretch);
}

// A geometry that shows a light sector of the texture only, with an index, as turned ones have it.
function plain(geometry) {
  const { position, uv } = geometry.attributes;
  for (let i = 0; i < uv.count; ++i) uv.setXY(i, 1.5 / sectors, 0.5);
  return geometry.setIndex(Array.from({ length: position.count }, (_, i) => i));
}

const sectors = 8;
let sharedSectors = null;

// Round solids carry sectors, light and a little darker, so that their spin is seen. All of them share one texture.
export function sectorTexture() {
  return (sharedSectors ??= makeSectors());
}

// Gives back what the graphics card keeps of an object and of all that is in it.
export function discard(object) {
  object.removeFromParent();
  object.traverse((part) => {
    part.geometry?.dispose();
    part.material?.dispose();
  });
}

function makeSectors() {
  const data = new Uint8Array(4 * sectors);
  for (let i = 0; i < sectors; ++i) data.set(i % 2 ? [255, 255, 255, 255] : [205, 205, 205, 255], 4 * i);
  const texture = new THREE.DataTexture(data, sectors, 1);
  texture.magFilter = THREE.NearestFilter;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
