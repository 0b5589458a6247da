// What can be done with the view: seen from elsewhere, with bodies hidden, measured by its scale; pictures and videos of it.

import { readFileSync } from "node:fs";
import { barriers } from "./accessible.mjs";

export function viewChecks({ check, serve, open, picture }) {
  return { viewpoints: checkViewpoints, ghosts: checkGhosts, capture: checkCapture };

  async function saved(page, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  async function checkViewpoints() {
    const page = await open(await serve("quarter-car", "--paused"));
    await page.waitForFunction(() => window.polhode.page.frame);
    // where the camera stands, from what it looks at, as a direction
    const direction = () =>
      page.evaluate(() => {
        const { camera, orbit } = window.polhode.stage;
        return camera.position.clone().sub(orbit.target).normalize().toArray();
      });
    const wanted = { 1: [0, 0, 1], 2: [1, 0, 0], 3: [0, 1, 0] };
    for (const [key, axis] of Object.entries(wanted)) {
      await page.keyboard.press(key);
      const seen = await direction();
      const along = seen.reduce((sum, value, i) => sum + value * axis[i], 0);
      check(along > 0.9999, `the key ${key} looks from ${seen}`);
    }
    await page.click(".viewpoints button:has-text('Front')");
    await page.waitForFunction(() => document.querySelector(".scale").textContent !== "");

    // the scale is as long as it says: the car, 1 m wide, seen from the front at the distance of the middle
    const told = await page.$eval(".scale", (node) => node.textContent);
    const bar = await page.$eval(".scale i", (node) => node.getBoundingClientRect().width);
    const pixels = await page.evaluate(() => {
      const { stage } = window.polhode;
      const middle = stage.world.worldToLocal(stage.orbit.target.clone()).toArray();
      const ends = [0, 1].map((x) => stage.onScreen([middle[0] + x, middle[1], middle[2]]));
      return Math.hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y);
    });
    check(/^[\d.]+ m$/.test(told), `the scale says ${told}`);
    check(Math.abs(bar / parseFloat(told) - pixels) < 0.01 * pixels, `${told} are ${bar} pixels, and 1 m ${pixels}`);

    // what is hidden is not seen and not hit
    const car = () =>
      page.evaluate(() => {
        const { stage, page: { frame } } = window.polhode;
        return stage.onScreen([...frame.bodies.slice(7, 10)]);
      });
    await page.selectOption(".hide", { label: "car" });
    check(await page.evaluate(() => !window.polhode.stage.mechanism.batches.bodies.mesh.getVisibleAt(1)), "the car is not hidden");
    const { x, y } = await car();
    await page.mouse.click(x, y);
    check((await page.inputValue(".selected")) !== "body 1", "a click hits a body that is hidden");
    await picture(page, "hidden");
    for (const barrier of await barriers(page)) check(false, `hiding keeps people out: ${barrier}`);
    await page.click(".show-all");
    check(await page.evaluate(() => window.polhode.stage.mechanism.batches.bodies.mesh.getVisibleAt(1)), "the car does not come back");
    check(!(await page.isVisible(".show-all")), "nothing is hidden, and a button to show it");
    await page.close();
  }

  // Poses as far apart as asked for, drawn by one call more, gone when the time goes back.
  async function checkGhosts() {
    const page = await open(await serve("ball-chain"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.2);
    await page.check("label:has-text('Ghosts') input");
    await page.$eval("[aria-label='A ghost every']", (slider) => {
      slider.value = Math.log10(0.1);
      slider.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction(() => window.polhode.stage.ghosts.count === 8);
    const apart = await page.evaluate(() => {
      const { times } = window.polhode.stage.ghosts;
      return times.slice(1).map((time, i) => time - times[i]);
    });
    // a pose is taken of a frame, and frames come as fast as pictures are drawn
    check(apart.every((each) => each >= 0.0999), `ghosts lie ${apart.map((each) => each.toFixed(3)).join(", ")} s apart`);
    await picture(page, "ghosts");
    await page.click(".play");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    await page.click("[aria-label^='Back']");
    await page.waitForFunction(() => window.polhode.page.frame.time === 0 && window.polhode.stage.ghosts.count <= 1);
    await page.uncheck("label:has-text('Ghosts') input");
    check((await page.evaluate(() => window.polhode.stage.ghosts.count)) === 0, "ghosts cannot be switched off");
    await page.close();
  }

  // A picture and a video are files of what is seen, as wide as the view beside the panel.
  async function checkCapture() {
    const page = await open(await serve("heavy-top"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.2);
    const png = await saved(page, () => page.keyboard.press("p"));
    check(/^heavy-top.*\.png$/.test(png.name), `the picture is called ${png.name}`);
    check(png.bytes.subarray(1, 4).toString() === "PNG", "the picture is no PNG");
    const [width, height] = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
    const panel = await page.$eval("aside", (node) => node.getBoundingClientRect().left);
    const ratio = height / 560;
    check(Math.abs(width / ratio - panel) < 3, `the picture is ${width} by ${height} for ${panel} by 560 pixels`);
    const colours = await page.evaluate(async (data) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(data)]));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set();
      for (let i = 0; i < pixels.length; i += 400) seen.add(pixels.subarray(i, i + 3).join());
      return seen.size;
    }, [...png.bytes]);
    check(colours > 30, `the picture has ${colours} colours`);

    await page.click(".video");
    check((await page.getAttribute(".video", "aria-pressed")) === "true", "the button does not tell that a video is recorded");
    const now = await page.evaluate(() => window.polhode.page.frame.time);
    await page.waitForFunction((t) => window.polhode.page.frame.time > t + 1, now);
    for (const barrier of await barriers(page)) check(false, `a video keeps people out: ${barrier}`);
    await picture(page, "capture");
    const webm = await saved(page, () => page.keyboard.press("v"));
    check(/^heavy-top.*\.webm$/.test(webm.name), `the video is called ${webm.name}`);
    check(webm.bytes.readUInt32BE(0) === 0x1a45dfa3, "the video is no webm");  // EBML
    check((await page.textContent(".video")) === "Video", "the button does not tell that the video is over");
    const elsewhere = await page.context().newPage();  // the live page itself may show no media
    const size = await elsewhere.evaluate(async (data) => {
      const video = document.createElement("video");
      video.src = URL.createObjectURL(new Blob([new Uint8Array(data)], { type: "video/webm" }));
      await new Promise((done) => (video.onloadeddata = video.onerror = done));
      return [video.videoWidth, video.videoHeight];
    }, [...webm.bytes]);
    await elsewhere.close();
    check(Math.abs(size[0] / size[1] - width / height) < 0.02, `the video has ${size.join(" by ")} pixels`);
    await page.close();
  }
}
