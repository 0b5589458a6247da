// Where a headset is there: the mechanism on a table before the person, to be pulled with the controllers.

import * as THREE from "three";

import { canPull } from "./grip.js";

const tableHeight = 1.1;
const distance = 0.9;
const radiusInRoom = 0.45;

export async function offerHeadset(stage, layout, send, page) {
  if (!(await navigator.xr?.isSessionSupported?.("immersive-vr").catch(() => false))) return;
  const { xr } = stage.renderer;
  let restore = () => {};
  // the camera has been the person's head; it goes back to where everything is seen
  xr.addEventListener("sessionend", () => {
    restore();
    stage.resize();
    stage.lookAtAll();
  });
  layout.bar.headset.hidden = false;
  layout.bar.headset.addEventListener("click", async () => {
    if (xr.isPresenting) return xr.getSession().end();
    const session = await navigator.xr.requestSession("immersive-vr", { optionalFeatures: ["local-floor"] });
    restore = putOnTable(stage);
    await xr.setSession(session);
  });
  const hands = [0, 1].map((index) => new ControllerHand(stage, xr.getController(index), send, page));
  stage.beforePicture = () => xr.isPresenting && hands.forEach((hand) => hand.follow());
}

// Makes the world as small or large as a thing on a table; returns what undoes it.
function putOnTable({ world, floor, size, orbit }) {
  const centre = orbit.target.clone();
  const scale = radiusInRoom / size;
  const before = { position: world.position.clone(), scale: world.scale.clone() };
  world.scale.setScalar(scale);
  world.position.set(0, tableHeight, -distance).addScaledVector(centre, -scale);
  floor.plane.visible = floor.grid.visible = false;
  return () => {
    world.position.copy(before.position);
    world.scale.copy(before.scale);
    floor.plane.visible = floor.grid.visible = true;
  };
}

class ControllerHand {
  constructor(stage, controller, send, page) {
    Object.assign(this, { stage, controller, send, page, held: null });
    this.raycaster = new THREE.Raycaster();
    const ray = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -2)]);
    controller.add(new THREE.Line(ray, new THREE.LineBasicMaterial({ color: 0xffffff })));
    controller.addEventListener("selectstart", () => this.take());
    controller.addEventListener("selectend", () => this.release());
    stage.space.add(controller);
  }

  aim() {
    this.controller.updateMatrixWorld();
    const { ray } = this.raycaster;
    ray.origin.setFromMatrixPosition(this.controller.matrixWorld);
    ray.direction.set(0, 0, -1).transformDirection(this.controller.matrixWorld);
    return ray;
  }

  take() {
    if (!canPull(this.page())) return;
    const ray = this.aim();
    const hit = this.stage.hit(this.raycaster);
    if (hit?.body === undefined) return;
    this.held = { reach: hit.held.distanceTo(ray.origin) };
    this.send("grab", hit.body, ...hit.local.toArray(), ...this.toModel(hit.held));
  }

  follow() {
    if (!this.held) return;
    this.send("drag", ...this.toModel(this.aim().at(this.held.reach, new THREE.Vector3())));
  }

  release() {
    if (!this.held) return;
    this.held = null;
    this.send("release");
  }

  toModel(point) {
    return this.stage.world.worldToLocal(point.clone()).toArray();
  }
}
