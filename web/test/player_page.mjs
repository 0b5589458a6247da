// Opens a run that is a page of its own (Run.show in Python), looks whether it plays, and saves a picture of it:
//
//     node web/test/player_page.mjs FILE.html PICTURE.png
//
// Ends with 1 and a sentence for each fault.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const [file, picture] = process.argv.slice(2);
const faults = [];
const check = (holds, fault) => holds || faults.push(fault);
const profile = mkdtempSync(join(tmpdir(), "polhode-page-"));
const browser = await openBrowser(profile, {
  drawing: true,
  viewport: { width: 900, height: 500 },
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => faults.push(`an error on the page: ${error.message}`));
  page.on("request", (request) => check(/^(file|data|blob):/.test(request.url()), `fetched ${request.url()}`));
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForFunction(() => window.polhode?.player.rows > 0);
  const first = await page.evaluate(() => window.polhode.player.time);
  await page.waitForFunction((t) => window.polhode.player.time > t, first);
  check(await page.evaluate(() => window.polhode.page.frame !== null), "no frame is shown");
  check(!(await page.locator(".banner").isVisible()), "it asks for a server");
  await page.screenshot({ path: picture });
} catch (error) {
  faults.push(error.message);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
faults.forEach((fault) => console.error(`${file}: ${fault}`));
process.exit(faults.length > 0 ? 1 : 0);
