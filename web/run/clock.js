// The time that the player shows, which charts follow and set.

export class Clock {
  listeners = [];
  time = 0;

  // `onSeek(time)` does what a click on a chart asks for.
  constructor(onSeek) {
    this.seek = onSeek;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  show(time) {
    this.time = time;
    this.listeners.forEach((listener) => listener());
  }
}
