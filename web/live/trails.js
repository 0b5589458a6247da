// The paths of the centres of mass over the last seconds, fading.

import * as THREE from "three";

import { discard } from "./shapes.js";
import { bodyPosition } from "./stage.js";

const length = 360;
const mostBodies = 40;

export class Trails {
  constructor(count, colours, world) {
    this.lines = [];
    for (let i = 0; i < Math.min(count, mostBodies); ++i) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * length), 3));
      geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(4 * length), 4));
      const material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
      const line = new THREE.Line(geometry, material);
      line.frustumCulled = false;
      world.add(line);
      this.lines.push(line);
    }
    this.takeColours(colours);
    this.clear();
  }

  clear() {
    this.count = 0;
    this.last = null;
    this.lines.forEach((line) => line.geometry.setDrawRange(0, 0));
  }

  // A time that goes back, or far ahead, begins anew.
  add(time, bodies) {
    if (this.last !== null && (time < this.last || time > this.last + 1)) this.clear();
    if (time === this.last) return;
    this.last = time;
    const full = this.count === length;
    if (!full) ++this.count;
    this.lines.forEach((line, i) => {
      const position = line.geometry.attributes.position;
      if (full) position.array.copyWithin(0, 3);
      position.array.set(bodyPosition(bodies, i), 3 * (this.count - 1));
      position.needsUpdate = true;
      // old points are at the faint end
      line.geometry.setDrawRange(0, this.count);
    });
    if (!full) this.fade();
  }

  fade() {
    this.lines.forEach((line, k) => {
      const colour = line.geometry.attributes.color;
      const { r, g, b } = this.colours[k];
      for (let i = 0; i < this.count; ++i) colour.setXYZW(i, r, g, b, 0.85 * (i / this.count) ** 1.5);
      colour.needsUpdate = true;
    });
  }

  takeColours(colours) {
    this.colours = colours;
    if (this.count) this.fade();
  }

  setVisible(visible) {
    this.lines.forEach((line) => (line.visible = visible));
  }

  dispose() {
    this.lines.forEach((line) => discard(line));
  }
}
