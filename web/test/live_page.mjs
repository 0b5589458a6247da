// Starts `polhode live`, opens its page in a browser as people do, looks for faults and saves pictures:
//
//     node web/test/live_page.mjs POLHODE OUTDIR [Use | Tool | Reach | Drawing | CHECK ...]
//
// Ends with 1 and a sentence for each fault.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser, patience } from "./browser.mjs";
import { drawingChecks } from "./live_drawing.mjs";
import { checkMembers } from "./live_members.mjs";
import { reachChecks } from "./live_reach.mjs";
import { toolChecks } from "./live_tool.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [program, pictures, ...only] = process.argv.slice(2);
if (!pictures) {
  console.error("usage: node web/test/live_page.mjs POLHODE OUTDIR");
  process.exit(2);
}
mkdirSync(pictures, { recursive: true });

const faults = [];
function check(holds, fault) {
  if (!holds) faults.push(fault);
}

const timeOf = (page) => page.evaluate(() => window.polhode.page.frame.time);
const bodiesOf = (page) => page.evaluate(() => [...window.polhode.page.frame.bodies]);
const waitForTime = (page, time) => page.waitForFunction((t) => window.polhode.page.frame.time > t, time);
// Where the centre of a body is, and where a point of space is seen.
const placeOf = async (page, body) => (await bodiesOf(page)).slice(7 * body, 7 * body + 3);
const onScreen = (page, place) => page.evaluate((p) => window.polhode.stage.onScreen(p), place);
const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

// What the hand does in the last frame.
const handOf = (page) =>
  page.evaluate(() => {
    const { frame } = window.polhode.page;
    return {
      time: frame.time,
      body: frame.pulledBody,
      point: [...frame.pulledPoint],
      target: [...frame.pullTarget],
      gap: frame.gap,
    };
  });
const picture = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

const following = 30;  // simulated seconds in which a link comes to where the hand is
const staying = 1;  // and those for which it has to stay there: one that swings past has not come

const folder = mkdtempSync(join(tmpdir(), "polhode-live-"));
const servers = [];
const browser = await openBrowser(join(folder, "profile"), {
  drawing: true,
  viewport: { width: 1280, height: 800 },
  colorScheme: "light",
  acceptDownloads: true,
});

const checks = {
  simulation: checkSimulation,
  hand: checkHand,
  integrator: checkTakeOver,
  touch: checkTouch,
  headset: checkHeadset,
  pages: checkTwoPages,
  examples: checkExamples,
  run: checkRun,
  narrow: checkNarrow,
  members: () =>
    checkMembers({ program, folder, browser, check, serve, picture, onFault: (fault) => faults.push(fault) }),
};
const parts = { Use: Object.keys(checks) };
// a smaller window is drawn sooner
const openSmall = (address, prepare = () => {}) =>
  open(address, async (page) => {
    await page.setViewportSize({ width: 900, height: 560 });
    await prepare(page);
  });
Object.assign(checks, toolChecks({ program, folder, check, serve, open: openSmall, picture }));
parts.Tool = Object.keys(checks).slice(parts.Use.length);
Object.assign(checks, reachChecks({ program, folder, check, serve, open, picture }));
parts.Reach = Object.keys(checks).slice(parts.Use.length + parts.Tool.length);
const drawing = drawingChecks({ check, serve, servers, open: openSmall, picture });
parts.Drawing = Object.keys(drawing).filter((name) => !name.endsWith("LongRun"));
Object.assign(checks, drawing);
const chosen = (only.length > 0 ? only : Object.keys(parts)).flatMap((name) => parts[name] ?? name);

try {
  for (const name of chosen) {
    const start = performance.now();
    await checks[name]();
    // or they go on beside what comes next; the first page is the browser's own
    for (const page of browser.pages().slice(1)) await page.close();
    servers.splice(0).forEach((server) => server.kill("SIGINT"));
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
} catch (error) {
  faults.push(error.stack);
} finally {
  await browser.close();
  servers.forEach((server) => server.kill("SIGINT"));
  rmSync(folder, { recursive: true, force: true });
}

faults.forEach((fault) => console.error(`live page: ${fault}`));
process.exit(faults.length > 0 ? 1 : 0);

// Starts a server on any port; its address.
async function serve(...parameters) {
  const server = spawn(program, ["live", "--port", "0", ...parameters], { stdio: ["ignore", "pipe", "inherit"] });
  servers.push(server);
  for await (const text of server.stdout) return String(text).split(" ")[0];
  throw new Error(`polhode live ${parameters.join(" ")} did not start`);
}

async function open(address, prepare = () => {}) {
  const page = await browser.newPage();
  await prepare(page);
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const own = request.url().startsWith(address) || /^(data|blob):/.test(request.url());
    check(own, `fetches ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => window.polhode?.page.frame);
  await page.evaluate(() => window.polhode.stage.drawFinely?.());
  return page;
}

// Whether anything but the background is in the middle of the view.
async function colourCount(page) {
  const png = (await page.screenshot({ clip: { x: 240, y: 150, width: 500, height: 450 } })).toString("base64");
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
    let vivid = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const rgb = pixels.subarray(i, i + 3);
      if (Math.max(...rgb) - Math.min(...rgb) > 70) ++vivid;
    }
    return vivid;
  }, png);
}

async function checkSimulation() {
  const address = await serve("heavy-top");
  const page = await open(address);
  await waitForTime(page, 0.5);
  check((await colourCount(page)) > 500, "no body is seen in the view");
  const before = await bodiesOf(page);
  await waitForTime(page, (await timeOf(page)) + 0.2);
  check(JSON.stringify(await bodiesOf(page)) !== JSON.stringify(before), "the mechanism does not move");
  await waitForTime(page, 2.5);
  await picture(page, "light");
  await page.click("[aria-label^='Dark']");
  await waitForTime(page, 3);
  await picture(page, "dark");
  await page.click("[aria-label^='Dark']");

  await page.click(".play");
  await page.waitForSelector(".play[aria-pressed='false']");
  await page.waitForTimeout(150);
  const paused = await timeOf(page);
  await page.waitForTimeout(300);
  check((await timeOf(page)) === paused, "pause does not stop the time");
  await page.click("[aria-label^='One step']");
  await waitForTime(page, paused);
  await page.click("[aria-label^='Back']");
  await page.waitForFunction(() => window.polhode.page.frame.time === 0);
  await page.keyboard.press("Space");
  await waitForTime(page, 0.1);

  await page.selectOption(".integrator", "director-em");
  await page.waitForFunction(() => window.polhode.page.status.integrator === "director-em");
  await page.fill(".step", "0.002");
  await page.press(".step", "Enter");
  await page.waitForFunction(() => window.polhode.page.status.step === 0.002);
  await page.selectOption(".speed", "0.25");
  await page.waitForFunction(() => window.polhode.page.status.speed === 0.25);
  await waitForTime(page, (await timeOf(page)) + 0.1);

  await page.click(".record");
  await page.waitForFunction(() => window.polhode.page.status.recording);
  await waitForTime(page, (await timeOf(page)) + 0.2);
  await page.click(".record");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download$='.csv']")]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\n");
  check(lines[0].startsWith("time,top.position.x"), "the recording has no columns");
  check(lines.length > 10, `the recording has only ${lines.length} lines`);
  await page.close();
}

// Opens a chain that begins at the origin and waits for the first frame; where its last rod is on the screen, and a point
// nearer to the origin, which the rod can therefore reach.
async function openChain(prepare) {
  const link = 7;
  const page = await open(await serve("ball-chain", "--paused"), prepare);
  await page.waitForFunction(() => window.polhode.page.status.pullable && window.polhode.stage.isPlaced);
  const before = await placeOf(page, link);
  const from = await onScreen(page, before);
  const to = await onScreen(page, before.map((value) => 0.6 * value));
  return { page, link, before, from, to };
}

// That link is led, comes to where the hand is, and the joints hold. `pointer` is where the hand is seen at last.
async function checkPulled({ page, link, before }, how, pointer) {
  await page.waitForFunction((i) => window.polhode.page.frame.pulledBody === i, link);
  if (pointer)
    await page.waitForFunction(({ x, y }) => {
      const { stage, page: { frame } } = window.polhode;
      const seen = stage.onScreen([...frame.pullTarget]);
      return Math.hypot(seen.x - x, seen.y - y) < 2;
    }, pointer);
  const begin = await timeOf(page);
  let hand, asked, left, since, hasCome = false;
  for (let time = begin; time < begin + following && !hasCome; time = hand.time) {
    await waitForTime(page, time);  // however slow the machine is
    hand = await handOf(page);
    asked = distance(hand.target, before);
    left = distance(hand.point, hand.target);
    since = left < 0.1 * asked ? (since ?? hand.time) : null;
    hasCome = since !== null && hand.time > since + staying;
  }
  check(asked > 0.5, `by ${how}: the hand has moved by ${asked} m only`);
  check(hasCome, `by ${how}: ${following} s after being pulled by ${asked} m the link is ${left} m from the hand`);
  check(hand.gap < 1e-9, `by ${how}: a joint has opened by ${hand.gap} m`);
}

async function checkHand() {
  const chain = await openChain();
  const { page, from, to } = chain;
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.keyboard.press("Space");
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await checkPulled(chain, "mouse", to);
  await picture(page, "hand");

  await page.selectOption(".law", "critically-damped");
  await page.waitForFunction(() => window.polhode.page.status.law === "critically-damped");
  const lower = { x: to.x, y: to.y + 20 };
  await page.mouse.move(lower.x, lower.y, { steps: 3 });
  await checkPulled(chain, "spring and damper", lower);
  await page.mouse.up();
  await page.waitForFunction(() => window.polhode.page.frame.pulledBody === -1);
  await page.close();
}

// A body that moves by an integrator without a hand: director-em takes over.
async function checkTakeOver() {
  const page = await open(await serve("lang-a", "--paused"));
  const { x, y } = await onScreen(page, await placeOf(page, 0));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.polhode.page.status.integrator === "director-em");
  await page.waitForSelector(".notice");
  await page.mouse.move(x + 60, y - 40, { steps: 5 });
  await page.waitForFunction(() => window.polhode.page.frame.pulledBody === 0);
  await picture(page, "take-over");
  await page.mouse.up();
  await page.waitForFunction(() => window.polhode.page.frame.pulledBody === -1);
  await page.close();
}

async function checkTouch() {
  const chain = await openChain();
  const { page, from, to } = chain;
  const device = await page.context().newCDPSession(page);
  await device.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touch = (type, ...points) =>
    device.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }) => ({ x, y })) });
  await touch("touchStart", { x: from.x, y: from.y + 9 });  // fingers are not exact
  await page.keyboard.press("Space");
  for (let i = 1; i <= 8; ++i)
    await touch("touchMove", { x: from.x + (i / 8) * (to.x - from.x), y: from.y + (i / 8) * (to.y - from.y) });
  await checkPulled(chain, "touch", to);
  await touch("touchEnd");
  await page.waitForFunction(() => window.polhode.page.frame.pulledBody === -1);
  await page.close();
}

// A headset that is none: the button appears, and a controller's trigger takes hold of a body.
async function checkHeadset() {
  const chain = await openChain((page) => page.addInitScript({ path: join(here, "fake_headset.js") }));
  const { page, link } = chain;
  await page.click("[aria-label^='Show in the headset']");
  await page.waitForFunction(() => window.fakeHeadset.frames > 2);
  await page.evaluate((i) => {
    const { stage } = window.polhode;
    window.fakeHeadset.pointAt(stage.mechanism.bodies[i].getWorldPosition(stage.camera.position.clone()));
    window.fakeHeadset.trigger("selectstart");
  }, link);
  await page.keyboard.press("Space");
  await page.waitForFunction((i) => window.polhode.page.frame.pulledBody === i, link);
  await page.evaluate(async (place) => {
    const { stage } = window.polhode;
    for (let i = 1; i <= 20; ++i) {
      const nearer = stage.camera.position.clone().set(...place).multiplyScalar(1 - 0.02 * i);
      window.fakeHeadset.pointAt(stage.world.localToWorld(nearer));
      await new Promise((done) => setTimeout(done, 20));
    }
  }, chain.before);
  await checkPulled(chain, "headset");
  await page.evaluate(() => window.fakeHeadset.trigger("selectend"));
  await page.waitForFunction(() => window.polhode.page.frame.pulledBody === -1);
  await page.evaluate(() => window.fakeHeadset.session.end());
  await page.waitForTimeout(100);
  await picture(page, "after-headset");
  const seen = await onScreen(page, await placeOf(page, 0));
  check(seen.x > 0 && seen.x < 940 && seen.y > 0 && seen.y < 800, `after the headset the chain is at ${seen.x}, ${seen.y}`);
  await page.close();
}

async function checkTwoPages() {
  const address = await serve("heavy-top");
  const one = await open(address);
  const two = await open(address);
  await two.waitForSelector(".take-over");
  await one.click(".play");
  await two.waitForFunction(() => window.polhode.page.status.playing === false);
  await one.waitForTimeout(300);
  await picture(two, "watching");
  check(
    JSON.stringify(await bodiesOf(one)) === JSON.stringify(await bodiesOf(two)),
    "two pages see different states",
  );
  await two.click(".take-over");
  await two.waitForFunction(() => window.polhode.page.seat.steering);
  await two.click(".play");
  await one.waitForFunction(() => window.polhode.page.status.playing === true);
  await one.close();
  await two.close();
}

async function checkExamples() {
  const address = await serve("free-body");
  const page = await open(address);
  const names = await page.$$eval(".models option", (options) => options.map((option) => option.value));
  check(names.length > 4, "the examples cannot be chosen");
  for (const name of ["heavy-top", "hexapod", "jansen-walker", "crane", "rope-bridge"]) {
    check(names.includes(`example ${name}`), `the example ${name} cannot be chosen`);
    await page.selectOption(".models", `example ${name}`);
    await page.waitForFunction((n) => window.polhode.page.scene.source === n && window.polhode.page.frame?.time > 0.1, name);
    await picture(page, `example-${name}`);
  }
  await page.close();
}

async function checkRun() {
  const file = join(folder, "run.h5");
  const made = spawnSync(program, ["run", "heavy-top-nutating", "--out", file]);
  check(made.status === 0, "polhode run fails");
  const address = await serve(file);
  const page = await open(address);
  await page.waitForFunction(() => window.polhode.player.rows === 401);
  await page.waitForFunction(() => window.polhode.player.time > 0.3);
  await page.click(".play");
  const scrub = page.locator(".scrub");
  const area = await scrub.boundingBox();
  const visited = [];
  for (const share of [0.25, 0.75, 0.5]) {
    await page.mouse.click(area.x + share * area.width, area.y + area.height / 2);
    visited.push(await timeOf(page));
    check(Math.abs(visited.at(-1) - 2 * share) < 0.1, `scrubbing to ${share} of 2 s shows ${visited.at(-1)} s`);
  }
  check(visited[1] > visited[2] && visited[2] > visited[0], "scrubbing does not follow the slider");
  await page.waitForTimeout(200);
  await picture(page, "run");
  // the camera stands so that all of the run is seen
  const seen = await page.evaluate(() => {
    const { player, stage } = window.polhode;
    return player.someFrames(40).map(({ bodies }) => stage.onScreen([...bodies.slice(0, 3)]));
  });
  check(seen.every(({ x, y }) => x > 0 && x < 940 && y > 60 && y < 740), `of a finished run bodies leave the view: ${JSON.stringify(seen)}`);

  // the same file, dropped on a page that simulates
  const other = await open(await serve("free-body"));
  await other.setInputFiles("input[type=file]", file);
  await other.waitForFunction(() => window.polhode.page.scene.mode === "run" && window.polhode.player.rows === 401);
  await other.selectOption(".models", "example free-body");
  await other.waitForFunction(() => window.polhode.page.scene.mode === "live" && window.polhode.page.frame?.time > 0.1);
  await page.close();
  await other.close();
}

async function checkNarrow() {
  const page = await open(await serve("lang-a"), (blank) => blank.setViewportSize({ width: 390, height: 780 }));
  await waitForTime(page, 1);
  await picture(page, "narrow");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  check(!wide, "the page is wider than a narrow window");
  const top = (part) => page.evaluate((name) => document.querySelector(name).getBoundingClientRect().top, part);
  const seen = async (below) => {
    const { y } = await onScreen(page, await placeOf(page, 0));
    const limit = await top(below);
    check(y > 60 && y < limit, `in a narrow window the body is at ${y}, behind ${below} at ${limit}`);
  };
  await seen(".dock");
  await page.click("[aria-label^='Show or hide the panel']");
  await page.waitForTimeout(300);
  await picture(page, "narrow-panel");
  await seen("aside");
  // every button can be pressed
  const hidden = await page.$$eval("header button, .dock button, .dock select", (parts) =>
    parts
      .filter((part) => part.offsetParent !== null)
      .filter((part) => {
        const { left, right, top: above, bottom } = part.getBoundingClientRect();
        return left < 0 || right > innerWidth || above < 0 || bottom > innerHeight;
      })
      .map((part) => part.title),
  );
  check(hidden.length === 0, `in a narrow window these are outside: ${hidden.join(", ")}`);
  await page.close();
}
