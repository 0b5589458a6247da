// How finely the view is drawn: more coarsely where pictures take long, finely again where there is time for it. Whoever was
// too slow for a level tries it again later and later, so that the picture does not change to and fro.

export const levels = [
  { pixelRatio: 2, shadows: 2048 },
  { pixelRatio: 1, shadows: 1024 },
  { pixelRatio: 1, shadows: 0 },
  { pixelRatio: 0.7, shadows: 0 },
];

// All in seconds.
const tooSlow = 1 / 30;  // a picture
const fastEnough = 1 / 50;
const interruption = 1;  // a page that was not looked at
const period = 1;  // over which pictures are averaged
const pause = 0.5;  // after a change, which itself takes time
const firstPatience = 4;  // fast for so long, before it is drawn more finely
const longestPatience = 600;

export class Quality {
  constructor() {
    this.level = 0;
    this.isHeld = false;
    this.patience = firstPatience;
    this.sinceRaised = Infinity;
    this.begin();
  }

  begin() {
    this.wait = pause;
    this.fastFor = this.time = this.pictures = 0;
  }

  // Always that level, whatever it takes.
  hold(level) {
    this.level = level;
    this.isHeld = true;
  }

  // One picture more, that long after the one before; whether the level is another one now.
  add(seconds) {
    if (this.isHeld) return false;
    if (seconds > interruption) {
      this.begin();
      return false;
    }
    this.sinceRaised += seconds;
    this.wait -= seconds;
    if (this.wait > 0) return false;
    this.time += seconds;
    ++this.pictures;
    if (this.time < period) return false;
    const mean = this.time / this.pictures;
    this.fastFor = mean < fastEnough ? this.fastFor + this.time : 0;
    this.time = this.pictures = 0;
    if (mean > tooSlow) return this.coarser();
    return this.fastFor >= this.patience && this.finer();
  }

  coarser() {
    if (this.level === levels.length - 1) return false;
    // a try that failed is not soon repeated
    if (this.sinceRaised < this.patience) this.patience = Math.min(longestPatience, 2 * this.patience);
    ++this.level;
    this.begin();
    return true;
  }

  finer() {
    if (this.level === 0) return false;
    --this.level;
    this.sinceRaised = 0;
    this.begin();
    return true;
  }
}
