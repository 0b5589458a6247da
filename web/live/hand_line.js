// The line between the point that is held and the hand that pulls it.

import * as THREE from "three";

import { themeColour } from "../report/appearance.js";
import { discard } from "./shapes.js";

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
    this.group.add(this.held, this.target, this.line);
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
  }

  dispose() {
    discard(this.group);
  }

  takeColours() {
    this.material.color.set(themeColour("--hand"));
    this.line.material.color.set(themeColour("--hand"));
  }
}
