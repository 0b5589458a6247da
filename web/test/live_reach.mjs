// The live page for everybody: on windows of any size, light and dark, with controls that can be seen and without motion where people
// want none; and at a low price: how often its script calls the graphics card for a picture. Times are told, not judged.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { barriers } from "./accessible.mjs";
import { stubGraphics } from "./stub_graphics.mjs";

const sizes = { wide: [1440, 900], middle: [1024, 700], between: [910, 600], small: [800, 600], tablet: [834, 1112], phone: [390, 780] };

export function reachChecks({ program, folder, check, serve, open, picture }) {
  return { sizes: checkSizes, contrast: checkContrast, "reduced-motion": checkReducedMotion, heard: checkHeard, script: checkScript };

  // Nothing is wider than the window, every button can be pressed, the view and the slider over the time are of use.
  async function checkSizes() {
    const address = await serve("quarter-car");
    for (const [name, [width, height]] of Object.entries(sizes))
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(address, async (blank) => {
          await blank.setViewportSize({ width, height });
          await blank.emulateMedia({ colorScheme });
        });
        await page.waitForFunction(() => window.polhode.page.frame.time > 0.2);
        await picture(page, `size-${name}-${colorScheme}`);
        const seen = await page.evaluate(() => {
          const area = (part) => document.querySelector(part).getBoundingClientRect();
          const isShown = (part) => part.checkVisibility({ visibilityProperty: true });
          const outside = [...document.querySelectorAll("header button, header select, .dock button, .dock select")]
            .filter(isShown)
            .filter((part) => {
              const { left, right, top, bottom } = part.getBoundingClientRect();
              return left < -0.5 || right > innerWidth + 0.5 || top < -0.5 || bottom > innerHeight + 0.5;
            })
            .map((part) => part.title);
          const beside = document.body.classList.contains("without-panel") ? null : area("aside");
          const isBeside = beside && beside.left > 0.25 * innerWidth && beside.height > 0.5 * innerHeight;
          return {
            outside,
            overflow: document.documentElement.scrollWidth - innerWidth,
            view: isBeside ? beside.left : innerWidth,
            slider: area(".scrub").width,
          };
        });
        const where = `at ${width} by ${height}, ${colorScheme},`;
        check(seen.overflow <= 0, `${where} the page is ${seen.overflow} pixels too wide`);
        check(seen.outside.length === 0, `${where} out of the window: ${seen.outside.join(", ")}`);
        check(seen.view >= 0.6 * width, `${where} ${seen.view} pixels are left to the view`);
        check(seen.slider >= 100, `${where} the slider over the time is ${seen.slider} pixels wide`);
        await page.close();
      }
  }

  // The edge of what can be pressed or filled in stands out from what it is on by 3:1, or what is written on it by 3:1 where it has none.
  async function checkContrast() {
    const address = await serve("quarter-car");
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(address, (blank) => blank.emulateMedia({ colorScheme }));
      await page.selectOption(".selected", { label: "car" });
      await page.waitForSelector(".setting");
      const faint = await page.evaluate(() => {
        const parse = (text) => {
          const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
          return /^color/.test(text) ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
        };
        const over = ([r, g, b, a], under) => [r, g, b].map((part, i) => a * part + (1 - a) * under[i]);
        const background = (part) => {
          const layers = [];
          for (let node = part; node; node = node.parentElement) layers.push(parse(getComputedStyle(node).backgroundColor));
          return layers.reduceRight((under, layer) => over(layer, under), [255, 255, 255]);
        };
        const light = (rgb) => {
          const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        const found = [];
        for (const part of document.querySelectorAll("button, select, input:not([type=range], [type=checkbox], [type=file])")) {
          if (!part.checkVisibility({ visibilityProperty: true }) || part.disabled) continue;
          const style = getComputedStyle(part);
          const around = background(part.parentElement);
          const hasEdge = parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none";
          const edge = hasEdge ? ratio(over(parse(style.borderTopColor), around), around) : 1;
          const isField = !part.matches("button");
          const text = isField ? 1 : ratio(over(parse(style.color), background(part)), background(part));
          if (Math.max(edge, text) < 3) found.push(`${part.className || part.title}: ${Math.max(edge, text).toFixed(2)}`);
        }
        return found;
      });
      check(faint.length === 0, `${colorScheme}, hard to see: ${faint.join("; ")}`);
      await page.close();
    }
  }

  // Who wants no motion is shown none that nobody asked for.
  async function checkReducedMotion() {
    const page = await open(await serve("heavy-top"), (blank) => blank.emulateMedia({ reducedMotion: "reduce" }));
    const moving = await page.evaluate(() => ({
      glides: window.polhode.stage.orbit.enableDamping,
      transitions: [...document.querySelectorAll("*")].filter((part) => parseFloat(getComputedStyle(part).transitionDuration) > 0).length,
    }));
    check(!moving.glides && moving.transitions === 0, `without motion ${JSON.stringify(moving)}`);
    await page.close();

    // a finished run waits until somebody plays it
    const file = join(folder, "still.h5");
    const done = spawnSync(program, ["run", "heavy-top", "--end", "0.5", "--out", file], { encoding: "utf8" });
    check(done.status === 0, `polhode run fails: ${done.stderr}`);
    const address = await serve(file);
    for (const reducedMotion of ["reduce", "no-preference"]) {
      const run = await open(address, (blank) => blank.emulateMedia({ reducedMotion }));
      await run.waitForFunction(() => window.polhode.player.rows > 10);
      if (reducedMotion === "reduce") {
        await run.waitForTimeout(300);
        check((await run.evaluate(() => window.polhode.player.time)) === 0, "a finished run plays where motion is not wanted");
        await run.keyboard.press("Space");
      }
      await run.waitForFunction(() => window.polhode.player.time > 0);
      await run.close();
    }
  }

  // What people hear: a clock that does not tell every picture, sliders that tell values in their units, and no barrier, light or dark, on
  // a telephone, with the help open.
  async function checkHeard() {
    const page = await open(await serve("quarter-car"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.2);
    check((await page.getAttribute(".time", "aria-live")) === "off", "the clock is told 60 times a second");
    const live = await page.evaluate(
      () =>
        new Promise((done) => {
          const told = new Set();
          const isTold = (node) => node.closest("[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]");
          const watcher = new MutationObserver((all) => {
            for (const { target } of all) {
              const region = isTold(target.nodeType === Node.TEXT_NODE ? target.parentElement : target);
              if (region) told.add(region.className);
            }
          });
          watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
          setTimeout(() => done([...told]), 700);
        }),
    );
    check(live.length === 0, `while it runs people are told again and again of ${live.join(", ")}`);
    await page.selectOption(".selected", { label: "car guide" });
    await page.waitForSelector(".lead");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    await page.waitForTimeout(300);
    const sliders = await page.$$eval("input[type=range]", (all) =>
      all.filter((each) => each.checkVisibility()).map((each) => [each.getAttribute("aria-label"), each.getAttribute("aria-valuetext"), each.value]),
    );
    check(sliders.length >= 5, `only ${sliders.length} sliders are seen`);
    for (const [name, text] of sliders) check(/^.?[\d.]+( × 10\S+)? (s|m|N|×)$/.test(text ?? ""), `the slider '${name}' tells '${text}'`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const [width, height] of [sizes.wide, sizes.phone]) {
        await page.setViewportSize({ width, height });
        await page.waitForTimeout(200);
        for (const barrier of await barriers(page)) check(false, `${colorScheme}, ${width} wide, the page keeps people out: ${barrier}`);
        await page.keyboard.press("?");
        await page.waitForSelector("dialog.help[open]");
        for (const barrier of await barriers(page)) check(false, `${colorScheme}, ${width} wide, the help keeps people out: ${barrier}`);
        await page.keyboard.press("Escape");
      }
    }
    await page.close();
  }

  // What the script takes for a frame of 101 bodies, with graphics in name only, and when the first picture comes: told, not
  // judged, since it is the machine's as much as the page's. What the script asks of the graphics card for a picture, in calls of any
  // kind and in bytes, is the page's alone.
  async function checkScript() {
    const address = await serve("rope-bridge");
    const firsts = [];
    const scripts = [];
    const prices = [];
    for (let i = 0; i < 3; ++i) {
      const page = await open(address, async (blank) => {
        await blank.setViewportSize({ width: 1280, height: 800 });
        await blank.addInitScript(stubGraphics);
        await blank.addInitScript(() => {
          const look = () => {
            if (window.polhode?.stage.renderer?.info.render.calls > 0) window.firstPicture = performance.now();
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        });
      });
      await page.waitForFunction(() => window.firstPicture);
      firsts.push(await page.evaluate(() => window.firstPicture));
      const device = await page.context().newCDPSession(page);
      await device.send("Performance.enable");
      const measured = async () => {
        const { metrics } = await device.send("Performance.getMetrics");
        return metrics.find(({ name }) => name === "ScriptDuration").value;
      };
      const frames = () => page.evaluate(() => window.polhode.page.frame.sequence);  // that were sent, read and placed
      const before = [await measured(), await frames()];
      await page.waitForTimeout(3000);
      const after = [await measured(), await frames()];
      check(after[1] > before[1], "no frame comes in 3 s");
      const asked = await page.evaluate(async () => {
        const { render } = window.polhode.stage.renderer.info;
        const now = () => [render.frame, window.graphicsCalls, window.graphicsBytes];
        const first = now();
        while (render.frame < first[0] + 10) await new Promise(requestAnimationFrame);
        const last = now();
        return [1, 2].map((i) => (last[i] - first[i]) / (last[0] - first[0]));
      });
      prices.push(asked);
      scripts.push((1e3 * (after[0] - before[0])) / (after[1] - before[1]));
      await page.close();
    }
    const best = Math.min(...scripts);
    const first = Math.min(...firsts);
    console.log(`  script ${best.toFixed(2)} ms a frame, first picture after ${first.toFixed(0)} ms`);
    for (const [calls, bytes] of prices) {
      console.log(`  ${calls} calls of any kind and ${bytes} bytes a picture`);
      // one more for every body would be 101 more; the bytes are those of 360 moments of 40 trails, 28 each
      check(calls > 0 && calls <= 600, `a picture of 101 bodies takes ${calls} calls of the graphics card`);
      check(bytes > 0 && bytes <= 450_000, `for a picture of 101 bodies ${bytes} bytes go to the graphics card`);
    }
  }
}
