// Draws the pictures of docs/gallery.md with the program itself: simulates a model, shows the run on the live page, and
// saves what is seen there, with the paths of the last seconds.
//
//     node web/gallery.mjs POLHODE OUTDIR [MODEL ...]

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

// Each model, the moment that is shown, from when on the paths are drawn, and how near it is seen: the share of the distance
// at which the page shows a model first; from which side, if not as the page does (y is up). The shadow belongs to the
// picture, so the middle rises a little, by a share of the distance.
const scenes = [
  { model: "jansen-walker", time: 2.6, from: 0.6, near: 0.86 },
  { model: "peaucellier", time: 2.0, from: 0.0, near: 0.8 },
  { model: "bricard", time: 1.5, from: 0.0, near: 0.75 },
  { model: "andrews-squeezer", time: 0.015, from: 0.0, near: 0.62, side: [0.1, 1, 0.35] },
  { model: "heavy-top-nutating", time: 1.0, from: 0.0, near: 0.8 },
  { model: "flyball-governor", time: 3.0, from: 1.0, near: 0.8 },
  { model: "hexapod", time: 0.9, from: 0.0, near: 0.75 },
  { model: "rope-bridge", time: 1.2, from: 0.0, near: 0.62, rise: 0.17 },
  { model: "spatial-double-pendulum", time: 3.0, from: 0.5, near: 1.05, rise: -0.03 },
];
const view = { viewport: { width: 900, height: 560 }, deviceScaleFactor: 0.56, colorScheme: "light" };
const mostBytes = 60_000;
const patience = 120_000;  // milliseconds; without a graphics card, on a machine that may be busy

const [program, pictures, ...only] = process.argv.slice(2);
if (!pictures) {
  console.error("usage: node web/gallery.mjs POLHODE OUTDIR [MODEL ...]");
  process.exit(2);
}
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "polhode-gallery-"));
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
try {
  for (const scene of scenes) if (only.length === 0 || only.includes(scene.model)) await draw(scene);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function draw({ model, time, from, near, side, rise = 0.06 }) {
  const run = join(folder, `${model}.h5`);
  const every = String((time - from) / 300);
  const ended = spawnSync(program, ["run", model, "--end", String(time), "--every", every, "--out", run]);
  if (ended.status !== 0) throw new Error(`${model}: ${ended.stderr}`);
  const server = spawn(program, ["live", run, "--port", "0", "--paused"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const page = await browser.newPage(view);
    page.setDefaultTimeout(patience);
    await page.goto(await addressOf(server));
    await page.waitForFunction(() => window.polhode?.player.numbers);
    await page.evaluate(
      ([start, stop, share, direction, up]) => {
        const { player, stage } = window.polhode;
        for (const part of document.querySelectorAll("header, aside, .dock, .banner, .notices, .body-label"))
          part.style.setProperty("display", "none", "important");
        player.playing = false;
        player.seek(stop);
        stage.drawFinely();
        stage.lookAtAll();
        const { camera, orbit } = stage;
        const distance = share * camera.position.distanceTo(orbit.target);
        if (direction) camera.position.copy(orbit.target).add({ x: direction[0], y: direction[1], z: direction[2] });
        camera.position.sub(orbit.target).setLength(distance).add(orbit.target);
        for (const place of [camera.position, orbit.target]) place.y += up * distance;
        orbit.update();
        for (let i = 0; i <= 300; ++i) player.seek(start + ((stop - start) * i) / 300);
      },
      [from, time, near, side, rise],
    );
    await page.waitForTimeout(500);  // for two pictures or more
    const path = join(pictures, `${model}.png`);
    await page.screenshot({ path, timeout: patience });
    await page.close();
    const { size } = statSync(path);
    console.log(`${path}: ${size} bytes`);
    if (size > mostBytes) throw new Error(`${path} has ${size} bytes, more than ${mostBytes}; choose another moment`);
  } finally {
    server.kill("SIGINT");
  }
}

async function addressOf(server) {
  for await (const text of server.stdout) return String(text).split(" ")[0];
  throw new Error("polhode live did not start");
}
