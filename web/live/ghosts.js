// The mechanism as it was every so often, faint: the last few poses, drawn by one call. Poses that are older are forgotten.

import * as THREE from "three";

import { Batch } from "./batch.js";
import { shapeGeometry } from "./shapes.js";

const poses = 8;
const opacity = 0.16;

export class Ghosts {
  constructor(mechanism, world) {
    this.mechanism = mechanism;
    const material = new THREE.MeshStandardMaterial({ roughness: 0.7, transparent: true, opacity, depthWrite: false });
    this.batch = new Batch(material, { castShadow: false });
    // pose by pose, and in each body by body
    this.frames = Array.from({ length: poses }, () => mechanism.bodies.map(() => ({ matrix: new THREE.Matrix4() })));
    for (const frames of this.frames)
      mechanism.scene.bodies.forEach(({ shape }, i) => {
        const within = mechanism.turns[i];
        this.batch.add(frames[i], JSON.stringify(shape), () => shapeGeometry(shape), { within });
      });
    this.batch.finish(world);
    this.every = 0.25;  // seconds
    this.isVisible = false;
    this.hidden = new Set();
    this.clear();
    this.takeColours();
  }

  clear() {
    this.times = [];  // of the poses that are kept, in the order in which they were taken
    this.next = 0;
    this.show();
  }

  // The mechanism as it is placed now. A time that goes back begins anew.
  add(time) {
    const last = this.times.at(-1);
    if (last !== undefined && time < last) this.clear();
    if (!this.isVisible || (this.times.length > 0 && time < this.times.at(-1) + this.every * (1 - 1e-9))) return;
    this.frames[this.next].forEach((frame, i) => frame.matrix.copy(this.mechanism.bodies[i].matrix));
    this.times.push(time);
    if (this.times.length > poses) this.times.shift();
    this.next = (this.next + 1) % poses;
    this.batch.place();
    this.show();
  }

  // How many poses are seen.
  get count() {
    return this.isVisible ? this.times.length : 0;
  }

  show() {
    const seen = new Set(this.frames.slice(0, this.times.length).flatMap((frames) => frames.filter((_, i) => !this.hidden.has(i))));
    this.batch.setVisible((frame) => seen.has(frame));
    this.batch.mesh.visible = this.isVisible && seen.size > 0;
  }

  choose({ isVisible, every, hidden }) {
    if (isVisible !== this.isVisible || every !== this.every) this.times = [];
    Object.assign(this, { isVisible, every, hidden });
    if (this.times.length === 0) this.next = 0;
    this.show();
  }

  takeColours() {
    const { colours } = this.mechanism;
    for (let pose = 0; pose < poses; ++pose) colours.forEach((colour, i) => this.batch.setColour(pose * colours.length + i, colour));
  }

  dispose() {
    this.batch.clear();
    this.batch.material.dispose();
  }
}
