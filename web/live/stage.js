// The view in three dimensions: light, floor, camera, and the mechanism.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import { themeColour } from "../report/appearance.js";
import { Mechanism } from "./mechanism.js";
import { Floor } from "./floor.js";
import { Ghosts } from "./ghosts.js";
import { HandLine } from "./hand_line.js";
import { levels, Quality } from "./quality.js";
import { ScaleBar } from "./scale_bar.js";
import { Trails } from "./trails.js";

// Where the camera stands, from what it looks at: x to the right, y upwards.
export const viewpoints = { front: [0, 0, 1], side: [1, 0, 0], top: [0, 1, 0], slanting: [0.75, 0.42, 1] };

export class Stage {
  // The panel, where there is one, covers a part of the view; what is seen is put into the middle of the rest.
  constructor(parent, panel) {
    this.parent = parent;
    this.panel = panel;
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.xr.enabled = true;
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.addEventListener("keydown", (event) => this.turnByKey(event));
    parent.append(canvas);

    this.space = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
    this.orbit = new OrbitControls(this.camera, this.renderer.domElement);
    this.orbit.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.orbit.dampingFactor = 0.12;

    // Everything of the model lies in `world`, whose upward direction becomes that of the picture.
    this.world = new THREE.Group();
    this.space.add(this.world);
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.25);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    this.sun.shadow.radius = 5;
    this.space.add(this.sky, this.sun, this.sun.target);
    this.floor = new Floor(this.space);
    this.quality = new Quality();
    this.shown = { trails: true, joints: true, forces: true, glass: false, jointScale: 1, scale: true, ghosts: false, ghostsEvery: 0.25 };
    this.hidden = new Set();  // bodies that are not drawn
    this.scaleBar = new ScaleBar(parent);
    this.size = 1;

    const observer = new ResizeObserver(() => this.resize());
    observer.observe(parent);
    if (panel) observer.observe(panel);
    this.takeColours();
    this.takeQuality();
  }

  // Another mechanism; where its bodies are comes with the first frame.
  show(scene) {
    this.build(scene);
    const words = `${scene.name}, seen in three dimensions; arrow keys turn the view, plus and minus go nearer and farther`;
    this.renderer.domElement.setAttribute("aria-label", words);
    this.isPlaced = false;
    this.hidden = new Set();
    this.reach = null;
    this.follow(-1);
  }

  // Where bodies come to besides, as far as it is known: a finished run is seen as a whole from the beginning.
  showReach(frames) {
    this.world.updateMatrixWorld(true);
    this.reach = this.mechanism.reachOf(frames, this.world);
    if (this.isPlaced) this.lookAtAll();
  }

  // The same mechanism with another value: it is seen from where it was, and where it was until the next frame comes.
  showChanged(scene) {
    this.build(scene);
    this.mechanism.setSize(this.size);
    if (this.isPlaced) this.mechanism.place(this.placedBodies);
    this.choose(this.shown);
  }

  build(scene) {
    [this.mechanism, this.trails, this.ghosts, this.hand].forEach((part) => part?.dispose());
    this.mechanism = new Mechanism(scene, this.world);
    this.trails = new Trails(scene.bodies.length, this.mechanism.colours, this.world);
    this.ghosts = new Ghosts(this.mechanism, this.world);
    this.hand = new HandLine(this.world);
    this.scene = scene;
    const up = upwardOf(scene.gravity);
    this.world.quaternion.setFromUnitVectors(up, new THREE.Vector3(0, 1, 0));
    this.takeColours();
    this.choose(this.shown);
  }

  choose(shown) {
    Object.assign(this.shown, shown);
    this.hasChanged = true;
    if (!this.mechanism) return;
    this.mechanism.joints.visible = this.shown.joints;
    this.mechanism.forces.visible = this.shown.forces;
    this.trails.setVisible(this.shown.trails);
    this.mechanism.setGlass(this.shown.glass);
    this.mechanism.setJointScale(this.shown.jointScale);
    this.hide(this.hidden);
    this.scaleBar.setVisible(this.shown.scale);
  }

  // These bodies are not drawn, and cannot be pointed at.
  hide(bodies) {
    this.hidden = bodies;
    this.mechanism?.hide(bodies);
    this.ghosts?.choose({ isVisible: this.shown.ghosts, every: this.shown.ghostsEvery, hidden: bodies });
    this.hasChanged = true;
  }

  place(frame) {
    this.mechanism.place(frame.bodies);
    if (!this.isPlaced) {
      this.isPlaced = true;
      this.lookAtAll();
    }
    this.moveWithFollowed();
    // a frame of the same moment looks the same, unless somebody poses the bodies or has just let go
    this.hasChanged ||= frame.time !== this.placedTime || this.hand.group.visible || !isAlike(frame.bodies, this.placedBodies);
    this.placedTime = frame.time;
    this.placedBodies = frame.bodies.slice();
    this.trails.add(frame.time, frame.bodies);
    this.ghosts.add(frame.time);
    this.hand.place(frame, this.size);
  }

  // The camera goes along with a body, or with none (-1).
  follow(body) {
    this.followed = body;
    this.followedAt = null;
  }

  moveWithFollowed() {
    const body = this.mechanism.bodies[this.followed];
    if (!body || this.renderer.xr.isPresenting) return;
    const at = this.world.localToWorld(body.position.clone());
    if (this.followedAt) {
      const by = at.clone().sub(this.followedAt);
      this.camera.position.add(by);
      this.orbit.target.add(by);
    }
    this.followedAt = at;
  }

  // Puts camera, light and floor so that the whole mechanism is seen from there, with room to move.
  lookAtAll(from = "slanting") {
    this.hasChanged = true;
    this.world.updateMatrixWorld(true);
    const { box, floor } = this.mechanism.extent(this.world, this.reach);
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(sphere.radius, 1e-3);
    this.size = radius;
    this.mechanism.setSize(radius);
    this.camera.near = radius / 100;
    this.camera.far = radius * 200;
    const direction = new THREE.Vector3(...viewpoints[from]).normalize();
    this.resize();
    const share = Math.min(1, this.free.width / this.free.view, this.free.height / this.free.view);
    const distance = (1.05 * radius) / Math.sin((this.camera.fov * Math.PI) / 360) / share;
    this.camera.position.copy(sphere.center).addScaledVector(direction, distance);
    this.orbit.target.copy(sphere.center);
    this.orbit.minDistance = 0.1 * radius;
    this.orbit.maxDistance = 30 * radius;
    this.camera.updateProjectionMatrix();
    this.orbit.update();

    this.floor.place(sphere.center, floor, radius);
    this.sun.position.copy(sphere.center).add(new THREE.Vector3(0.9, 2.2, 1.1).multiplyScalar(2.2 * radius));
    this.sun.target.position.copy(sphere.center);
    const reach = 2.6 * radius;
    Object.assign(this.sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(this.sun.shadow.camera, { near: 0.1 * radius, far: 14 * radius });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
    this.space.fog = new THREE.Fog(this.space.background, 9 * radius, 28 * radius);
  }

  // Arrows turn the camera about what it looks at, plus and minus bring it nearer and farther.
  turnByKey(event) {
    const turns = { ArrowLeft: [-1, 0, 1], ArrowRight: [1, 0, 1], ArrowUp: [0, -1, 1], ArrowDown: [0, 1, 1] };
    const moves = { "+": [0, 0, 0.9], "=": [0, 0, 0.9], "-": [0, 0, 1 / 0.9] };
    const move = turns[event.key] ?? moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.orbit.target));
    at.theta += 0.1 * move[0];
    at.phi += 0.1 * move[1];
    at.radius *= move[2];
    this.camera.position.setFromSpherical(at.makeSafe()).add(this.orbit.target);
    this.hasChanged = true;
  }

  takeColours() {
    this.hasChanged = true;
    this.space.background = new THREE.Color(themeColour("--sky"));
    if (this.space.fog) this.space.fog.color = this.space.background;
    const dark = document.documentElement.dataset.theme === "dark";
    this.sky.intensity = dark ? 1.3 : 1.7;
    this.sun.intensity = dark ? 2.0 : 1.9;
    this.floor.takeColours();
    this.mechanism?.takeColours();
    this.trails?.takeColours(this.mechanism.colours);
    this.ghosts?.takeColours();
    this.hand?.takeColours();
  }

  start(onPicture) {
    const { xr } = this.renderer;
    let last = performance.now();
    let wasDrawn = false;
    this.renderer.setAnimationLoop((now) => {
      const passed = Math.max(0, (now - last) / 1000);
      last = now;
      onPicture(Math.min(0.1, passed));
      this.beforePicture?.();
      // nothing is drawn where nothing has changed
      const turned = !xr.isPresenting && this.orbit.update();
      const isDrawn = turned || this.hasChanged || xr.isPresenting;
      if (isDrawn && wasDrawn && !xr.isPresenting && this.quality.add(passed)) this.takeQuality();
      wasDrawn = isDrawn;
      if (isDrawn) this.draw();
    });
  }

  draw() {
    this.hasChanged = false;
    this.renderer.render(this.space, this.camera);
    const distance = this.camera.position.distanceTo(this.orbit.target);
    this.scaleBar.place((2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.free.view);
    this.onDrawn?.();
  }

  // Right after it was drawn: what is seen, without what the panel covers, into a canvas, which gets its size or keeps its own.
  copyTo(canvas, { keepsSize = false } = {}) {
    const drawn = this.renderer.domElement;
    const ratio = drawn.height / this.free.view;
    const width = Math.max(2, Math.round(this.free.width * ratio));
    const height = Math.max(2, Math.round(this.free.height * ratio));
    if (!keepsSize) Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(drawn, 0, 0, width, height, 0, 0, canvas.width, canvas.height);
    this.scaleBar.drawInto(context, (ratio * canvas.width) / width);
  }

  // As finely as the level says.
  takeQuality() {
    const { shadow } = this.sun;
    const { shadows } = levels[this.quality.level];
    this.sun.castShadow = shadows > 0;
    if (shadows > 0) shadow.mapSize.set(shadows, shadows);
    shadow.map?.dispose();
    shadow.map = null;
    this.resize();
  }

  // The finest level, and no other: for pictures that are kept.
  drawFinely() {
    this.quality.hold(0);
    this.takeQuality();
  }

  highlight(body) {
    this.hasChanged ||= Boolean(this.mechanism?.highlight(body));
  }

  resize() {
    this.hasChanged = true;
    if (this.renderer.xr.isPresenting) return;
    const { clientWidth: width, clientHeight: height } = this.parent;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, levels[this.quality.level].pixelRatio));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / Math.max(1, height);
    const { right, below } = this.covered();
    this.free = { width: width - right, height: height - below, view: Math.max(1, height) };
    this.camera.setViewOffset(width, height, right / 2, below / 2, width, height);
    this.camera.updateProjectionMatrix();
  }

  // What the panel takes: the right side, or what is below its upper edge where it is as wide as the view.
  covered() {
    const area = this.panel?.getBoundingClientRect();
    if (!area || area.width === 0) return { right: 0, below: 0 };
    const { clientWidth: width, clientHeight: height } = this.parent;
    return area.width > 0.6 * width ? { right: 0, below: height - area.top } : { right: width - area.left, below: 0 };
  }

  // What is under a ray, or null: { part, point }, the part that is seen there and the point in the picture's space; where a body is
  // there as well, be it behind, { body, held, local } is the body, and the point of it in the picture's space and in the body. Joints
  // and forces within a body that is seen through come before it.
  hit(raycaster) {
    if (!this.mechanism) return null;
    const { bodies, joints, forces } = this.mechanism.batches;
    const hitIn = (batch) => (batch.mesh ? raycaster.intersectObject(batch.mesh) : []).at(0);
    const partOf = (batch, found) => found && { part: batch.solids[found.batchId].part, point: found.point.clone(), distance: found.distance };
    const onBody = hitIn(bodies);
    const others = [this.shown.joints && partOf(joints, hitIn(joints)), this.shown.forces && partOf(forces, hitIn(forces))];
    const [first] = [partOf(bodies, onBody), ...others].filter(Boolean).sort((a, b) => this.depth(a) - this.depth(b));
    if (!first || !onBody) return first ?? null;
    const body = onBody.batchId;
    const held = onBody.point.clone();
    return { ...first, body, held, local: this.mechanism.bodies[body].worldToLocal(held.clone()) };
  }

  // How far away what was hit is, for whoever points at it.
  depth({ part, distance }) {
    return distance + (this.shown.glass && part.kind === "body" ? this.camera.far : 0);
  }

  // Where a point of the model's space is on the screen, in pixels.
  onScreen(place) {
    this.camera.updateMatrixWorld();
    const point = this.world.localToWorld(new THREE.Vector3(...place)).project(this.camera);
    const area = this.renderer.domElement.getBoundingClientRect();
    return {
      x: area.left + ((point.x + 1) / 2) * area.width,
      y: area.top + ((1 - point.y) / 2) * area.height,
    };
  }
}

function isAlike(a, b) {
  return a.length === b?.length && a.every((value, i) => value === b[i]);
}

// Against gravity, along the nearest axis; z where nothing falls.
function upwardOf(gravity) {
  const sizes = gravity.map(Math.abs);
  const largest = Math.max(...sizes);
  if (largest === 0) return new THREE.Vector3(0, 0, 1);
  const axis = sizes.indexOf(largest);
  return new THREE.Vector3().setComponent(axis, gravity[axis] > 0 ? -1 : 1);
}
