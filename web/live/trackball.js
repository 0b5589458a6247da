// The turn of a body that is taken by the pointer: a ball about the body's centre, as it is seen, follows the pointer (Bell's
// trackball). Near the centre the body rolls under the pointer; far from it, it turns about the line of sight.

import * as THREE from "three";

const smallest = 60;  // pixels, of the ball's radius
const largest = 160;

export class Trackball {
  // `centre` is where the body's centre is in the model's space, `pointer` where the pointer has taken hold.
  constructor(stage, centre, pointer) {
    this.stage = stage;
    this.centre = stage.onScreen(centre);
    const arm = Math.hypot(pointer.clientX - this.centre.x, pointer.clientY - this.centre.y);
    this.radius = Math.min(largest, Math.max(smallest, arm));
    this.turn = new THREE.Quaternion();
    this.last = this.onBall(pointer);
  }

  // The direction from the centre to the point of the ball under the pointer: x to the right, y upwards, z to the eye.
  onBall({ clientX, clientY }) {
    const x = clientX - this.centre.x;
    const y = this.centre.y - clientY;
    const distance = Math.hypot(x, y);
    const onSheet = distance > this.radius / Math.SQRT2;
    const z = onSheet ? this.radius ** 2 / (2 * distance) : Math.sqrt(this.radius ** 2 - distance ** 2);
    return new THREE.Vector3(x, y, z).normalize();
  }

  // On to another place of the pointer.
  follow(pointer) {
    const next = this.onBall(pointer);
    this.turnBy(new THREE.Quaternion().setFromUnitVectors(this.last, next));
    this.last = next;
  }

  // By a turn as it is seen.
  turnBy(seen) {
    const { camera, world } = this.stage;
    const toModel = world.quaternion.clone().invert().multiply(camera.quaternion);
    this.turn.premultiply(toModel.clone().multiply(seen).multiply(toModel.clone().invert()));
  }

  // All of it, as a rotation vector in the model's space.
  vector() {
    const { x, y, z, w } = this.turn;
    const axis = new THREE.Vector3(x, y, z).multiplyScalar(w < 0 ? -1 : 1);
    const sine = axis.length();
    if (sine > 0) axis.multiplyScalar((2 * Math.atan2(sine, Math.abs(w))) / sine);
    return axis.toArray();
  }
}
