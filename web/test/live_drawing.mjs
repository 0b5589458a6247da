// What the live page costs the machine: calls of the graphics card, memory, bytes on the wire. All of it is counted.

import { readFileSync } from "node:fs";
import { stubGraphics } from "./stub_graphics.mjs";

const megabyte = 1e6;

// `servers` are the processes that `serve` has started.
export function drawingChecks({ check, serve, servers, open, picture }) {
  return {
    calls: checkCalls,
    changes: () => checkChanges(24),
    frames: () => checkFrames(8),
    quality: checkQuality,
    assets: checkAssets,
    wire: checkWire,
    "changes-LongRun": () => checkChanges(1000),
    "frames-LongRun": () => checkFrames(60),
  };

  // However many bodies there are, the graphics card is called a few times for a picture, shadows included.
  async function checkCalls() {
    const page = await open(await serve("rope-bridge"));
    for (const name of ["rope-bridge", "jansen-walker", "quarter-car"]) {
      await page.selectOption(".models", `example ${name}`);
      await page.waitForFunction((n) => window.polhode.page.scene.source === n && window.polhode.page.frame?.time > 0.1, name);
      const { calls, bodies, hasShadows } = await page.evaluate(async () => {
        const { stage, page: { scene } } = window.polhode;
        const { render } = stage.renderer.info;
        const before = render.frame;
        while (render.frame < before + 2) await new Promise(requestAnimationFrame);
        return { calls: render.calls, bodies: scene.bodies.length, hasShadows: stage.sun.castShadow };
      });
      console.log(`  ${name}: ${bodies} bodies, ${calls} calls a picture`);
      check(hasShadows, "calls are counted without shadows");
      check(calls > 4 && calls <= 60, `${bodies} bodies of ${name} take ${calls} calls a picture`);
      await picture(page, `calls-${name}`);
    }
    await page.close();
  }

  // A machine that is too slow draws without shadows and with fewer points, and says nothing of it.
  async function checkQuality() {
    const page = await open(await serve("jansen-walker", "--paused"));
    const drawn = () =>
      page.evaluate(async () => {
        const { stage } = window.polhode;
        const { render } = stage.renderer.info;
        stage.hasChanged = true;
        const before = render.frame;
        while (render.frame === before) await new Promise(requestAnimationFrame);
        const { width } = stage.renderer.domElement;
        return { calls: render.calls, width, textures: stage.renderer.info.memory.textures };
      });
    const take = (level) =>
      page.evaluate((to) => {
        const { stage } = window.polhode;
        stage.quality.hold(to);
        stage.takeQuality();
      }, level);
    const fine = await drawn();
    await take(3);
    const coarse = await drawn();
    await picture(page, "coarse");
    check(coarse.calls < fine.calls, `the coarsest picture takes ${coarse.calls} calls, the finest ${fine.calls}`);
    check(Math.abs(coarse.width - 0.7 * fine.width) < 2, `the coarsest picture is ${coarse.width} points wide, the finest ${fine.width}`);
    await take(0);
    const again = await drawn();
    check(JSON.stringify(again) === JSON.stringify(fine), `${JSON.stringify(fine)} become ${JSON.stringify(again)}`);
    await page.close();
  }

  // Shows other models, one after the other, each until it is drawn.
  function showModels(page, names, count) {
    return page.evaluate(
      async ([all, changes]) => {
        const { stage, page: shown } = window.polhode;
        const select = document.querySelector(".models");
        for (let i = 0; i < changes; ++i) {
          const name = all[i % all.length];
          select.value = `example ${name}`;
          select.dispatchEvent(new Event("change"));
          const isThere = () => shown.scene.source === name && shown.frame?.time > 0 && stage.placedTime === shown.frame.time;
          while (!isThere()) await new Promise(requestAnimationFrame);
          const { frame } = stage.renderer.info.render;
          while (stage.renderer.info.render.frame === frame) await new Promise(requestAnimationFrame);
        }
      },
      [names, count],
    );
  }

  // What page, graphics card and server keep, in bytes and pieces.
  async function keptBy(page, device, server) {
    await device.send("HeapProfiler.collectGarbage");
    const { usedSize: heap } = await device.send("Runtime.getHeapUsage");
    const { geometries, textures, programs } = await page.evaluate(() => {
      const { memory, programs: all } = window.polhode.stage.renderer.info;
      return { ...memory, programs: all.length };
    });
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    const resident = 1024 * Number(readFileSync(`/proc/${server.pid}/status`, "utf8").match(/VmRSS:\s*(\d+)/)[1]);
    return { geometries, textures, programs, nodes, heap, resident };
  }

  // However many models were looked at, nothing of them is kept, in the page, on the graphics card or by the server.
  async function checkChanges(count) {
    const names = ["heavy-top", "jansen-walker", "quarter-car", "rope-bridge", "engine-mounts", "ball-chain"];
    const address = await serve("ball-chain");
    const server = servers.at(-1);
    // a small window is drawn quickly
    const page = await open(address, (blank) => blank.setViewportSize({ width: 240, height: 160 }));
    const device = await page.context().newCDPSession(page);
    await showModels(page, names, 2 * names.length);
    const before = await keptBy(page, device, server);
    const rounds = Math.ceil(count / names.length / 4);
    let after = before;
    for (let i = 1; i <= 4; ++i) {
      await showModels(page, names, rounds * names.length);
      after = await keptBy(page, device, server);
      console.log(`  after ${i * rounds * names.length} changes: ${JSON.stringify(after)}, before ${JSON.stringify(before)}`);
    }
    for (const key of ["geometries", "textures", "programs", "nodes"])
      check(after[key] === before[key], `${count} models later there are ${after[key]} ${key} instead of ${before[key]}`);
    const grown = (key) => (after[key] - before[key]) / megabyte;
    check(grown("heap") < 2, `${count} models later the page keeps ${grown("heap")} MB more`);
    check(grown("resident") < 32, `${count} models later the server keeps ${grown("resident")} MB more`);
    await page.close();
  }

  // What the page keeps of a run has an end, however long it goes on: that many minutes of frames are shown, 60 a second, as those of the
  // server are, with trails, ghosts, and a body on a chart, and with graphics in name only. (What the server keeps of a run:
  // tests/server/kept_past_test.cpp.)
  async function checkFrames(minutes) {
    const address = await serve("ball-chain", "--paused");
    const server = servers.at(-1);
    const page = await open(address, (blank) => blank.addInitScript(stubGraphics));
    const device = await page.context().newCDPSession(page);
    await page.check("label:has-text('Ghosts') input");
    await page.selectOption(".selected", { label: "rod8" });
    await page.locator(".quantity:has-text('velocity') .pin").first().click();
    await page.waitForFunction(() => window.polhode.page.status.watched?.length === 1);
    const show = (count) =>
      page.evaluate(async (more) => {
        const { page: shown, player } = window.polhode;
        for (let i = 1; i <= more; ++i) {
          const { frame } = shown;
          const bodies = frame.bodies.map((value, k) => value + 1e-3 * Math.sin(i + k));
          player.onFrame({ ...frame, bodies, time: frame.time + 1 / 60, kinetic: Math.random() });
          if (i % 600 === 0) await new Promise(requestAnimationFrame);
        }
      }, count);
    await show(1800 * minutes);  // until all that has an end is full
    const before = await keptBy(page, device, server);
    await show(1800 * minutes);
    const after = await keptBy(page, device, server);
    const { points, time } = await page.evaluate(() => ({ points: window.polhode.charts.times().length, time: window.polhode.page.frame.time }));
    console.log(`  after ${time.toFixed(0)} s: ${JSON.stringify(after)}, at half of it ${JSON.stringify(before)}; ${points} points of charts`);
    check(time > 59.9 * minutes, `only ${time} s were shown`);
    check(points > 5000, `the charts have only ${points} points`);
    for (const key of ["geometries", "textures", "programs", "nodes"])
      check(after[key] === before[key], `in a run of ${minutes} minutes ${before[key]} ${key} become ${after[key]}`);
    const grown = (after.heap - before.heap) / megabyte;
    check(grown < 2, `in the second half of ${minutes} minutes the page keeps ${grown} MB more`);
    await page.close();
  }

  // Program and style come compressed, and once: who opens the page again is sent the page alone.
  async function checkAssets() {
    const address = await serve("heavy-top");
    const sent = async () => {
      const page = await open(address);
      const all = await page.evaluate(() =>
        performance.getEntriesByType("resource").map(({ name, transferSize, decodedBodySize }) => ({ name, transferSize, decodedBodySize })),
      );
      await page.close();
      return all;
    };
    const first = await sent();
    check(first.length === 2, `the page is made of ${first.map(({ name }) => name).join(", ")}`);
    for (const { name, transferSize, decodedBodySize } of first)
      check(transferSize > 0 && transferSize < decodedBodySize / 2, `${name}: ${transferSize} of ${decodedBodySize} bytes are sent`);
    console.log(`  ${first.map(({ transferSize, decodedBodySize }) => `${transferSize} of ${decodedBodySize} bytes`).join(", ")}`);
    for (const { name, transferSize } of await sent()) check(transferSize === 0, `${name} is sent again, ${transferSize} bytes`);
  }

  // A frame of 101 bodies is at most 6 kB, also where as many parts are on charts as may be, and nothing at all is sent while nothing changes.
  async function checkWire() {
    const received = [];
    const page = await open(await serve("rope-bridge"), (blank) =>
      blank.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => received.push(payload))),
    );
    await page.waitForFunction(() => window.polhode.page.frame.time > 0.5);
    const longest = (payloads) => Math.max(...payloads.filter((payload) => typeof payload !== "string").map(({ length }) => length));
    const frames = received.filter((payload) => typeof payload !== "string");
    const usual = longest(frames);
    console.log(`  ${frames.length} frames of at most ${usual} bytes`);
    check(frames.length > 5, `only ${frames.length} frames were sent`);
    check(usual <= 6000, `a frame has ${usual} bytes`);

    // eight bodies on charts, a ninth selected; what is told of it is what is asked for, and it is not put on a chart
    const select = async (body) => {
      await page.selectOption(".selected", `body ${body}`);
      await page.waitForSelector(".quantity:has-text('velocity') b:not(:empty)");
    };
    for (let i = 0; i < 8; ++i) {
      await select(10 * i);
      await page.locator(".quantity:has-text('velocity') .pin").first().click();
      await page.waitForFunction((n) => document.querySelectorAll(".pin[aria-pressed=true]").length === 1 && window.polhode.page.status.watched.length === n, i + 1);
    }
    await select(100);
    await page.waitForFunction(() => window.polhode.page.status.watched.length === 9);
    await page.locator(".quantity:has-text('velocity') .pin").first().click();
    const said = await page.evaluate(() => window.polhode.said.at(-1));
    check(said?.includes("8 parts"), `a ninth part on charts is refused with: ${said}`);
    check((await page.locator(".charts figure:has-text(': velocity')").count()) === 8, "charts of eight parts are not eight");
    const before = received.length;
    await page.waitForFunction((t) => window.polhode.page.frame.time > t + 0.3, await page.evaluate(() => window.polhode.page.frame.time));
    const most = longest(received.slice(before));
    console.log(`  with nine parts ${most} bytes`);
    check(most > usual && most <= 6000, `with nine watched parts a frame has ${most} bytes`);
    await page.click(".play");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    // how well the simulation kept up fades after a pause, and is sent while it does; the same is not sent twice
    await page.waitForTimeout(1000);
    const first = received.length;
    await page.waitForTimeout(1000);
    const paused = received.slice(first).filter((payload) => typeof payload !== "string");
    const told = (frame) => frame.subarray(8);  // all but its number
    const repeated = paused.filter((frame, i) => i > 0 && told(frame).equals(told(paused[i - 1]))).length;
    console.log(`  ${paused.length} frames in a second of pause`);
    check(repeated === 0, `${repeated} frames are sent that tell nothing new`);
    check(paused.length < 30, `${paused.length} frames are sent in a second in which nothing moves`);
    await page.close();
  }
}
