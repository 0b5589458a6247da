// A frame (src/server/frame.h): 64-bit numbers, the head, then seven for each body, then what sensors measure and what is watched.

import { readable } from "../report/numbers.js";

export const headLength = 31;
export const bodyLength = 7;

// The frame that was sent: behind all else the bodies come as 32-bit numbers.
export function unpackFrame(bytes) {
  const head = new Float64Array(bytes, 0, headLength);
  const ofBodies = bodyLength * head[headLength - 1];
  const bodiesAt = bytes.byteLength - Float32Array.BYTES_PER_ELEMENT * ofBodies;
  const told = new Float64Array(bytes, head.byteLength, (bodiesAt - head.byteLength) / Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(headLength + ofBodies + told.length);
  numbers.set(head);
  numbers.set(new Float32Array(bytes, bodiesAt, ofBodies), headLength);
  numbers.set(told, headLength + ofBodies);
  return numbers;
}

export function readFrame(numbers) {
  const vector = (start) => numbers.subarray(start, start + 3);
  return {
    sequence: numbers[0],
    time: numbers[1],
    kinetic: numbers[2],
    potential: numbers[3],
    linearMomentum: vector(4),
    angularMomentum: vector(7),
    gap: numbers[10],
    gapRate: numbers[11],
    realTimeFactor: numbers[12],
    meanStep: numbers[13],
    worstStep: numbers[14],
    load: numbers[15],
    pulledBody: numbers[16],
    pulledPoint: vector(17),
    pullTarget: vector(20),
    pullForce: vector(23),
    work: numbers[26],
    pullTorque: vector(27),
    bodies: numbers.subarray(headLength),
  };
}

export function frameLength(scene) {
  const ofSensors = scene.sensors.reduce((sum, { size }) => sum + size, 0);
  return headLength + bodyLength * scene.bodies.length + ofSensors;
}

// Of a run that keeps only the sum, this stands in the place of the kinetic energy, and there is no potential one.
export const keepsParts = (frame) => !Number.isNaN(frame.potential);

export function energyOf(frame) {
  return keepsParts(frame) ? frame.kinetic + frame.potential : frame.kinetic;
}

export function lengthOf(vector) {
  return Math.hypot(...vector);
}

// What the hand pulls with, or turns with.
export function pullText({ pullForce, pullTorque }) {
  const torque = lengthOf(pullTorque);
  const [size, unit] = torque > 0 ? [torque, "N m"] : [lengthOf(pullForce), "N"];
  return `${readable(Number(size.toPrecision(3)))} ${unit}`;
}
