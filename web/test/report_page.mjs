// Opens a report in a browser, looks for faults and saves pictures of it:
//
//     node web/test/report_page.mjs FILE.html OUTDIR
//
// Ends with 1 and a sentence for each fault: an error on the console, anything fetched from elsewhere, a chart
// without ink, a page wider than its window, a button that does nothing.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const [file, pictures] = process.argv.slice(2);
if (!pictures) {
  console.error("usage: node web/test/report_page.mjs FILE.html OUTDIR");
  process.exit(2);
}
mkdirSync(pictures, { recursive: true });

const faults = [];
function check(holds, fault) {
  if (!holds) faults.push(fault);
}

const profile = mkdtempSync(join(tmpdir(), "polhode-page-"));
const browser = await openBrowser(profile, {
  drawing: false,
  viewport: { width: 1440, height: 900 },
  colorScheme: "light",
  acceptDownloads: true,
});

try {
  const page = await openPage();
  await checkCharts(page);
  await page.screenshot({ path: join(pictures, "light.png"), fullPage: true });
  await checkTheme(page);
  await checkFirstChart(page);
  await checkMembers(page);
  await checkNarrow(page);
  await page.pdf({ path: join(pictures, "print.pdf") });
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}

faults.forEach((fault) => console.error(`${file}: ${fault}`));
process.exit(faults.length > 0 ? 1 : 0);

// A click on a line and on a point chooses a member, whose command is told; a drag along an axis keeps some.
async function checkMembers(page) {
  const canvas = page.locator(".parallel canvas");
  if ((await canvas.count()) === 0) return;
  await canvas.scrollIntoViewIfNeeded();
  const { width, height } = await canvas.boundingBox();
  const command = page.locator(".member code");
  check(!(await command.isVisible()), "a member is chosen before anybody did");
  for (let y = 0.3; y < 0.8 && !(await command.isVisible()); y += 0.03)
    await canvas.click({ position: { x: 0.3 * width, y: y * height } });
  check((await command.textContent()).startsWith("polhode run"), "a click on a line chooses no member");
  await page.locator(".member button", { hasText: "×" }).click();
  check(!(await command.isVisible()), "a member stays chosen");

  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 62, box.y + 0.3 * height);
  await page.mouse.down();
  await page.mouse.move(box.x + 62, box.y + 0.6 * height, { steps: 4 });
  await page.mouse.up();
  check(/^\d+ of \d+ members/.test(await page.locator(".parallel-told").textContent()), "a drag along an axis keeps nothing");

  const over = page.locator("section", { has: page.locator(".parallel") }).locator(".u-over").first();
  await over.scrollIntoViewIfNeeded();
  const area = await over.boundingBox();
  for (let y = 0.1; y < 0.95 && !(await command.isVisible()); y += 0.04)
    await over.click({ position: { x: 0.5 * area.width, y: y * area.height } });
  check(await command.isVisible(), "a click on a point chooses no member");
  check(await page.locator(".member-ring").isVisible(), "the member that is chosen has no ring");
}

async function openPage() {
  const address = pathToFileURL(resolve(file)).href;
  const page = browser.pages()[0] ?? (await browser.newPage());
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    check(/^(data|blob):/.test(request.url()) || request.url() === address, `fetches ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector("main section");
  return page;
}

// Every chart has a canvas, and on it more colour than a grid has.
async function checkCharts(page) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".plot")].every((plot) => plot.querySelector("canvas")),
  );
  const inks = await page.$$eval(".chart", (charts) =>
    charts.map((chart) => {
      const canvas = chart.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let ink = 0;
      for (let i = 0; i < data.length; i += 4) {
        // axes and grid are grey
        const colours = data.subarray(i, i + 3);
        if (data[i + 3] > 100 && Math.max(...colours) - Math.min(...colours) > 60) ++ink;
      }
      return { title: chart.querySelector("h3").textContent, ink };
    }),
  );
  inks.forEach(({ title, ink }) => check(ink > 20, `chart '${title}' has only ${ink} coloured pixels`));
}

async function checkTheme(page) {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.click(".theme-toggle");
  check((await background()) !== light, "the theme button changes nothing");
  await page.screenshot({ path: join(pictures, "dark.png"), fullPage: true });
  await page.reload();
  await page.waitForSelector("main section");
  check((await background()) !== light, "the theme is forgotten when the page is opened again");
  await page.click(".theme-toggle");
  check((await background()) === light, "the theme button does not lead back");
}

// The crosshair, the legend, zoom, the switch of the axis and both downloads, on the first chart with a series.
async function checkFirstChart(page) {
  const chart = page.locator(".chart", { has: page.locator(".legend-entry") }).first();
  if ((await chart.count()) === 0) return;
  const reset = chart.getByText("Reset zoom");
  const over = chart.locator(".u-over");
  await chart.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();

  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  check(
    (await chart.locator(".legend-value").first().textContent()) !== "",
    "the legend shows no value under the crosshair",
  );
  await chart.screenshot({ path: join(pictures, "crosshair.png") });

  await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.3 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.6 * box.height, { steps: 4 });
  await page.mouse.up();
  check(await reset.isVisible(), "dragging over a chart does not zoom");
  await chart.screenshot({ path: join(pictures, "zoom.png") });
  await over.dblclick();
  await chart.locator(".plot").focus();
  await page.keyboard.press("+");
  check(await reset.isVisible(), "the key + does not zoom a chart that has the focus");
  await page.keyboard.press("0");
  check(!(await reset.isVisible()), "the key 0 does not show everything again");
  check(!(await reset.isVisible()), "a double click does not show the whole chart again");

  const entry = chart.locator(".legend-entry").first();
  await entry.click();
  check(
    (await entry.getAttribute("aria-pressed")) === "false",
    "a click on the legend does not hide a series",
  );
  await entry.click();

  const logarithmic = chart.getByText("log y", { exact: true });
  const before = await logarithmic.getAttribute("aria-pressed");
  await logarithmic.click();
  check((await logarithmic.getAttribute("aria-pressed")) !== before, "the axis cannot be switched");
  await logarithmic.click();

  const csv = await saved(page, chart, "CSV");
  check(readFileSync(csv, "utf8").startsWith("series,"), "the CSV has no head");
  const png = await saved(page, chart, "PNG");
  check(readFileSync(png).subarray(1, 4).toString() === "PNG", "the PNG is none");
}

async function saved(page, chart, label) {
  const waiting = page.waitForEvent("download");
  await chart.getByText(label, { exact: true }).click();
  const path = join(pictures, `chart.${label.toLowerCase()}`);
  await (await waiting).saveAs(path);
  return path;
}

async function checkNarrow(page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(300);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wider <= 0, `on a telephone the page is ${wider} pixels too wide`);
  await page.screenshot({ path: join(pictures, "narrow.png"), fullPage: true });
}
