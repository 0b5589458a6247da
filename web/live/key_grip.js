// Taking hold of the body that is selected by keys: `G` takes it, or lets it go, arrows pull it across the view or turn it, and Page
// Up and Page Down take it farther and nearer, or turn it about the line of sight.

import * as THREE from "three";

import { canPull } from "./grip.js";
import { onKey } from "./keys.js";
import { Trackball } from "./trackball.js";

const stride = 0.05;  // of the mechanism's size
const angle = 0.1;  // rad
// x to the right, y upwards, z to the eye
const strides = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, -1],
  PageDown: [0, 0, 1],
};

export class KeyGrip {
  // `selected()` is the number of the body that is selected, or -1.
  constructor(stage, { send, page, turns, selected, say }) {
    Object.assign(this, { stage, send, page, turns, selected, say, held: null });
    const canvas = stage.renderer.domElement;
    canvas.addEventListener("keydown", (event) => this.obey(event), { capture: true });
    onKey("g", () => (this.held ? this.release() : this.take()));
  }

  take() {
    const page = this.page();
    const body = this.selected();
    if (!canPull(page) || !page.frame) return;
    if (body < 0) return this.say("Select a body first, by a click or in the list of parts; then G takes hold of it.");
    const place = [...page.frame.bodies.subarray(7 * body, 7 * body + 3)];
    const { name } = page.scene.bodies[body];
    this.stage.renderer.domElement.focus();
    if (this.turns()) {
      const { x, y } = this.stage.onScreen(place);
      this.held = { ball: new Trackball(this.stage, place, { clientX: x, clientY: y }) };
      this.send("turn", body, 0, 0, 0);
      this.say(`Holds ${name}: arrows, Page Up and Page Down turn it, G or Escape lets go.`);
    } else {
      this.held = { target: this.stage.world.localToWorld(new THREE.Vector3(...place)) };
      this.send("grab", body, 0, 0, 0, ...place);
      this.say(`Holds ${name}: arrows pull it, Page Up takes it farther, Page Down nearer, G or Escape lets go.`);
    }
  }

  release() {
    this.held = null;
    this.send("release");
  }

  obey(event) {
    if (!this.held || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = strides[event.key];
    if (!step && event.key !== "Escape") return;
    event.preventDefault();
    event.stopImmediatePropagation();  // the camera stays where it is
    if (!step) return this.release();
    if (this.held.ball) {
      const [x, y, z] = step;
      const seen = new THREE.Vector3(-y * angle, x * angle, z * angle);
      this.held.ball.turnBy(new THREE.Quaternion().setFromAxisAngle(seen.clone().normalize(), angle));
      this.send("drag", ...this.held.ball.vector());
    } else {
      const { camera, world, size } = this.stage;
      this.held.target.add(new THREE.Vector3(...step).multiplyScalar(stride * size).applyQuaternion(camera.quaternion));
      this.send("drag", ...world.worldToLocal(this.held.target.clone()).toArray());
    }
  }
}
