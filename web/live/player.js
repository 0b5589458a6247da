// A finished run: all its frames, the time that is shown, and whether it plays.

import { bodyLength, frameLength, headLength, readFrame } from "./frame.js";

export class Player {
  onFrame = () => {};
  onTime = () => {};

  constructor() {
    this.loops = false;
    this.close();
  }

  close() {
    this.numbers = null;
    this.rows = 0;
    this.time = 0;
    this.playing = false;
    this.speed = 1;
  }

  async open(scene) {
    this.show(scene, new Float64Array(await fetchFrames()));
  }

  // All frames, one behind the other.
  show(scene, numbers) {
    this.stride = frameLength(scene);
    this.endOfBodies = headLength + bodyLength * scene.bodies.length;
    this.numbers = numbers;
    this.rows = Math.floor(numbers.length / this.stride);
    this.start = this.timeOf(0);
    this.end = this.timeOf(this.rows - 1);
    // who asks for less motion begins it himself
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.seek(this.start);
  }

  timeOf(row) {
    return this.numbers[row * this.stride + 1];
  }

  frameOf(row) {
    return readFrame(this.numbers.subarray(row * this.stride, (row + 1) * this.stride));
  }

  // Some frames, evenly over all of the run.
  someFrames(count = 60) {
    const last = Math.min(count, this.rows) - 1;
    return Array.from({ length: last + 1 }, (_, i) => this.frameOf(last > 0 ? Math.round((i * (this.rows - 1)) / last) : 0));
  }

  play(playing) {
    if (!this.numbers) return;
    if (playing && this.time >= this.end) this.seek(this.start);
    this.playing = playing;
    this.onTime();
  }

  // Called for every picture with the seconds since the last one.
  advance(seconds) {
    if (!this.playing || !this.numbers) return;
    const time = this.time + this.speed * seconds;
    if (time >= this.end && this.loops) return this.seek(this.start);
    if (time >= this.end) this.playing = false;
    this.seek(Math.min(time, this.end));
  }

  // By rows: the next one, or the one before.
  stepBy(rows) {
    if (!this.numbers) return;
    this.playing = false;
    const row = this.rowBefore(this.time) + rows;
    this.seek(this.timeOf(Math.max(0, Math.min(this.rows - 1, row))));
  }

  seek(time) {
    if (!this.numbers) return;
    this.time = Math.max(this.start, Math.min(this.end, time));
    this.onFrame(this.between(this.time));
    this.onTime();
  }

  // The last row that is not later.
  rowBefore(time) {
    let low = 0;
    let high = this.rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.timeOf(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The frame at a time, blended from the two rows around it.
  between(time) {
    const row = this.rowBefore(time);
    if (row === this.rows - 1 || this.timeOf(row) === time) return this.frameOf(row);
    const start = row * this.stride;
    const a = this.numbers.subarray(start, start + this.stride);
    const b = this.numbers.subarray(start + this.stride, start + 2 * this.stride);
    const share = (time - a[1]) / (b[1] - a[1]);
    const blend = a.map((value, i) => value + share * (b[i] - value));
    for (let i = headLength; i < this.endOfBodies; i += bodyLength) blendTurn(blend, a, b, i + 3, share);
    return readFrame(blend);
  }
}

// The frames from the server, or from the page itself where it carries them.
async function fetchFrames() {
  if (window.polhodeRun) return Uint8Array.from(atob(window.polhodeRun.frames), (c) => c.charCodeAt(0)).buffer;
  const answer = await fetch("/run");
  if (!answer.ok) throw new Error(await answer.text());
  return answer.arrayBuffer();
}

// The shorter way between two quaternions, made a unit again.
function blendTurn(out, a, b, at, share) {
  let dot = 0;
  for (let i = at; i < at + 4; ++i) dot += a[i] * b[i];
  const sign = dot < 0 ? -1 : 1;
  let square = 0;
  for (let i = at; i < at + 4; ++i) {
    out[i] = (1 - share) * a[i] + share * sign * b[i];
    square += out[i] * out[i];
  }
  for (let i = at; i < at + 4; ++i) out[i] /= Math.sqrt(square);
}
