// Values of the model that are changed on the page: the motion goes on, what is refused is said, and everything can be undone.

import { barriers } from "./accessible.mjs";

export function editingChecks({ check, serve, open, picture }) {
  return { editing: checkEditing, "editing-start": checkStart, "editing-past": checkPast, lead: checkLead, strength: checkStrength };

  function tools(page) {
    const field = (label) => `.part-settings .row:has-text('${label}') .setting`;
    return {
      field,
      enter: async (label, text) => {
        await page.fill(field(label), text);
        await page.press(field(label), "Enter");
      },
      waitFor: (label, text) => page.waitForFunction(([path, t]) => [...document.querySelectorAll(".part-settings .row")].find((row) => row.textContent.includes(path))?.querySelector("input").value === t, [label, text]),
      time: () => page.evaluate(() => window.polhode.page.frame.time),
      said: () => page.evaluate(() => window.polhode.said.at(-1)),
      changes: () => page.evaluate(() => window.polhode.page.status.changes),
    };
  }

  async function checkEditing() {
    const page = await open(await serve("quarter-car"));
    const { field, enter, waitFor, time, said, changes } = tools(page);
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.2);
    await page.selectOption(".selected", { label: "car" });
    await waitFor("mass", "300");
    const before = await time();
    await enter("mass", "600");
    await waitFor("mass", "600");
    check((await page.evaluate(() => window.polhode.page.scene.bodies[1].mass)) === 600, "the page was not told of the mass");
    check((await time()) >= before, `another mass leads back from ${before} s to ${await time()} s`);
    check((await page.inputValue(".selected")) === "body 1", "what was selected is so no more");
    check((await page.textContent(".changed")).includes("body.car.mass=600"), "the page does not tell what was changed");

    // a value that is refused is said and does not stay
    await enter("mass", "-5");
    await page.waitForFunction(() => window.polhode.said.length > 0);
    check((await said()).includes("body.car.mass=-5"), `a mass of -5 is refused by: ${await said()}`);
    check((await page.inputValue(field("mass"))) === "600", `after it the field says ${await page.inputValue(field("mass"))}`);
    await picture(page, "editing");
    const faults = await barriers(page);
    check(faults.length === 0, `barriers where values are changed: ${faults.join(", ")}`);

    // two ways back: the key, also from the field, and the button
    await page.selectOption(".selected", { label: "damper" });
    await waitFor("damping", "1500");
    await enter("damping", "100");
    await waitFor("damping", "100");
    check((await changes()).length === 2, `two changes are told as ${await changes()}`);
    await page.keyboard.press("Control+z");
    await waitFor("damping", "1500");
    await page.click(".undo");
    await page.waitForFunction(() => !window.polhode.page.status.undoable);
    check(!(await page.isVisible(".undo")), "there is nothing left to undo, and a button for it");
    check((await page.evaluate(() => window.polhode.page.scene.bodies[1].mass)) === 300, "the mass is not what it was");
    await page.close();
  }

  // A slider leads the coordinate of a joint, holds it there, and lets go.
  async function checkLead() {
    const page = await open(await serve("quarter-car"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.1);
    await page.selectOption(".selected", { label: "car guide" });
    await page.waitForSelector(".lead");
    const height = () => page.evaluate(() => window.polhode.page.frame.bodies[9]);
    await page.$eval(".lead", (slider) => {
      slider.value = 0.2;
      slider.dispatchEvent(new Event("input"));
      slider.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() => Math.abs(window.polhode.page.frame.bodies[9] - 1.1) < 0.02);
    check(Math.abs((await page.inputValue(".lead")) - 0.2) < 0.01, `the slider stands at ${await page.inputValue(".lead")}`);
    await picture(page, "lead");
    for (const barrier of await barriers(page)) check(false, `the slider of a joint keeps people out: ${barrier}`);
    await page.click(".let-go");
    await page.waitForFunction(() => !window.polhode.page.status.lead);
    await page.waitForFunction(() => window.polhode.page.frame.bodies[9] < 1);
    check(!(await page.isVisible(".let-go")), `nothing is held at ${await height()} m, and a button to let go`);

    // a page that is opened again tells of what was watched before
    await page.reload();
    await page.waitForFunction(() => window.polhode?.page.seat.steering && window.polhode.page.status.watched?.length === 1);
    await page.selectOption(".selected", { label: "car guide" });
    await page.waitForSelector(".lead");
    await page.close();
  }

  // How strong a motor of the model is, by a slider, until it is given back.
  async function checkStrength() {
    const page = await open(await serve("andrews-squeezer"));
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.005);
    const motor = await page.evaluate(() => `force ${window.polhode.page.scene.forceNames.findIndex((name) => /motor|drive/.test(name))}`);
    await page.selectOption(".selected", motor);
    await page.waitForSelector(".lead");
    const told = () => page.textContent(".joint-sliders output");
    await page.waitForFunction(() => /0\.033/.test(document.querySelector(".joint-sliders output").textContent));
    await page.$eval(".lead", (slider) => {
      slider.value = -2;
      slider.dispatchEvent(new Event("input"));
      slider.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() => window.polhode.page.status.strengths?.[0]?.factor === -2);
    check(/^.0\.066 N m$/.test((await told()).trim()), `twice the other way the motor is said to have ${await told()}`);
    await picture(page, "strength");
    for (const barrier of await barriers(page)) check(false, `the slider of a motor keeps people out: ${barrier}`);
    await page.click(".give-back");
    await page.waitForFunction(() => window.polhode.page.status.strengths.length === 0);
    await page.waitForFunction(() => /^0\.033/.test(document.querySelector(".joint-sliders output").textContent));
    check(!(await page.isVisible(".give-back")), "the motor is the model's again, and there is a button to give it back");
    await page.close();
  }

  // What was before a change is gone back to with the values of then.
  async function checkPast() {
    const page = await open(await serve("quarter-car"));
    const { enter, waitFor, changes } = tools(page);
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0.3);
    await page.selectOption(".selected", { label: "car" });
    await waitFor("mass", "300");
    await enter("mass", "600");
    await waitFor("mass", "600");
    await page.click(".play");
    await page.waitForFunction(() => !window.polhode.page.status.playing);
    const seek = (time) =>
      page.$eval(
        ".scrub",
        (slider, t) => {
          slider.value = t;
          slider.dispatchEvent(new Event("input"));
          slider.dispatchEvent(new Event("change"));
        },
        time,
      );
    await seek(0.1);
    await waitFor("mass", "300");
    check((await changes()).length === 0, `before the change the page tells of ${await changes()}`);
    check((await page.evaluate(() => window.polhode.page.scene.bodies[1].mass)) === 300, "the past is drawn with the mass of now");
    await seek(1e9);
    await waitFor("mass", "600");
    check((await changes()).length === 1, "a look into the past loses the change");
    await page.close();
  }

  // Another beginning begins anew.
  async function checkStart() {
    const page = await open(await serve("quarter-car", "--paused"));
    const { enter, waitFor, time } = tools(page);
    await page.keyboard.press(".");
    await page.waitForFunction(() => window.polhode.page.frame?.time > 0);
    await page.selectOption(".selected", { label: "car guide" });
    await page.waitForSelector(".setting");
    await enter("at t = 0", "{ displacement = 0.1 }");
    await waitFor("at t = 0", "{ displacement = 0.1 }");
    await page.waitForFunction(() => window.polhode.page.frame.time === 0);
    const height = await page.evaluate(() => window.polhode.page.frame.bodies[9]);
    check(Math.abs(height - 1) < 1e-9, `the car starts at ${height} m, ${await time()} s`);
    await page.close();
  }
}
