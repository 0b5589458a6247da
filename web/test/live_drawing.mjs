// What the live page costs the machine: calls of the graphics card, memory, bytes on the wire. All of it is counted.

export function drawingChecks({ check, serve, open, picture }) {
  return {
    calls: checkCalls,
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
        return { calls: render.calls, bodies: scene.bodies.length, hasShadows: stage.renderer.shadowMap.enabled };
      });
      console.log(`  ${name}: ${bodies} bodies, ${calls} calls a picture`);
      check(hasShadows, "calls are counted without shadows");
      check(calls > 4 && calls <= 60, `${bodies} bodies of ${name} take ${calls} calls a picture`);
      await picture(page, `calls-${name}`);
    }
    await page.close();
  }
}
