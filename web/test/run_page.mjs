// Makes the report of a run (`polhode run MODEL --report FILE.html`), opens it in a browser as people do, looks for faults
// and saves pictures of it:
//
//     node web/test/run_page.mjs POLHODE OUTDIR
//
// Ends with 1 and a sentence for each fault.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { barriers } from "./accessible.mjs";
import { openBrowser } from "./browser.mjs";

const [program, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const faults = [];
const check = (holds, fault) => holds || faults.push(fault);
const folder = mkdtempSync(join(tmpdir(), "polhode-run-"));
const browser = await openBrowser(join(folder, "profile"), {
  drawing: true,
  viewport: { width: 1280, height: 900 },
  colorScheme: "light",
});

try {
  await checkRun();
  await checkModes();
  await checkReducedMotion();
  await checkNoGraphics();
} catch (error) {
  faults.push(error.stack);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
faults.forEach((fault) => console.error(`run page: ${fault}`));
process.exit(faults.length > 0 ? 1 : 0);

async function openReport(...parameters) {
  return openPrepared(() => {}, ...parameters);
}

async function openPrepared(prepare, ...parameters) {
  const file = join(folder, "page.html");
  const done = spawnSync(program, [...parameters, "--report", file], { encoding: "utf8" });
  check(done.status === 0, `polhode ${parameters.join(" ")} --report fails: ${done.stderr}`);
  const page = await browser.newPage();
  await prepare(page);
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => check(/^(file|data|blob):/.test(request.url()), `fetches ${request.url()}`));
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForFunction(() => window.polhode?.player.rows > 1);
  return { page, size: statSync(file).size };
}

async function checkRun() {
  const { page, size } = await openReport("run", "quarter-car", "--end", "4");
  check(size < 1_500_000, `four seconds of a quarter car are ${size} bytes`);
  const time = () => page.evaluate(() => window.polhode.player.time);
  await page.waitForFunction(() => window.polhode.player.time > 0.1);
  await page.click(".play");
  const stopped = await time();
  await page.waitForTimeout(200);
  check((await time()) === stopped, "the player does not stop");

  for (const barrier of await barriers(page)) check(false, `the report keeps people out: ${barrier}`);

  // charts follow the player: their legends tell the instant
  await page.evaluate(() => window.polhode.player.seek(2));
  await page.locator(".chart", { hasText: "Energy" }).first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  const told = await page.evaluate(() => {
    const chart = [...document.querySelectorAll(".chart")].find((each) => each.querySelector("h3").textContent === "Energy");
    return { x: chart.querySelector(".legend-x").textContent, line: chart.querySelectorAll(".clock-line").length };
  });
  check(told.x === "time / s: 2", `at 2 s the legend tells '${told.x}'`);
  check(told.line === 1, "the time is not marked in the chart");

  // and a click on a chart leads there
  const area = await page.locator(".chart .u-over").first().boundingBox();
  await page.mouse.click(area.x + 0.25 * area.width, area.y + 30);
  check(Math.abs((await time()) - 1) < 0.05, `a click at a quarter of 4 s leads to ${await time()} s`);
  await page.mouse.move(2, 2);

  await page.evaluate(() => scrollTo(0, 0));
  await page.selectOption(".follow", "0");
  await page.keyboard.press("l");
  check(await page.evaluate(() => window.polhode.player.loops), "the run cannot be repeated by its key");
  await page.getByLabel("See through").check();
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(pictures, "run.png") });
  await page.screenshot({ path: join(pictures, "run-whole.png"), fullPage: true });
  await page.click(".theme-toggle");
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(pictures, "run-dark.png") });
  await page.setViewportSize({ width: 390, height: 780 });
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(pictures, "run-narrow.png") });
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wider <= 0, `on a telephone the page is ${wider} pixels too wide`);
  await page.close();
}

// Who wants no motion begins it himself.
async function checkReducedMotion() {
  const { page } = await openPrepared((blank) => blank.emulateMedia({ reducedMotion: "reduce" }), "run", "quarter-car", "--end", "1");
  await page.waitForTimeout(400);
  check((await page.evaluate(() => window.polhode.player.time)) === 0, "the report moves although people want no motion");
  check(await page.evaluate(() => !window.polhode.stage.orbit.enableDamping), "the report's camera glides although people want no motion");
  await page.click(".play");
  await page.waitForFunction(() => window.polhode.player.time > 0.1);
  await page.close();
}

// Without WebGL the charts are there, and keys of the view do nothing.
async function checkNoGraphics() {
  const hide = () => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
    };
  };
  const { page } = await openPrepared((blank) => blank.addInitScript(hide), "run", "quarter-car", "--end", "1");
  await page.waitForSelector(".no-graphics");
  for (const key of ["p", "v", "f", "1"]) await page.keyboard.press(key);
  await page.waitForFunction(() => window.polhode.player.time > 0.1 && document.querySelector(".chart canvas"));
  await page.screenshot({ path: join(pictures, "run-no-graphics.png") });
  await page.close();
}

async function checkModes() {
  const { page } = await openReport("modes", "quarter-car");
  await page.waitForFunction(() => window.polhode.player.time > 0.1);
  check((await page.locator(".summary").textContent()).includes("mode 2"), "the modes are not told");
  await page.screenshot({ path: join(pictures, "modes.png") });
  await page.close();
}
