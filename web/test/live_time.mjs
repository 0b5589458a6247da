// The past of a live run: one goes back through it, sees what was, and the run goes on from there.

import { barriers } from "./accessible.mjs";

export function timeChecks({ check, serve, open, picture }) {
  return { past: checkPast, "no-past": checkNoPast };

  async function checkPast() {
    const page = await open(await serve("ball-chain"));
    const frame = () => page.evaluate(() => ({ time: window.polhode.page.frame.time, bodies: [...window.polhode.page.frame.bodies] }));
    const past = () => page.evaluate(() => window.polhode.page.status.past);
    const paused = () => page.waitForFunction(() => !window.polhode.page.status.playing);
    const at = (holds) => page.waitForFunction(holds);
    await at(() => window.polhode.page.frame?.time > 0.8);
    await page.keyboard.press("Space");
    await paused();
    await page.waitForTimeout(200);
    const end = (await past()).to;

    // the slider leads back; what is drawn, the clock and the charts are of that instant, and nothing is lost
    const seek = (time) =>
      page.$eval(".scrub", (slider, t) => {
        slider.value = t;
        slider.dispatchEvent(new Event("input"));
        slider.dispatchEvent(new Event("change"));
      }, time);
    await seek(0.4);
    await at(() => window.polhode.page.status.past.isLookedAt && Math.abs(window.polhode.page.frame.time - 0.4) < 0.03);
    const there = await frame();
    const shown = await page.$eval(".scrub", ({ value, max }) => [Number(value), Number(max)]);
    check(Math.abs(shown[0] - there.time) < 1e-9 && Math.abs(shown[1] - end) < 1e-9, `the slider is at ${shown} of ${end}`);
    check((await page.textContent(".time")).startsWith(there.time.toFixed(2)), `the clock says ${await page.textContent(".time")}`);
    await page.waitForTimeout(200);
    await picture(page, "past");
    for (const barrier of await barriers(page)) check(false, `the past keeps people out: ${barrier}`);

    // one step back and on again by keys
    const before = there.time;
    await page.keyboard.press(",");
    await page.waitForFunction((t) => window.polhode.page.frame.time < t, before);
    await page.keyboard.press(".");
    await page.waitForFunction((t) => window.polhode.page.frame.time === t, before);
    check(JSON.stringify((await frame()).bodies) === JSON.stringify(there.bodies), "a step back and on leads elsewhere");
    check((await page.evaluate(() => window.polhode.said.length)) === 0, "something is discarded while one only looks");

    // back to where the run has come to, by the slider
    await seek(end);
    await at(() => !window.polhode.page.status.past.isLookedAt);
    check((await frame()).time === end, `the end is at ${(await frame()).time}, not ${end}`);

    // it goes on from the instant that was chosen, and says what that costs
    await seek(0.3);
    await at(() => window.polhode.page.status.past.isLookedAt && window.polhode.page.frame.time < 0.4);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.polhode.page.status.playing && !window.polhode.page.status.past.isLookedAt);
    const said = await page.evaluate(() => window.polhode.said.at(-1));
    check(said?.includes("what came after"), `going on from the past says only: ${said}`);
    await page.close();
  }

  // An integrator whose run cannot be kept says so where one would go back.
  async function checkNoPast() {
    const page = await open(await serve("heavy-top", "--integrator", "bdf"));
    await page.waitForFunction(() => window.polhode.page.status.past?.why);
    check(await page.isDisabled(".scrub"), "bdf can be scrubbed");
    check((await page.getAttribute(".scrub", "title")).includes("bdf"), "nobody says why bdf cannot be scrubbed");
    await page.close();
  }
}
