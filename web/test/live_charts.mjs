// Charts of the live page: they zoom and move together, and are saved as files.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { barriers } from "./accessible.mjs";

export function chartChecks({ program, folder, check, serve, open, picture }) {
  return { zoom: checkZoom, "zoom-run": checkZoomOfRun, compare: checkCompare, minutes: checkMinutes };

  async function saved(page, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  function figure(page, title) {
    return page.locator(".charts figure", { hasText: title }).first();
  }

  async function shownTime(page) {
    return (await page.waitForFunction(() => window.polhode.charts.shownTime())).jsonValue();
  }

  // Does something, and waits until the charts show another time.
  async function changes(page, act) {
    const before = JSON.stringify(await shownTime(page));
    await act();
    const isDrawn = (b) => window.polhode.charts.shownTime() && JSON.stringify(window.polhode.charts.shownTime()) !== b;
    await page.waitForFunction(isDrawn, before);
  }

  function dragOver(page, ...words) {
    return changes(page, () => drag(page, ...words));
  }

  async function drag(page, title, from, to, key) {
    const area = figure(page, title).locator(".u-over");
    await area.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await area.boundingBox();
    if (key) await page.keyboard.down(key);
    await page.mouse.move(x + from * width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + ((from + to) / 2) * width, y + height / 2);
    await page.mouse.move(x + to * width, y + height / 2);
    await page.mouse.up();
    if (key) await page.keyboard.up(key);
  }

  async function checkZoom() {
    const page = await open(await serve("heavy-top"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 1.5);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    await page.waitForFunction(() => window.polhode.charts.shownTime());
    const all = await shownTime(page);
    await dragOver(page, "Energy", 0.25, 0.75);
    const part = await shownTime(page);
    const wanted = [0.25, 0.75].map((share) => all.min + share * (all.max - all.min));
    check(
      Math.abs(part.min - wanted[0]) < 0.1 && Math.abs(part.max - wanted[1]) < 0.1,
      `a drag from ${wanted[0]} to ${wanted[1]} s shows ${part.min} to ${part.max} s`,
    );
    check(!(await page.evaluate(() => window.polhode.page.status.past.isLookedAt)), "a drag over a chart leads back in time");
    await picture(page, "zoom");
    for (const barrier of await barriers(page)) check(false, `a chart that is zoomed keeps people out: ${barrier}`);

    // moved to the right by a drag to the left, in another chart, which shows the same time
    await dragOver(page, "Angular momentum", 0.6, 0.4, "Shift");
    const moved = await shownTime(page);
    const width = part.max - part.min;
    check(Math.abs(moved.min - part.min - 0.2 * width) < 0.05 * width, `moved by 0.2 of it ${part.min} s becomes ${moved.min} s`);

    // by keys, and everything again
    await figure(page, "Energy").locator(".plot").focus();
    await changes(page, () => page.keyboard.press("+"));
    const nearer = await shownTime(page);
    check(Math.abs(nearer.max - nearer.min - 0.7 * width) < 0.01 * width, "the key + does not zoom");
    await changes(page, () => page.keyboard.press("0"));
    check(Math.abs((await shownTime(page)).max - all.max) < 1e-6, "the key 0 does not show everything");

    const csv = await saved(page, () => figure(page, "Energy").locator("button", { hasText: "CSV" }).click());
    const lines = csv.bytes.toString().trim().split("\n");
    check(csv.name === "energy.csv" && lines[0] === "series,time / s,J", `${csv.name} begins with ${lines[0]}`);
    check(lines.filter((line) => line.startsWith("kinetic,")).length > 20, "the kinetic energy is not in the file");
    const png = await saved(page, () => figure(page, "Energy").locator("button", { hasText: "PNG" }).click());
    check(png.name === "energy-j.png" && png.bytes.subarray(1, 4).toString() === "PNG", `the picture is ${png.name}`);
    await page.close();
  }

  // Lines that are kept stay, dashed, under those of what comes.
  async function checkCompare() {
    const page = await open(await serve("planar-double-pendulum", "--paused"), (blank) =>
      blank.addInitScript(() => {
        const { stroke } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.stroke = function (...path) {
          if (this.getLineDash().length > 0) ++window.dashed;
          return stroke.apply(this, path);
        };
      }),
    );
    await page.waitForFunction(() => window.polhode.page.seat.steering);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.8);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    const compare = figure(page, "Energy").locator("button.keep");
    await compare.click();
    const pressed = () => page.$$eval(".charts button.keep", (all) => all.map((button) => button.getAttribute("aria-pressed")));
    check((await pressed()).every((each) => each === "true"), `one button compares in ${await pressed()}`);
    // the same from the beginning on, with less gravity
    await page.selectOption(".selected", "model 0");
    await page.waitForSelector(".setting");
    await page.fill(".setting", "[0, -3, 0]");
    await page.press(".setting", "Enter");
    await page.waitForFunction(() => window.polhode.page.status.undoable);
    await page.click("[aria-label^='Back']");
    await page.waitForFunction(() => window.polhode.page.frame.time === 0);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.polhode.page.frame.time > 0.7);
    await page.keyboard.press("Space");
    await page.waitForTimeout(300);
    await figure(page, "Energy").scrollIntoViewIfNeeded();
    await picture(page, "compare");
    for (const barrier of await barriers(page)) check(false, `charts that compare keep people out: ${barrier}`);
    const dashedNow = () =>
      page.evaluate(() => {
        window.dashed = 0;
        window.polhode.charts.redraw();
        return new Promise((done) => setTimeout(() => done(window.dashed), 300));
      });
    check((await dashedNow()) >= 3, "no lines to compare with are drawn");
    await compare.click();
    check((await dashedNow()) === 0, "lines that are not kept any more are drawn");
    check((await pressed()).every((each) => each === "false"), "the lines that were kept do not go");
    await page.close();
  }

  // What can be scrubbed back to has its curves: the charts keep all of a live run, the older the more thinly.
  async function checkMinutes() {
    const page = await open(await serve("quarter-car"));
    await page.waitForFunction(() => window.polhode.page.seat.steering);
    await page.selectOption(".speed", "10");
    await page.waitForFunction(() => window.polhode.page.frame?.time > 45);
    const [first] = await page.evaluate(() => window.polhode.charts.times());
    check(first < 5, `the charts begin at ${first} s`);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    await page.waitForTimeout(300);
    const last = await page.evaluate(() => window.polhode.page.frame.time);
    const followed = await shownTime(page);
    check(Math.abs(followed.max - last) < 0.2 && Math.abs(followed.max - followed.min - 20) < 1e-6, `of ${last} s ${followed.min} to ${followed.max} s are seen`);
    await changes(page, () =>
      page.$eval(".scrub", (slider) => {
        slider.value = 5;
        slider.dispatchEvent(new Event("input"));
        slider.dispatchEvent(new Event("change"));
      }),
    );
    const back = await shownTime(page);
    check(back.min < 5 && back.max > 5, `the curves of ${back.min} to ${back.max} s are seen at 5 s`);
    const near = await page.evaluate(() => window.polhode.charts.times().filter((time) => Math.abs(time - 5) < 1).length);
    check(near > 4, `about 5 s there are ${near} points`);
    await picture(page, "minutes");
    await changes(page, () => figure(page, "Energy").locator("button:has-text('All')").click());
    const all = await shownTime(page);
    check(all.min === first && Math.abs(all.max - last) < 0.2, `everything is ${all.min} to ${all.max} s of ${last} s`);
    await changes(page, () => figure(page, "Energy").locator("button:has-text('Last 20 s')").click());

    // an hour at 60 points a second: the beginning stays, the last minutes are whole, and there is an end to what is kept
    const { times, end } = await page.evaluate(() => {
      const { charts, page: { frame } } = window.polhode;
      for (let i = 1; i <= 216_000; ++i) charts.add({ ...frame, time: frame.time + i / 60 });
      return { times: charts.times(), end: frame.time + 3600 };
    });
    const gaps = times.slice(1).map((time, i) => time - times[i]);
    check(times.length > 5000 && times.length <= 12_000, `after an hour there are ${times.length} points`);
    check(times[0] === first && times.at(-1) === end, `they go from ${times[0]} to ${times.at(-1)} s`);
    check(gaps.slice(-3000).every((gap) => gap < 0.017), `in the last 50 s they lie up to ${Math.max(...gaps.slice(-3000))} s apart`);
    check(Math.max(...gaps) < 2, `somewhere ${Math.max(...gaps)} s have no point`);
    await page.close();
  }

  // Of a finished run of many rows a part shows rows that the whole leaves out.
  async function checkZoomOfRun() {
    const file = join(folder, "long.csv");
    const done = spawnSync(program, ["run", "heavy-top", "--set", "simulation.output.every=0.0005", "--out", file], { encoding: "utf8" });
    check(done.status === 0, `polhode run fails: ${done.stderr}`);
    const page = await open(await serve(file, "--model", "heavy-top"));
    await page.waitForFunction(() => window.polhode.player.rows > 3000);
    await page.evaluate(() => (window.polhode.player.playing = false));
    await page.waitForFunction(() => window.polhode.charts.shownTime()?.max > 1.99);
    await dragOver(page, "Energy", 0.4, 0.5);
    const { min, max } = await shownTime(page);
    const csv = await saved(page, () => figure(page, "Energy").locator("button", { hasText: "CSV" }).click());
    const rows = csv.bytes.toString().split("\n").filter((line) => line.startsWith("total,")).length;
    check(Math.abs(rows - (max - min) / 0.0005) < 5, `from ${min} to ${max} s there are ${rows} rows`);
    await page.close();
  }
}
