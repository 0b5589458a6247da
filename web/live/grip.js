// Mouse and touch: taking hold of a body and pulling it, or turning it. The pointer pulls in the plane through the point that is
// held and across the line of sight; it turns as trackball.js says.

import * as THREE from "three";

import { pullText } from "./frame.js";
import { Trackball } from "./trackball.js";

// A finger hides what it touches: bodies within this distance of it count as touched.
const fingerRadius = 18;  // pixels
const clickRadius = 4;  // by less than this a click may move
const rings = 9;
const directions = 12;
const underFinger = [[0, 0]];
for (let ring = 1; ring <= rings; ++ring)
  for (let i = 0; i < directions; ++i) {
    const angle = (2 * Math.PI * i) / directions;
    underFinger.push([(fingerRadius * ring * Math.cos(angle)) / rings, (fingerRadius * ring * Math.sin(angle)) / rings]);
  }

// Whether bodies can be pulled from this page now. (The server takes another integrator where the present one cannot.)
export function canPull({ scene, seat }) {
  return scene?.mode === "live" && seat.steering;
}

export class Grip {
  // `turns()`: whether bodies are turned, also without Shift; `onClick(part)` hears of a body, a joint or a force, { kind, index }, that
  // was pressed and let go without being moved.
  constructor(stage, layout, { send, page, turns, onClick }) {
    Object.assign(this, { stage, layout, send, page, turns, onClick });
    this.raycaster = new THREE.Raycaster();
    this.plane = new THREE.Plane();
    this.held = null;
    this.pressed = null;  // what may become a click
    this.pointer = null;
    const canvas = stage.renderer.domElement;
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(end, (event) => this.release(event));
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());  // a finger that holds for long
  }

  aim({ clientX, clientY }) {
    const area = this.stage.renderer.domElement.getBoundingClientRect();
    const x = (2 * (clientX - area.left)) / area.width - 1;
    const y = 1 - (2 * (clientY - area.top)) / area.height;
    this.raycaster.setFromCamera(new THREE.Vector2(x, y), this.stage.camera);
  }

  canPull() {
    return canPull(this.page());
  }

  // What is under the pointer, or near a finger, which rather means a body.
  hitAt(event) {
    let nearest = null;
    for (const [x, y] of event.pointerType === "touch" ? underFinger : underFinger.slice(0, 1)) {
      this.aim({ clientX: event.clientX + x, clientY: event.clientY + y });
      const hit = this.stage.hit(this.raycaster);
      if (hit?.body !== undefined) return hit;
      nearest ??= hit;
    }
    return nearest;
  }

  // A joint or a force is only pressed; a body behind it is taken.
  take(event) {
    if (this.held || event.button !== 0) return;
    const hit = this.hitAt(event);
    this.pressed = hit && { part: hit.part, pointerId: event.pointerId, from: event };
    if (hit?.body === undefined || !this.canPull()) return;
    event.stopImmediatePropagation();
    this.stage.renderer.domElement.setPointerCapture(event.pointerId);
    this.stage.orbit.enabled = false;
    this.held = { pointerId: event.pointerId, body: hit.body, label: event };
    if (event.shiftKey || this.turns()) {
      this.held.ball = new Trackball(this.stage, this.stage.mechanism.bodies[hit.body].position, event);
      this.send("turn", hit.body, ...hit.local.toArray());
    } else {
      this.plane.setFromNormalAndCoplanarPoint(this.raycaster.ray.direction, hit.held);
      this.send("grab", hit.body, ...hit.local.toArray(), ...this.toModel(hit.held));
    }
    document.body.classList.add("pulling");
  }

  move(event) {
    if (this.pressed?.pointerId === event.pointerId) {
      const { clientX, clientY } = this.pressed.from;
      this.pressed.isMoved ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) > clickRadius;
    }
    if (this.held) {
      if (event.pointerId === this.held.pointerId) this.pointer = event;
    } else if (event.buttons === 0) {
      this.aim(event);
      this.hover(this.stage.hit(this.raycaster), event);
    }
  }

  release(event) {
    if (this.pressed?.pointerId === event.pointerId) {
      const { part, isMoved } = this.pressed;
      this.pressed = null;
      if (!isMoved && event.type === "pointerup") this.onClick?.(part);
    }
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
    if (this.pointer && this.pressed?.isMoved) {
      if (this.held.ball) this.turnTo(this.pointer);
      else this.pullTo(this.pointer);
      this.held.label = this.pointer;
      this.pointer = null;
    }
    this.showLabel(this.held.label, this.forceText());
  }

  pullTo(pointer) {
    this.aim(pointer);
    const point = this.raycaster.ray.intersectPlane(this.plane, new THREE.Vector3());
    if (point) this.send("drag", ...this.toModel(point));
  }

  turnTo(pointer) {
    this.held.ball.follow(pointer);
    this.send("drag", ...this.held.ball.vector());
  }

  toModel(point) {
    return this.stage.world.worldToLocal(point.clone()).toArray();
  }

  forceText() {
    const { scene, frame, status } = this.page();
    const { name } = scene.bodies[this.held.body];
    return frame && status.playing ? `${name}  ${pullText(frame)}` : name;
  }

  hover(hit, event) {
    this.stage.highlight(hit?.part.kind === "body" ? hit.body : -1);
    document.body.classList.toggle("over-body", hit?.body !== undefined && this.canPull());
    if (hit) this.showLabel(event, this.nameOf(hit.part));
    else this.layout.label.hidden = true;
  }

  nameOf({ kind, index }) {
    const { scene } = this.page();
    if (kind === "force") return scene.forceNames[index];
    return (kind === "joint" ? scene.joints : scene.bodies)[index].name;
  }

  showLabel({ clientX, clientY }, text) {
    const { label } = this.layout;
    label.hidden = false;
    label.textContent = text;
    label.style.transform = `translate(${clientX + 16}px, ${clientY + 14}px)`;
  }
}
