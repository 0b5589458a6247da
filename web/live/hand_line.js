// The line between the point that is held and the hand that pulls it; about the centre of a body that is turned an arrow that goes
// round as the torque does.

import * as THREE from "three";

import { themeColour } from "../report/appearance.js";
import { bodyLength } from "./frame.js";
import { discard } from "./shapes.js";

const threeQuarters = 1.5 * Math.PI;
const forward = new THREE.Vector3(0, 0, 1);

export class HandLine {
  constructor(world) {
    this.group = new THREE.Group();
    this.material = new THREE.MeshBasicMaterial();
    this.held = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 12), this.material);
    this.target = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 12), this.material);
    this.line = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
      new THREE.LineBasicMaterial(),
    );
    this.line.frustumCulled = false;
    this.turn = new THREE.Group();
    const arc = new THREE.Mesh(new THREE.TorusGeometry(1, 0.05, 10, 48, threeQuarters), this.material);
    const tip = new THREE.Mesh(new THREE.ConeGeometry(0.16, 0.36, 16), this.material);
    tip.position.set(0, -1, 0);  // where the arc ends, which goes on to the right there
    tip.rotation.z = -Math.PI / 2;
    this.turn.add(arc, tip);
    this.group.add(this.held, this.target, this.line, this.turn);
    this.group.visible = false;
    world.add(this.group);
    this.takeColours();
  }

  place(frame, size) {
    this.group.visible = frame.pulledBody >= 0;
    if (!this.group.visible) return;
    this.held.position.set(...frame.pulledPoint);
    this.target.position.set(...frame.pullTarget);
    this.held.scale.setScalar(0.014 * size);
    this.target.scale.setScalar(0.02 * size);
    const points = this.line.geometry.attributes.position;
    points.setXYZ(0, ...frame.pulledPoint);
    points.setXYZ(1, ...frame.pullTarget);
    points.needsUpdate = true;
    this.placeTurn(frame, size);
  }

  placeTurn({ pullTorque, pulledBody, bodies }, size) {
    const axis = new THREE.Vector3(...pullTorque);
    this.turn.visible = axis.lengthSq() > 0;
    if (!this.turn.visible) return;
    this.turn.position.fromArray(bodies, bodyLength * pulledBody);
    this.turn.quaternion.setFromUnitVectors(forward, axis.normalize());
    this.turn.scale.setScalar(0.16 * size);
  }

  dispose() {
    discard(this.group);
  }

  takeColours() {
    this.material.color.set(themeColour("--hand"));
    this.line.material.color.set(themeColour("--hand"));
  }
}
