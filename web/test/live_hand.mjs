// The hand otherwise than by pulling with the mouse: bodies are turned by a torque, taken by keys, posed while time stands still, and
// actuators led in place of their signals.

import { barriers } from "./accessible.mjs";

export function handChecks({ check, serve, open, picture }) {
  const seen = (page) =>
    page.evaluate(() => {
      const { frame } = window.polhode.page;
      return { body: frame.pulledBody, torque: Math.hypot(...frame.pullTorque), force: Math.hypot(...frame.pullForce), bodies: [...frame.bodies] };
    });
  const onScreen = (page, place) => page.evaluate((p) => window.polhode.stage.onScreen(p), place);
  const release = (page) => page.waitForFunction(() => window.polhode.page.frame.pulledBody === -1);
  return { turn: checkTurn, "hand-keys": checkHandKeys, pose: checkPose, wish: checkWish };

  // A rod of a chain is rolled under the pointer.
  async function checkTurn() {
    const page = await open(await serve("ball-chain", "--paused"));
    await page.waitForFunction(() => window.polhode.page.frame && window.polhode.stage.isPlaced);
    const body = 7;
    const take = async (how) => {
      const { x, y } = await onScreen(page, (await seen(page)).bodies.slice(7 * body, 7 * body + 3));
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.keyboard.press("Space");
      for (let i = 1; i <= 10; ++i) await page.mouse.move(x + 4 * i, y - 5 * i);
      await page.waitForFunction((i) => window.polhode.page.frame.pulledBody === i && Math.hypot(...window.polhode.page.frame.pullTorque) > 0, body);
      const hand = await seen(page);
      check(hand.force === 0, `${how}: a body that is turned is pulled with ${hand.force} N`);
      await page.waitForFunction(() => /N m$/.test(document.querySelector(".body-label").textContent));
      check(await page.evaluate(() => window.polhode.stage.hand.turn.visible), `${how}: no arrow tells of the torque`);
    };
    await page.keyboard.down("Shift");
    await take("Shift");
    await page.keyboard.up("Shift");
    await page.waitForFunction(() => [...document.querySelectorAll(".facts *")].some((part) => /N m$/.test(part.textContent)));
    await picture(page, "turn");
    await page.mouse.up();
    await release(page);

    // the button does so without Shift
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.polhode.page.status.playing === false);
    await page.click(".turn-mode");
    check((await page.getAttribute(".turn-mode", "aria-pressed")) === "true", "the button that turns bodies is not pressed");
    await take("button");
    await page.mouse.up();
    await release(page);
    for (const barrier of await barriers(page)) check(false, `turning bodies keeps people out: ${barrier}`);
    await page.close();
  }

  // While it is paused the mouse and the slider of a joint pose a mechanism with loops; Ctrl+Z undoes one after the other.
  async function checkPose() {
    const page = await open(await serve("bricard", "--paused"));
    await page.waitForFunction(() => window.polhode.page.frame && window.polhode.stage.isPlaced);
    const state = () => page.evaluate(() => ({ time: window.polhode.page.frame.time, gap: window.polhode.page.frame.gap, bodies: [...window.polhode.page.frame.bodies] }));
    const start = await state();
    const differs = (from) =>
      page.waitForFunction((bodies) => bodies.some((value, i) => Math.abs(value - window.polhode.page.frame.bodies[i]) > 1e-3), from.bodies);
    const isAt = (there) =>
      page.waitForFunction((bodies) => bodies.every((value, i) => Math.abs(value - window.polhode.page.frame.bodies[i]) < 1e-9), there.bodies);
    const { x, y } = await onScreen(page, start.bodies.slice(14, 17));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 20, { steps: 6 });
    await differs(start);
    await picture(page, "pose");
    await page.mouse.up();
    await release(page);
    await page.waitForFunction(() => window.polhode.page.status.undoable);
    const posed = await state();
    check(posed.time === 0, `a pose took until ${posed.time} s`);
    check(posed.gap < 1e-9, `a pose opens a joint by ${posed.gap} m`);
    check((await page.textContent(".changed")).includes("where the bodies stand"), "the page does not tell of the pose");

    // a slider
    const joint = await page.evaluate(() => window.polhode.page.scene.joints.find(({ type }) => type === "revolute").name);
    await page.selectOption(".selected", { label: joint });
    await page.waitForSelector(".lead");
    await page.$eval(".lead", (slider) => {
      slider.value = Number(slider.value) + 0.2;
      slider.dispatchEvent(new Event("input"));
      slider.dispatchEvent(new Event("change"));
    });
    await differs(posed);
    await page.waitForFunction(() => window.polhode.page.status.poses === 2 && !window.polhode.page.status.lead);
    for (const barrier of await barriers(page)) check(false, `posing keeps people out: ${barrier}`);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Control+z");
    await isAt(posed);
    await page.keyboard.press("Control+z");
    await isAt(start);
    await page.waitForFunction(() => !window.polhode.page.status.undoable);

    // a click that does not move poses nothing
    await page.mouse.click(x, y);
    await page.waitForFunction(() => document.querySelector(".selected").value.startsWith("body"));
    check(!(await page.evaluate(() => window.polhode.page.status.undoable)), "a click is a pose");

    // and it goes on from where it was posed
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 20, { steps: 6 });
    await differs(start);
    await page.mouse.up();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.polhode.page.frame.time > 0.1);
    check((await page.evaluate(() => window.polhode.page.status.failure)) === "", "it does not go on from a pose");
    await page.close();
  }

  // Sliders lead the point of an actuator in place of its signal, and give it back.
  async function checkWish() {
    const page = await open(await serve("steered-chain"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.3);
    await page.selectOption(".selected", { label: "hand" });
    await page.waitForFunction(() => document.querySelectorAll(".lead").length === 3);
    await page.waitForFunction(() => /m$/.test(document.querySelector(".joint-sliders output").textContent));
    // what it follows: the last three numbers of a frame
    const follows = (i) => page.evaluate((k) => window.polhode.page.frame.bodies.at(k - 3), i);
    const [first] = await page.$$(".lead");
    await first.focus();
    await page.keyboard.press("End");
    const most = Number(await first.inputValue());
    await page.waitForFunction((x) => Math.abs(window.polhode.page.frame.bodies.at(-3) - x) < 1e-3, most);
    const kept = await follows(1);
    await page.waitForTimeout(300);
    check(Math.abs((await follows(1)) - kept) < 1e-3, "what nobody has moved goes on with the signal");
    await page.waitForSelector(".give-back:not([hidden])");
    await picture(page, "wish");
    for (const barrier of await barriers(page)) check(false, `the sliders of an actuator keep people out: ${barrier}`);
    await page.click(".give-back");
    await page.waitForFunction(() => window.polhode.page.status.wishes.length === 0);
    await page.waitForFunction(() => Math.abs(window.polhode.page.frame.bodies.at(-3) - 0.25 * Math.sin(2 * window.polhode.page.frame.time)) < 1e-2);
    check(!(await page.isVisible(".give-back")), "nothing is led, and a button to give it back");
    await page.close();
  }

  // By keys alone: a body is selected, taken, pulled to the right, let go, and turned.
  async function checkHandKeys() {
    const page = await open(await serve("ball-chain"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.1 && window.polhode.stage.isPlaced);
    const said = (words) => page.waitForFunction((text) => window.polhode.said.at(-1)?.includes(text), words);
    await page.keyboard.press("g");
    await said("Select a body first");
    await page.selectOption(".selected", { label: "rod8" });
    await page.evaluate(() => document.activeElement.blur());
    const camera = () => page.evaluate(() => window.polhode.stage.camera.position.toArray());
    await page.keyboard.press("g");
    await said("arrows pull it");
    const before = await camera();
    const start = await page.evaluate(() => [...window.polhode.page.frame.pullTarget]);
    for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => Math.hypot(...window.polhode.page.frame.pullForce) > 0);
    await page.waitForFunction((from) => Math.hypot(...window.polhode.page.frame.pullTarget.map((v, i) => v - from[i])) > 0.1 * window.polhode.stage.size, start);
    // one arrow would turn it by a tenth of a radian; the controls of the camera round its place anew in every picture
    const moved = (await camera()).map((value, i) => value - before[i]);
    check(Math.hypot(...moved) < 1e-6 * Math.hypot(...before), "arrows that pull a body turn the view as well");
    await page.keyboard.press("Escape");
    await release(page);
    await page.keyboard.press("t");
    await page.keyboard.press("g");
    await said("turn it");
    for (let i = 0; i < 5; ++i) await page.keyboard.press("ArrowUp");
    await page.waitForFunction(() => Math.hypot(...window.polhode.page.frame.pullTorque) > 0);
    await picture(page, "hand-keys");
    await page.keyboard.press("g");
    await release(page);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((at) => JSON.stringify(window.polhode.stage.camera.position.toArray()) !== JSON.stringify(at), before);
    await page.close();
  }
}
