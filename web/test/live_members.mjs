// `polhode live SWEEP.h5`: its page shows all members, and one click leads to the run of one.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { barriers } from "./accessible.mjs";

export async function checkMembers({ program, folder, browser, check, serve, picture, onFault }) {
  const file = join(folder, "sweep.h5");
  const vary = ["--vary", "body.bob.mass=0.5:2", "--vary", "model.gravity=[0, -uniform(5, 12), 0]"];
  const asked = ["--samples", "64", "--measure", "bob.position.y:min", "--measure", "energy", "--step", "0.01", "--out", file];
  const done = spawnSync(program, ["sweep", "simple-pendulum", ...vary, ...asked], { encoding: "utf8" });
  check(done.status === 0, `the sweep fails: ${done.stderr}`);
  const address = await serve(file);
  check(address.endsWith("/sweep"), `a sweep is opened at ${address}`);

  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && onFault(`console: ${message.text()}`));
  page.on("pageerror", (error) => onFault(`error: ${error.message}`));
  await page.goto(address);
  const points = page.locator(".chart", { hasText: "over body.bob.mass" }).first();
  await points.scrollIntoViewIfNeeded();
  await points.locator(".u-over").waitFor();
  const area = await points.locator(".u-over").boundingBox();
  const open = page.locator(".member a");
  // somewhere there is a point within reach of a click, which opens it
  const opened = browser.waitForEvent("page");
  for (let i = 1; i < 40 && !(await open.isVisible()); ++i)
    await page.mouse.click(area.x + (area.width * (i % 8)) / 8, area.y + (area.height * Math.ceil(i / 8)) / 6);
  check(await open.isVisible(), "no click on a chart chooses a member");
  const number = new URL(await open.evaluate((link) => link.href)).searchParams.get("member");
  const live = await opened;
  await page.bringToFront();
  for (const barrier of await barriers(page)) check(false, `the page of a sweep keeps people out: ${barrier}`);
  await picture(page, "sweep");

  live.on("pageerror", (error) => onFault(`error: ${error.message}`));
  await live.bringToFront();
  await live.waitForFunction((n) => window.polhode?.page.scene?.source?.endsWith(`member ${n}`), number);
  await live.waitForFunction(() => window.polhode.page.frame?.time > 0.1);
  check(!live.url().includes("member="), "who loads the page again would begin anew");
  await picture(live, "member");

  // another one is opened in the same window, by whoever clicks last
  const next = await page.evaluate((n) => {
    const link = document.querySelector(".member a");
    link.href = `/?member=${(Number(n) + 1) % 64}`;
    link.click();
    return (Number(n) + 1) % 64;
  }, number);
  await live.waitForFunction((n) => window.polhode?.page.scene?.source?.endsWith(`member ${n}`), next);
  await live.close();
  await page.close();
}
