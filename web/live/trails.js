// The paths of the centres of mass over the last seconds, fading; all of them are drawn by one call.

import * as THREE from "three";

import { bodyLength } from "./frame.js";
import { discard } from "./shapes.js";

const length = 360;
const mostBodies = 40;

export class Trails {
  constructor(count, colours, world) {
    this.bodies = Math.min(count, mostBodies);
    const geometry = new THREE.BufferGeometry();
    // moment by moment, oldest first, and at each moment body by body
    this.position = new THREE.BufferAttribute(new Float32Array(3 * length * this.bodies), 3);
    this.colour = new THREE.BufferAttribute(new Float32Array(4 * length * this.bodies), 4);
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("color", this.colour);
    geometry.setIndex(segments(this.bodies));
    const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    this.lines = new THREE.LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    world.add(this.lines);
    this.clear();
    this.takeColours(colours);
  }

  clear() {
    this.count = 0;
    this.last = null;
    this.lines.geometry.setDrawRange(0, 0);
  }

  // A time that goes back, or far ahead, begins anew.
  add(time, bodies) {
    if (this.last !== null && (time < this.last || time > this.last + 1)) this.clear();
    if (time === this.last) return;
    this.last = time;
    const { array } = this.position;
    const moment = 3 * this.bodies;
    const full = this.count === length;
    if (full) array.copyWithin(0, moment);
    else ++this.count;
    for (let i = 0, at = moment * (this.count - 1); i < this.bodies; ++i)
      for (let k = 0; k < 3; ++k) array[at++] = bodies[i * bodyLength + k];
    this.position.needsUpdate = true;
    this.lines.geometry.setDrawRange(0, 2 * this.bodies * (this.count - 1));
    if (!full) this.fade();
  }

  // Old points are faint.
  fade() {
    const { array } = this.colour;
    let at = 0;
    for (let i = 0; i < this.count; ++i) {
      const opacity = 0.85 * (i / this.count) ** 1.5;
      for (let k = 0; k < this.bodies; ++k) {
        const { r, g, b } = this.colours[k];
        array[at++] = r;
        array[at++] = g;
        array[at++] = b;
        array[at++] = opacity;
      }
    }
    this.colour.needsUpdate = true;
  }

  takeColours(colours) {
    this.colours = colours;
    if (this.count) this.fade();
  }

  setVisible(visible) {
    this.lines.visible = visible;
  }

  dispose() {
    discard(this.lines);
  }
}

// From each moment to the next one, for each body.
function segments(bodies) {
  const index = [];
  for (let i = 0; i + 1 < length; ++i)
    for (let k = 0; k < bodies; ++k) index.push(i * bodies + k, (i + 1) * bodies + k);
  return index;
}
