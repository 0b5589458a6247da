// Sliders that lead the coordinates of the joint that is selected, by a hand that holds on until it is told to let go; while time
// stands still they pose the mechanism. Those of an actuator lead it in place of its signal, and those of a load, a torque or a motor in
// place of its scale over time, until they are told to give it back.

import { element } from "../report/element.js";
import { readable } from "../report/numbers.js";

const mostTimes = 3;  // what the model gives a force, either way

// `reach()` is how far a slide is led, in metres; an angle goes half a turn each way.
export function buildLeadSliders(send, reach) {
  let part = "";
  let rows = [];
  let shown = "";  // what the rows are of
  let playing = true;
  const isActuator = () => part.startsWith("actuator");
  const isForce = () => part.startsWith("force");
  const number = () => part.split(" ")[1];
  const textButton = (name, text, click) => element("button", { type: "button", class: `text-button small ${name}`, hidden: true, click }, text);
  const release = textButton("let-go", "Let go", () => send("release"));
  const giveBack = textButton("give-back", "Back to the model's signal", () => send(isForce() ? "strength" : "wish", number()));
  const list = element("div", {});
  const node = element("div", { class: "joint-sliders" }, list, release, giveBack);

  function lead(coordinate) {
    if (isForce()) send("strength", number(), rows[0].input.value);
    else if (isActuator()) send("wish", number(), ...rows.map(({ input }) => input.value));
    else send("lead", number(), coordinate, rows[coordinate].input.value);
  }

  function makeRow({ name, turns }, coordinate) {
    const label = `Lead ${name.replaceAll("_", " ")}`;
    const title = isActuator()
      ? "Leads the actuator there in place of its signal"
      : "Takes hold of the joint and leads it there; while it is paused, poses the mechanism so";
    const most = turns ? Math.PI : Number(reach().toPrecision(2));
    const input = element("input", { type: "range", class: "lead", min: -most, max: most, step: most / 500, "aria-label": label });
    const text = element("output", {});
    const row = { name, input, isLed: false, isHeld: false, isCentred: !isActuator() };
    row.show = (value) => {
      // a point is led about where it is at first
      if (!row.isCentred) Object.assign(input, { min: value - most, max: value + most });
      row.isCentred = true;
      input.value = value;
      row.tell(value);
    };
    row.tell = (value) => {
      text.textContent = `${readable(Number(value.toPrecision(3)))} ${turns ? "rad" : "m"}`;
      input.setAttribute("aria-valuetext", text.textContent);
    };
    input.addEventListener("input", () => {
      row.isLed = true;
      row.tell(Number(input.value));
      lead(coordinate);
    });
    input.addEventListener("change", () => {
      row.isLed = false;
      if (!playing && !isActuator()) send("release");
    });
    row.line = element("label", { class: "row slider", title }, element("span", {}, label), text, input);
    return row;
  }

  // How strong a load, a torque or a motor is: so many times what the model gives it.
  function makeForceRow({ name, unit, size }) {
    const label = `Lead ${name}`;
    const title = `Leads the ${name} in place of what the model makes of it over time`;
    const input = element("input", { type: "range", class: "lead", min: -mostTimes, max: mostTimes, step: 0.01, "aria-label": label });
    const text = element("output", {});
    const row = { name: "factor", input, isLed: false, isHeld: false };
    row.show = (factor) => {
      if (Math.abs(factor) > input.max) Object.assign(input, { min: -2 * Math.abs(factor), max: 2 * Math.abs(factor) });
      input.value = factor;
      row.tell(factor);
    };
    row.tell = (factor) => {
      const times = `${readable(Number(factor.toPrecision(3)))} ×`;
      text.textContent = unit ? `${readable(Number((factor * size).toPrecision(3)))} ${unit}` : times;
      input.setAttribute("aria-valuetext", text.textContent);
    };
    input.addEventListener("input", () => {
      row.isLed = true;
      row.tell(Number(input.value));
      lead();
    });
    input.addEventListener("change", () => (row.isLed = false));
    row.line = element("label", { class: "row slider", title }, element("span", {}, label), text, input);
    return row;
  }

  return {
    node,
    // `size` is that of a force that can be led.
    show(next, coordinates = [], size = null) {
      const key = JSON.stringify([next, coordinates.length, size]);
      const isSame = key === shown;
      part = next;
      shown = key;
      if (isSame) return;
      rows = size ? [makeForceRow(size)] : coordinates.map(makeRow);
      list.replaceChildren(...rows.map(({ line }) => line));
    },
    // What is led stays where it was put; the others follow the motion.
    showStatus({ lead: led, wishes = [], strengths = [], playing: isPlaying }) {
      playing = isPlaying;
      const wish = wishes.find(({ actuator }) => part === `actuator ${actuator}`);
      release.hidden = !led;
      const strength = strengths.find(({ force }) => part === `force ${force}`);
      giveBack.hidden = !wish && !strength;
      rows.forEach((row, i) => {
        row.isHeld = Boolean(wish) || Boolean(strength) || (Boolean(led) && part === `joint ${led.joint}` && i === led.coordinate);
        if (row.isHeld && !row.isLed) row.show(strength ? strength.factor : wish ? wish.target[i] : led.target);
      });
    },
    // `valueOf(name, i)` is the present value of a coordinate.
    showValues(valueOf) {
      rows.forEach((row, i) => {
        const value = row.isLed || row.isHeld ? undefined : valueOf(row.name, i);
        if (Number.isFinite(value)) row.show(value);
      });
    },
  };
}
