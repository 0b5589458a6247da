// What can be done with the view: seen from elsewhere, with bodies hidden, measured by its scale; pictures and videos of it.

import { readFileSync } from "node:fs";
import { barriers } from "./accessible.mjs";

export function viewChecks({ check, serve, open, picture }) {
  return { unplaced: checkUnplaced, viewpoints: checkViewpoints, ghosts: checkGhosts, capture: checkCapture, glass: checkGlass, joints: checkJointSize, follow: checkFollow };

  async function saved(page, act) {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  // Until it is known where the bodies of another mechanism are, none is drawn: they would lie in a heap. One of which a value has changed
  // stays where it was.
  async function checkUnplaced() {
    const page = await open(await serve("quarter-car", "--paused"));
    await page.waitForFunction(() => window.polhode.page.frame && window.polhode.stage.isPlaced);
    const { placed, alone, unplaced, changed } = await page.evaluate(() => {
      const { stage, page: { scene, frame } } = window.polhode;
      const drawn = () => {
        stage.draw();
        return stage.renderer.info.render.triangles;
      };
      const seen = { placed: drawn() };
      stage.showChanged(scene);
      seen.changed = { triangles: drawn(), heights: stage.mechanism.bodies.map((body, i) => body.position.z - frame.bodies[7 * i + 2]) };
      stage.mechanism.all.visible = false;
      seen.alone = drawn();
      stage.show(scene);
      seen.unplaced = drawn();
      return seen;
    });
    check(placed > alone + 1000, `with the mechanism ${placed} triangles are drawn, without it ${alone}`);
    check(unplaced === alone, `before the first frame ${unplaced} triangles are drawn, without a mechanism ${alone}`);
    check(changed.triangles === placed, `after a change ${changed.triangles} triangles are drawn instead of ${placed}`);
    check(changed.heights.every((off) => Math.abs(off) < 1e-6), `after a change bodies are drawn too high by ${changed.heights}`);
    await page.close();
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

  // One sees through the bodies to what is inside, and a click goes there first.
  async function checkGlass() {
    const page = await open(await serve("quarter-car", "--paused"));
    await page.waitForFunction(() => window.polhode.page.frame && window.polhode.stage.isPlaced);
    const look = () =>
      page.evaluate(() => {
        const { transparent, opacity, depthWrite } = window.polhode.stage.mechanism.batches.bodies.material;
        return { transparent, opacity, depthWrite };
      });
    const solid = await look();
    check(!solid.transparent && solid.opacity === 1, `bodies are ${JSON.stringify(solid)} at first`);
    await page.check("label:has-text('See through') input");
    const glass = await look();
    check(glass.transparent && glass.opacity < 0.5 && !glass.depthWrite, `one sees through bodies that are ${JSON.stringify(glass)}`);
    await picture(page, "glass");
    await page.uncheck("label:has-text('See through') input");
    check(JSON.stringify(await look()) === JSON.stringify(solid), "bodies do not become solid again");
    await page.close();
  }

  // Joints are no thicker than the thinner of the bodies that they connect, however small, and as large as somebody wants them.
  async function checkJointSize() {
    const page = await open(await serve("hexapod", "--paused"));
    const widest = () =>
      page.evaluate(() => {
        const { mechanism } = window.polhode.stage;
        const { mesh, solids } = mechanism.batches.joints;
        const pin = 2 * 1.4;  // across the rims of a hinge, in its thickness; all others that are as thick as their bodies are thinner
        return Math.max(
          ...window.polhode.page.scene.joints.map(({ ends, type }, i) => {
            if (type === "distance" || type === "planar") return 0;  // a rod between two places, and a disc
            const girth = Math.min(...ends.filter(({ body }) => body >= 0).map(({ body }) => mechanism.girthOf(body)));
            const at = solids.findIndex(({ part }) => part.index === i);
            const { min, max } = mesh.getBoundingBoxAt(mesh.getGeometryIdAt(at), mechanism.boxes[0].clone());
            const width = [max.x - min.x, max.z - min.z].sort((a, b) => a - b)[0];
            return width / pin / girth;
          }),
        );
      });
    for (const name of ["hexapod", "quarter-car", "jansen-walker", "crane"]) {
      await page.selectOption(".models", `example ${name}`);
      await page.waitForFunction((n) => window.polhode.page.scene.source === n && window.polhode.page.frame?.time > 0, name);
      const share = await widest();
      check(share > 0 && share <= 0.7 + 1e-6, `a joint of ${name} is ${share} times as thick as its thinner body`);
    }
    const before = await widest();
    await page.$eval("[aria-label='Joint size']", (slider) => {
      slider.value = Math.log10(0.5);
      slider.dispatchEvent(new Event("input"));
    });
    const ratio = (await widest()) / before;
    check(Math.abs(ratio - 0.5) < 0.02, `joints that are to be half as large are ${ratio} times as large`);
    await page.close();
  }

  // The camera goes along with a body, which stays where it is on the screen; its path is drawn behind it.
  async function checkFollow() {
    const page = await open(await serve("ball-chain"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.1);
    await page.selectOption(".follow", { label: "rod7" });
    const { body, places } = await page.evaluate(async () => {
      const { stage, page: { scene } } = window.polhode;
      const index = scene.bodies.findIndex(({ name }) => name === "rod7");
      const seen = [];
      let last = -1;
      while (seen.length < 30) {
        await new Promise(requestAnimationFrame);
        if (stage.placedTime === last) continue;
        last = stage.placedTime;
        const place = [...stage.placedBodies.slice(7 * index, 7 * index + 3)];
        seen.push({ place, ...stage.onScreen(place) });
      }
      return { body: index, places: seen };
    });
    const spread = (of) => Math.max(...of) - Math.min(...of);
    const moved = Math.max(...[0, 1, 2].map((i) => spread(places.map(({ place }) => place[i]))));
    const seen = Math.max(spread(places.slice(2).map(({ x }) => x)), spread(places.slice(2).map(({ y }) => y)));
    check(moved > 0.05, `the body has moved by ${moved} m only`);
    check(seen < 1, `a body that is followed moves by ${seen} pixels on the screen`);

    // the newest point of its trail is where it is, and trails can be switched off
    const trail = await page.evaluate((i) => {
      const { trails, placedBodies } = window.polhode.stage;
      const start = 3 * (trails.bodies * (trails.count - 1) + i);
      const end = trails.position.array.slice(start, start + 3);
      return { count: trails.count, off: Math.hypot(...[...end].map((value, k) => value - placedBodies[7 * i + k])) };
    }, body);
    check(trail.count > 10 && trail.off < 1e-5, `a trail of ${trail.count} points ends ${trail.off} m from its body`);
    await page.uncheck("label:has-text('Trails') input");
    check(await page.evaluate(() => !window.polhode.stage.trails.lines.visible), "trails cannot be switched off");
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
