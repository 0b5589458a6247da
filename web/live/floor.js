// A floor that takes shadows, with a grid whose squares are a round number of metres.

import * as THREE from "three";

import { themeColour } from "../report/appearance.js";
import { discard } from "./shapes.js";

export class Floor {
  constructor(space) {
    this.space = space;
    this.plane = new THREE.Mesh(new THREE.CircleGeometry(1, 96), new THREE.MeshStandardMaterial({ roughness: 1 }));
    this.plane.rotation.x = -Math.PI / 2;
    this.plane.receiveShadow = true;
    space.add(this.plane);
  }

  place(centre, height, radius) {
    this.centre = centre.clone();
    this.height = height - 0.004 * radius;
    this.radius = radius;
    this.plane.scale.setScalar(40 * radius);
    this.plane.position.set(centre.x, this.height, centre.z);
    this.makeGrid();
  }

  makeGrid() {
    if (this.grid) discard(this.grid);
    const square = 10 ** Math.round(Math.log10(this.radius / 2));
    const count = 2 * Math.ceil((8 * this.radius) / square);
    const colour = themeColour("--floor-line");
    this.grid = new THREE.GridHelper(count * square, count, colour, colour);
    this.grid.material.transparent = true;
    this.grid.material.opacity = 0.8;
    this.grid.position.set(
      Math.round(this.centre.x / square) * square,
      this.height + 0.002 * this.radius,
      Math.round(this.centre.z / square) * square,
    );
    this.space.add(this.grid);
  }

  takeColours() {
    this.plane.material.color.set(themeColour("--floor"));
    if (this.grid) this.makeGrid();
  }
}
