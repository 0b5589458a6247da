// Many solids of one material, drawn by one call. Each has a geometry, which equal ones share, and moves with a frame: an
// object whose `matrix` says where it is now.

import * as THREE from "three";

const identity = new THREE.Matrix4();
const placed = new THREE.Matrix4();

export class Batch {
  constructor(material, { castShadow = true, receiveShadow = false } = {}) {
    this.material = material;
    this.castShadow = castShadow;
    this.receiveShadow = receiveShadow;
    this.clear();
  }

  // One more solid, which lies `within` its frame; `make` is called for the first solid of a kind. `part` is what it belongs to
  // for somebody who points at it.
  add(frame, kind, make, { within = identity, part = null } = {}) {
    if (!this.geometries.has(kind)) this.geometries.set(kind, make());
    this.solids.push({ frame, kind, within, part });
  }

  // When all have been added: the object that is drawn.
  finish(parent) {
    if (this.solids.length === 0) return;
    const all = [...this.geometries.values()];
    const sum = (count) => all.reduce((total, geometry) => total + count(geometry), 0);
    this.mesh = new THREE.BatchedMesh(
      this.solids.length,
      sum(({ attributes }) => attributes.position.count),
      sum(({ index }) => index.count),
      this.material,
    );
    const ids = new Map([...this.geometries].map(([kind, geometry]) => [kind, this.mesh.addGeometry(geometry)]));
    this.solids.forEach(({ kind }) => this.mesh.addInstance(ids.get(kind)));
    this.geometries.clear();  // copied
    // nearly everything is in the picture nearly always: looking for what is not costs more than it saves
    Object.assign(this.mesh, { frustumCulled: false, perObjectFrustumCulled: false, sortObjects: false });
    Object.assign(this.mesh, { castShadow: this.castShadow, receiveShadow: this.receiveShadow });
    parent.add(this.mesh);
    this.place();
  }

  // Puts every solid to where its frame is.
  place() {
    this.solids.forEach(({ frame, within }, i) => this.mesh.setMatrixAt(i, placed.multiplyMatrices(frame.matrix, within)));
  }

  setColour(index, colour) {
    this.mesh.setColorAt(index, colour);
  }

  // Those whose frames are visible are drawn.
  setVisible(isVisible) {
    this.solids.forEach(({ frame }, i) => this.mesh.setVisibleAt(i, isVisible(frame)));
  }

  // What is seen through must be drawn from far to near.
  setSorted(isSorted) {
    if (this.mesh) this.mesh.sortObjects = isSorted;
  }

  // Takes all solids away; the material stays.
  clear() {
    this.mesh?.removeFromParent();
    this.mesh?.dispose();
    this.mesh = null;
    this.solids = [];
    this.geometries = new Map();
  }
}
