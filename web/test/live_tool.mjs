// The live page as a tool: numbers that are those of the instant, input that is refused in words, nothing that is lost, no
// memory that grows. Each of these was once broken.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { barriers } from "./accessible.mjs";
import { chartChecks } from "./live_charts.mjs";
import { editingChecks } from "./live_editing.mjs";
import { handChecks } from "./live_hand.mjs";
import { timeChecks } from "./live_time.mjs";
import { viewChecks } from "./live_view.mjs";

const close = (a, b) => Math.abs(a - b) <= 2e-3 * Math.max(Math.abs(a), Math.abs(b), 1e-9);

export function toolChecks({ program, folder, check, serve, open, picture }) {
  return {
    legends: checkLegends,
    untold: checkUntold,
    step: checkStepField,
    "no-graphics": checkNoGraphics,
    memory: checkMemory,
    own: checkOwnModel,
    recordings: checkRecordings,
    watching: checkWatching,
    keys: checkKeys,
    selection: checkSelection,
    "selection-click": checkClicks,
    "selection-run": checkSelectionInRun,
    ...timeChecks({ check, serve, open, picture }),
    ...editingChecks({ check, serve, open, picture }),
    ...handChecks({ check, serve, open, picture }),
    ...chartChecks({ program, folder, check, serve, open, picture }),
    ...viewChecks({ check, serve, open, picture }),
  };

  function made(...parameters) {
    const done = spawnSync(program, parameters, { encoding: "utf8" });
    check(done.status === 0, `polhode ${parameters.join(" ")} fails: ${done.stderr}`);
  }

  function lastNotice(page) {
    return page.evaluate(() => window.polhode.said.at(-1));
  }

  // Numbers of a chart's legend, by the name of the line.
  function legendOf(page, title) {
    return page.evaluate((wanted) => {
      const figure = [...document.querySelectorAll(".charts figure")].find((f) => f.querySelector("h2").textContent === wanted);
      const lines = [...figure.querySelectorAll(".line:not([hidden])")];
      const number = (text) => Number(text.replace("\u2212", "-").replace(/\s*×\s*10/, "e").replace(/[⁻⁰¹²³⁴-⁹]/gu, raised));
      const raised = (c) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)];
      return Object.fromEntries(lines.map((line) => [line.childNodes[1].textContent, number(line.querySelector("b").textContent)]));
    }, title);
  }

  // A finished run: the legends tell the instant that is in the view, and the one under the pointer.
  async function checkLegends() {
    const file = join(folder, "legends.h5");
    made("run", "heavy-top-nutating", "--out", file);
    const page = await open(await serve(file));
    await page.waitForFunction(() => window.polhode.player.rows === 401);
    const momentum = (time) =>
      page.evaluate((t) => [...window.polhode.player.between(t).angularMomentum], time);
    for (const time of [0.37, 1.5]) {
      await page.evaluate((t) => {
        window.polhode.player.playing = false;
        window.polhode.player.seek(t);
      }, time);
      await page.waitForTimeout(150);
      const told = await legendOf(page, "Angular momentum");
      const [, y] = await momentum(time);
      check(close(told.y, y), `at t = ${time} the legend tells ${told.y} for ${y}`);
    }
    const chart = page.locator("figure", { hasText: "Angular momentum" }).locator(".u-over");
    await chart.scrollIntoViewIfNeeded();
    const place = await chart.boundingBox();
    await page.mouse.move(place.x + 0.3 * place.width, place.y + 20);
    await page.waitForTimeout(100);
    const pointed = await page.evaluate(() => Number(document.querySelector("figure .at").textContent.match(/[\d.]+/)));
    check(Math.abs(pointed - 0.6) < 0.1, `a pointer at 0.3 of 2 s is said to be at ${pointed} s`);
    const told = await legendOf(page, "Angular momentum");
    check(close(told.y, (await momentum(pointed))[1]), `under the pointer the legend tells ${told.y}`);
    await picture(page, "legends");
    await page.mouse.click(place.x + 0.3 * place.width, place.y + 20);
    const seen = await page.evaluate(() => window.polhode.player.time);
    check(Math.abs(seen - 0.6) < 0.1, `a click on a chart at 0.6 s leads to ${seen} s`);
    await page.close();
  }

  // A part that is selected, by a click or by name, tells its values; a click puts one on a chart, which stays.
  async function checkSelection() {
    const page = await open(await serve("quarter-car"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.2);
    const { x, y } = await page.evaluate(() => {
      const { stage, page: { frame } } = window.polhode;
      return stage.onScreen([...frame.bodies.slice(7, 10)]);
    });
    await page.mouse.click(x, y);
    await page.waitForSelector(".quantity b:not(:empty)");
    check((await page.inputValue(".selected")) === "body 1", "a click on the car does not select it");
    check((await page.inputValue(".row:has-text('mass') .setting")) === "300", "the mass of the car is not told");
    await page.click(".quantity:has-text('kinetic energy') .pin");
    await page.selectOption(".selected", { label: "spring" });
    await page.waitForSelector(".quantity:has-text('tension') b:not(:empty)");
    const told = (name) => page.textContent(`.quantity:has-text('${name}') b`);
    check((await told("tension")).trim().endsWith("N"), `the tension is ${await told("tension")}`);
    check((await told("length")).trim().endsWith("m"), `the length is ${await told("length")}`);
    const legend = () => legendOf(page, "car: kinetic energy");
    await page.waitForTimeout(400);
    check(Number.isFinite((await legend()).value), "the chart of the car's energy ends where something else is selected");
    await picture(page, "selection");
    const faults = await barriers(page);
    check(faults.length === 0, `barriers with a selection: ${faults.join(", ")}`);
    await page.selectOption(".selected", "body 1");
    await page.waitForSelector(".quantity:has-text('kinetic energy') .pin[aria-pressed=true]");
    await page.click(".quantity:has-text('kinetic energy') .pin");
    check((await page.locator("figure", { hasText: "car: kinetic energy" }).count()) === 0, "the chart cannot be taken off");
    await page.close();
  }

  // A click selects what is seen there, a joint or a force as well as a body; a drag that begins on a joint selects nothing.
  async function checkClicks() {
    const page = await open(await serve("quarter-car", "--paused"));
    await page.waitForFunction(() => window.polhode.page.frame && window.polhode.page.seat.steering);
    // where the pointer sees a part of that kind: points of a grid over the view
    const seen = (kind) =>
      page.evaluate((wanted) => {
        const { stage } = window.polhode;
        const { left, top, width, height } = stage.renderer.domElement.getBoundingClientRect();
        const canvas = stage.renderer.domElement;
        for (let y = top + 60; y < top + height - 60; y += 3)
          for (let x = left + 3; x < left + Math.min(width, stage.free.width); x += 3) {
            canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, pointerId: 7 }));
            const name = document.querySelector(".body-label").hidden ? null : document.querySelector(".body-label").textContent;
            const all = { joint: window.polhode.page.scene.joints.map((joint) => joint.name), force: window.polhode.page.scene.forceNames };
            const index = all[wanted].indexOf(name);
            if (index >= 0) return { x, y, part: `${wanted} ${index}`, name };
          }
        return null;
      }, kind);
    // they are inside the car and the wheel
    for (const kind of ["joint", "force"]) check((await seen(kind)) === null, `a ${kind} inside a body can be pointed at`);
    await page.check("label:has-text('See through') input");
    for (const kind of ["joint", "force"]) {
      const at = await seen(kind);
      check(at !== null, `no ${kind} can be pointed at`);
      if (!at) continue;
      await page.selectOption(".selected", "body 0");
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 40, at.y + 5, { steps: 4 });
      await page.mouse.move(at.x, at.y, { steps: 4 });
      await page.mouse.up();
      check((await page.inputValue(".selected")) === "body 0", `a drag that begins on ${at.name} selects ${await page.inputValue(".selected")}`);
    }
    for (const kind of ["joint", "force"]) {
      const at = await seen(kind);
      if (!at) continue;
      await page.mouse.click(at.x, at.y);
      check((await page.inputValue(".selected")) === at.part, `a click on ${at.name} selects ${await page.inputValue(".selected")}`);
      await page.waitForSelector(".quantity:has-text('force') b:not(:empty)");
    }
    await picture(page, "selection-click");
    // what is not drawn is not hit
    await page.locator(".what-is-seen .check", { hasText: "Joints" }).click();
    await page.locator(".what-is-seen .check", { hasText: "Forces" }).click();
    for (const kind of ["joint", "force"]) check((await seen(kind)) === null, `a ${kind} that is not drawn can be pointed at`);
    await page.close();
  }

  // A finished run can be asked as well, also by somebody who only watches: the values are the recording's, at the instant that is seen.
  async function checkSelectionInRun() {
    const file = join(folder, "asked.h5");
    made("run", "quarter-car", "--end", "2", "--out", file);
    const address = await serve(file);
    const one = await open(address);
    await one.waitForFunction(() => window.polhode.player.rows > 100);
    const page = await open(address);
    await page.waitForFunction(() => window.polhode.player.rows > 100 && !window.polhode.page.seat.steering);
    const seek = (time) =>
      page.evaluate((t) => {
        window.polhode.player.playing = false;
        window.polhode.player.seek(t);
      }, time);
    await seek(1);
    const { x, y } = await page.evaluate(() => {
      const { stage, page: { frame } } = window.polhode;
      return stage.onScreen([...frame.bodies.slice(7, 10)]);
    });
    await page.mouse.click(x, y);
    await page.waitForSelector(".quantity b:not(:empty)");
    check((await page.inputValue(".selected")) === "body 1", `in a finished run a click on the car selects ${await page.inputValue(".selected")}`);
    check((await page.textContent(".properties")).includes("300 kg"), "the mass of the car is not told");
    const numbers = (name) =>
      page.evaluate((wanted) => {
        const row = [...document.querySelectorAll(".quantity")].find((each) => each.querySelector("span").textContent === wanted);
        const text = row.querySelector("b").textContent.replaceAll("\u2212", "-").replace(/\s*×\s*10/g, "e");
        return text.replace(/[⁻⁰¹²³⁴-⁹]/gu, (c) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)]).match(/-?[\d.]+(e-?\d+)?/g).map(Number);
      }, name);
    for (const time of [0.5, 1.21, 1.5]) {
      await seek(time);
      // from where the car is a little before and after
      const places = await page.evaluate((t) => [t, t - 0.01, t + 0.01].map((at) => window.polhode.player.between(at).bodies[9]), time);
      const [, , height] = await numbers("position");
      check(close(height, places[0]), `at ${time} s the car is told at ${height} m, and seen at ${places[0]} m`);
      const [, , speed] = await numbers("velocity");
      const wanted = (places[2] - places[1]) / 0.02;
      check(Math.abs(speed - wanted) < 0.02 * Math.abs(wanted) + 1e-3, `at ${time} s its velocity is told as ${speed}, and is about ${wanted}`);
      const [energy] = await numbers("kinetic energy");
      check(Math.abs(energy - 150 * speed ** 2) < 0.02 * energy + 1e-3, `at ${time} s its energy is told as ${energy} J at ${speed} m/s`);
    }
    // onto a chart, over all of the run
    await page.click(".quantity:has-text('kinetic energy') .pin");
    await page.waitForFunction(() => /\d/.test(document.querySelector(".charts .legend b").textContent));
    const [told] = await numbers("kinetic energy");
    const { value } = await legendOf(page, "car: kinetic energy");
    check(Math.abs(value - told) < 0.05 * told + 1e-6, `at 1.5 s the chart tells ${value} J for ${told} J`);
    await page.selectOption(".selected", { label: "spring" });
    await page.waitForSelector(".quantity:has-text('tension') b:not(:empty)");
    await picture(page, "selection-run");
    for (const barrier of await barriers(page)) check(false, `a finished run that is asked keeps people out: ${barrier}`);
    check((await page.locator("figure", { hasText: "car: kinetic energy" }).count()) === 1, "the chart goes where something else is selected");
    await one.close();
    await page.close();
  }

  // What a recording does not tell is not shown as zero.
  async function checkUntold() {
    const file = join(folder, "modes.h5");
    made("modes", "quarter-car", "--out", file);
    const page = await open(await serve(file));
    await page.waitForFunction(() => window.polhode.player.rows > 1);
    await page.waitForTimeout(200);
    const titles = await page.$$eval(".charts figure", (all) =>
      all.filter((f) => f.offsetParent !== null).map((f) => f.querySelector("h2").textContent),
    );
    check(titles.length === 0, `a motion without energies and momenta has charts of ${titles.join(", ")}`);
    await page.close();
  }

  async function checkStepField() {
    const page = await open(await serve("ball-chain", "--paused"));
    const status = () => page.evaluate(() => window.polhode.page.status);
    const enter = async (text) => {
      await page.fill(".step", text);
      await page.press(".step", "Enter");
      await page.waitForTimeout(200);
    };
    await page.selectOption(".integrator", "director-em");
    await page.waitForFunction(() => window.polhode.page.status.integrator === "director-em");
    await enter("0.002");
    check((await status()).step === 0.002, "a step of 0.002 is not taken");
    for (const wrong of ["0", "abc", "-1", "7"]) {
      await enter(wrong);
      check((await status()).step === 0.002, `a step of '${wrong}' changes the step to ${(await status()).step}`);
      check((await page.inputValue(".step")) === "0.002", `'${wrong}' stays in the field of the step`);
      const notice = await lastNotice(page);
      check(notice?.includes(`'${wrong}'`), `nobody says why '${wrong}' is no step: ${notice}`);
    }
    for (const name of ["dop853", "director-em"]) {
      await page.selectOption(".integrator", name);
      await page.waitForFunction((n) => window.polhode.page.status.integrator === n, name);
    }
    check((await status()).step === 0.002, `after a detour over dop853 the step is ${(await status()).step}`);
    await page.close();
  }

  async function checkNoGraphics() {
    const page = await open(await serve("heavy-top"), (blank) =>
      blank.addInitScript(() => {
        const { getContext } = HTMLCanvasElement.prototype;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
        };
      }),
    );
    await page.waitForSelector(".no-graphics");
    await page.waitForFunction(() => window.polhode.page.frame.time > 0.5 && document.querySelector(".charts canvas"));
    await page.click(".play");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    // keys of the view that is not there do nothing, without an error (which `open` reports)
    for (const key of ["p", "v", "f", "1", "g"]) await page.keyboard.press(key);
    check((await page.isDisabled(".picture")) && (await page.isDisabled(".video")), "pictures of a view that is not there are offered");
    await picture(page, "no-graphics");
    for (const barrier of await barriers(page)) check(false, `without WebGL the page keeps people out: ${barrier}`);
    await page.close();
  }

  // What the graphics card keeps stays the same, however often one looks and whatever one has looked at before.
  async function checkMemory() {
    // a small window is drawn quickly
    const page = await open(await serve("ball-chain"), (blank) => blank.setViewportSize({ width: 240, height: 160 }));
    const kept = () =>
      page.evaluate(() => {
        const { geometries, textures } = window.polhode.stage.renderer.info.memory;
        return `${geometries} geometries, ${textures} textures`;
      });
    const drawn = async () => {
      const frame = () => window.polhode.stage.renderer.info.render.frame;
      const now = await page.evaluate(frame);
      await page.waitForFunction((n) => window.polhode.stage.renderer.info.render.frame > n + 1, now);
    };
    const names = ["cardan-shaft", "heavy-top", "quarter-car", "engine-mounts"];
    const visit = async (name) => {
      await page.selectOption(".models", `example ${name}`);
      await page.waitForFunction((n) => window.polhode.page.scene.source === n && window.polhode.page.frame?.time > 0.05, name);
      await drawn();
    };
    await drawn();
    const before = await kept();
    for (let i = 0; i < 5; ++i) {
      await page.keyboard.press("f");
      await drawn();
    }
    check((await kept()) === before, `looking at everything again: ${before} become ${await kept()}`);
    const seen = {};
    for (let round = 0; round < 2; ++round)
      for (const name of names) {
        await visit(name);
        seen[name] ??= await kept();
        if (round > 0) check((await kept()) === seen[name], `${name} again: ${seen[name]} become ${await kept()}`);
      }
    await page.close();
  }

  // A model of one's own is in the list beside the examples, and comes back from there as it was.
  async function checkOwnModel() {
    const file = join(folder, "mine.toml");
    const text = '[model]\nname = "My own"\n[[body]]\nname = "a"\nmass = 1\ninertia = [1, 2, 3]\n';
    const sensor = '[[sensor]]\nname = "tip"\ntype = "velocity"\nbody = "a"\npoint = [1, 0, 0]\n';
    writeFileSync(file, `${text}angular_velocity = { body = [1, 2, 3] }\n${sensor}`);
    const page = await open(await serve(file));
    const named = (name) => page.waitForFunction((n) => window.polhode.page.scene.name === n, name);
    await named("My own");
    const present = () => page.$eval(".models", (select) => select.selectedOptions[0].textContent);
    await page.waitForFunction(() => document.querySelector(".models").value === "own 0");
    // what its sensor measures, and the drifts, have units
    const told = (title, part) => page.textContent(`.charts figure:has(h2:text-is('${title}')) ${part}`);
    check((await told("tip", ".unit")) === "m/s", `a sensor of a velocity is charted in '${await told("tip", ".unit")}'`);
    const drift = await told("Drift", ".legend");
    check(/energy, relative.*joints.*m, rad.*velocity.*m\/s, rad\/s/.test(drift), `the drifts are told as '${drift}'`);
    await page.selectOption(".models", "example heavy-top");
    await page.waitForFunction(() => window.polhode.page.scene.source === "heavy-top");
    await page.evaluate(() => document.activeElement.blur());
    await page.selectOption(".models", { label: "My own" });
    await named("My own");
    check((await present()) === "My own", `the list says ${await present()}`);
    await page.close();
  }

  // Recordings are kept side by side, as files that carry their model; one that ends by itself says so.
  async function checkRecordings() {
    const page = await open(await serve("heavy-top"));
    const waitFor = (count) => page.waitForFunction((n) => window.polhode.page.status.recordings?.length === n, count);
    const passes = async () => {
      const now = await page.evaluate(() => window.polhode.page.frame.time);
      await page.waitForFunction((t) => window.polhode.page.frame.time > t + 0.2, now);
    };
    await page.click(".record");
    await page.waitForFunction(() => window.polhode.page.status.recording);
    await passes();
    await page.click("[aria-label^='Back']");
    await waitFor(1);
    const notice = await lastNotice(page);
    check(notice?.includes("heavy-top-1"), `a reset ends a recording and says only: ${notice}`);
    await page.click(".record");
    await page.waitForFunction(() => window.polhode.page.status.recording);
    await passes();
    await page.click(".record");
    await waitFor(2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click(".recordings li:nth-child(1) a:has-text('.h5')"),
    ]);
    check(download.suggestedFilename() === "heavy-top-1.h5", `the file is called ${download.suggestedFilename()}`);
    check(readFileSync(await download.path()).subarray(1, 4).toString() === "HDF", "the HDF5 file is none");
    // a name of one's own is that of its files
    await page.fill(".recordings li:nth-child(2) .recording-name", "second try");
    await page.press(".recordings li:nth-child(2) .recording-name", "Enter");
    await page.waitForFunction(() => document.querySelectorAll(".recording-name")[1]?.value === "second-try");
    const named = await page.getAttribute(".recordings li:nth-child(2) a:has-text('.csv')", "download");
    check(named === "second-try.csv", `the file of a recording with a name is ${named}`);
    const faults = await barriers(page);
    check(faults.length === 0, `barriers at the recordings: ${faults.join(", ")}`);
    await picture(page, "recordings");
    await page.click(".recordings li:nth-child(2) .replay");
    await page.waitForFunction(() => window.polhode.page.scene.mode === "run" && window.polhode.player.rows > 10);
    check((await page.evaluate(() => window.polhode.page.scene.joints.length)) === 1, "a recording has lost its joint");
    await page.close();
  }

  // Who watches can press nothing, sees what is so, and is sent nothing while nothing changes.
  async function checkWatching() {
    const address = await serve("heavy-top");
    const one = await open(address);
    await one.click(".play");
    await one.waitForFunction(() => !window.polhode.page.status.playing);
    const two = await open(address);
    await two.waitForSelector(".take-over");
    check(await two.isDisabled(".play"), "who watches can press play");
    check(await two.isDisabled(".speed"), "who watches can choose the speed");
    check((await two.inputValue(".integrator")) === (await one.inputValue(".integrator")), "who watches sees another integrator");
    check(await two.$eval(".integrator", (node) => node.closest("[inert]") !== null), "who watches can choose the integrator");
    await two.waitForTimeout(1500);  // until the measured times have come to rest
    const sequence = () => two.evaluate(() => window.polhode.page.frame.sequence);
    const before = await sequence();
    await two.waitForTimeout(700);
    check((await sequence()) === before, "frames are sent while nothing changes");
    await one.close();
    await two.close();
  }

  // Everything has a name and can be reached by keys; `?` tells them.
  async function checkKeys() {
    const page = await open(await serve("quarter-car", "--paused"));
    for (const barrier of await barriers(page)) check(false, `the live page keeps people out: ${barrier}`);
    const camera = () => page.evaluate(() => window.polhode.stage.camera.position.toArray());
    await page.focus(".view canvas");
    const before = await camera();
    await page.keyboard.press("ArrowLeft");
    check(JSON.stringify(await camera()) !== JSON.stringify(before), "the arrow keys do not turn the view");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog.help[open]");
    await picture(page, "help");
    await page.keyboard.press("Escape");
    check((await page.locator("dialog.help[open]").count()) === 0, "the help cannot be closed by a key");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.polhode.page.status.playing);
    await page.close();
  }
}
