// Mouse and touch: taking hold of a body and pulling it. The pointer moves in the plane through the point that is held
// and across the line of sight.

import * as THREE from "three";

import { readable } from "../report/numbers.js";
import { lengthOf } from "./frame.js";

export class Grip {
  constructor(stage, layout, send, page) {
    Object.assign(this, { stage, layout, send, page });
    this.raycaster = new THREE.Raycaster();
    this.plane = new THREE.Plane();
    this.held = null;
    this.pointer = null;
    const canvas = stage.renderer.domElement;
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(end, (event) => this.release(event));
    canvas.addEventListener("pointerleave", () => this.hover(null));
  }

  aim({ clientX, clientY }) {
    const area = this.stage.renderer.domElement.getBoundingClientRect();
    const x = (2 * (clientX - area.left)) / area.width - 1;
    const y = 1 - (2 * (clientY - area.top)) / area.height;
    this.raycaster.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
  }

  canPull() {
    const { scene, status, seat } = this.page();
    return scene?.mode === "live" && status.pullable && seat.steering;
  }

  take(event) {
    if (event.button !== 0 || !this.page().scene) return;
    this.aim(event);
    const hit = this.stage.hit(this.raycaster);
    if (!hit || !this.canPull()) return;
    event.stopImmediatePropagation();
    this.stage.renderer.domElement.setPointerCapture(event.pointerId);
    this.stage.orbit.enabled = false;
    this.held = { pointerId: event.pointerId, body: hit.body };
    this.plane.setFromNormalAndCoplanarPoint(this.raycaster.ray.direction, hit.point);
    this.send("grab", hit.body, ...hit.local.toArray(), ...this.toModel(hit.point));
    document.body.classList.add("pulling");
  }

  move(event) {
    if (this.held) {
      if (event.pointerId === this.held.pointerId) this.pointer = event;
    } else if (event.buttons === 0) {
      this.aim(event);
      this.hover(this.stage.hit(this.raycaster), event);
    }
  }

  release(event) {
    if (!this.held || event.pointerId !== this.held.pointerId) return;
    this.held = null;
    this.pointer = null;
    this.stage.orbit.enabled = true;
    this.send("release");
    document.body.classList.remove("pulling");
    this.hover(null);
  }

  // For every picture: where the pointer is now. One sample a picture is what the server gets.
  follow() {
    if (!this.held) return;
    if (this.pointer) {
      this.aim(this.pointer);
      const point = this.raycaster.ray.intersectPlane(this.plane, new THREE.Vector3());
      if (point) this.send("drag", ...this.toModel(point));
      this.showLabel(this.pointer, this.forceText());
      this.pointer = null;
    }
  }

  toModel(point) {
    return this.stage.world.worldToLocal(point.clone()).toArray();
  }

  forceText() {
    const { scene, frame } = this.page();
    const force = frame ? lengthOf(frame.pullForce) : 0;
    return `${scene.bodies[this.held.body].name}  ${readable(Number(force.toPrecision(3)))} N`;
  }

  hover(hit, event) {
    this.stage.highlight(hit ? hit.body : -1);
    document.body.classList.toggle("over-body", Boolean(hit) && this.canPull());
    if (hit) this.showLabel(event, this.page().scene.bodies[hit.body].name);
    else this.layout.label.hidden = true;
  }

  showLabel({ clientX, clientY }, text) {
    const { label } = this.layout;
    label.hidden = false;
    label.textContent = text;
    label.style.transform = `translate(${clientX + 16}px, ${clientY + 14}px)`;
  }
}
