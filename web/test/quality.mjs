// How finely the view is drawn (web/live/quality.js), for machines that are fast, slow, or fast only without shadows:
//
//     node web/test/quality.mjs

import assert from "node:assert/strict";
import { levels, Quality } from "../live/quality.js";

// Draws for some seconds on a machine whose pictures take a time that hangs on the level; the levels that were changed to.
function draw(quality, seconds, timeOf) {
  const changes = [];
  for (let time = 0; time < seconds; ) {
    const picture = timeOf(quality.level);
    time += picture;
    if (quality.add(picture)) changes.push(quality.level);
  }
  return changes;
}

const coarsest = levels.length - 1;
const fast = () => 1 / 60;
const slow = () => 1 / 12;

// a fast machine draws as finely as it can, a slow one ends at the coarsest level and stays there
const quality = new Quality();
assert.deepEqual(draw(quality, 60, fast), []);
assert.deepEqual(draw(quality, 60, slow), Array.from({ length: coarsest }, (_, i) => i + 1));

// when it has time again it comes back, level by level
assert.deepEqual(draw(quality, 60, fast), Array.from({ length: coarsest }, (_, i) => coarsest - 1 - i));

// neither fast nor slow: nothing changes
const middling = new Quality();
draw(middling, 3, slow);
const { level } = middling;
assert.ok(level > 0);
assert.deepEqual(draw(middling, 300, () => 1 / 40), []);

// a machine that is fast without shadows and slow with them tries seldom: in an hour by far less than once a minute
const torn = new Quality();
const changes = draw(torn, 3600, (at) => (levels[at].shadows > 0 ? 1 / 15 : 1 / 60));
assert.ok(changes.length < 30, `${changes.length} changes in an hour`);
assert.equal(levels[torn.level].shadows, 0);

// a page that was not looked at for a while is not taken for a slow one
const hidden = new Quality();
for (let i = 0; i < 100; ++i) assert.equal(hidden.add(30), false);
assert.equal(hidden.level, 0);

// who holds a level has it
const held = new Quality();
held.hold(1);
assert.deepEqual(draw(held, 60, slow), []);
assert.equal(held.level, 1);
