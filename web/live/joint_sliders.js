// Sliders that lead the coordinates of the joint that is selected, by a hand that holds on until it is told to let go. While time
// stands still they pose the mechanism.

import { element } from "../report/element.js";
import { readable } from "../report/numbers.js";

// `reach()` is how far a slide is led, in metres; an angle goes half a turn each way.
export function buildJointSliders(send, reach) {
  let part = "";
  let rows = [];
  let playing = true;
  const release = element("button", { type: "button", class: "text-button small let-go", hidden: true, click: () => send("release") }, "Let go");
  const list = element("div", {});
  const node = element("div", { class: "joint-sliders" }, list, release);

  function makeRow({ name, turns }, coordinate) {
    const label = `Lead ${name.replaceAll("_", " ")}`;
    const most = turns ? Math.PI : Number(reach().toPrecision(2));
    const input = element("input", { type: "range", class: "lead", min: -most, max: most, step: most / 500, "aria-label": label });
    const text = element("output", {});
    const row = { name, input, isLed: false, isHeld: false };
    row.show = (value) => {
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
      send("lead", part.split(" ")[1], coordinate, input.value);
    });
    input.addEventListener("change", () => {
      row.isLed = false;
      if (!playing) send("release");
    });
    row.line = element("label", { class: "row slider", title: "Takes hold of the joint and leads it there; while it is paused, poses the mechanism so" }, element("span", {}, label), text, input);
    return row;
  }

  return {
    node,
    show(next, coordinates = []) {
      const isSame = next === part && coordinates.length === rows.length;
      part = next;
      if (isSame) return;
      rows = coordinates.map(makeRow);
      list.replaceChildren(...rows.map(({ line }) => line));
    },
    // What the hand holds stays where it was put; the others follow the motion.
    showStatus({ lead, playing: isPlaying }) {
      playing = isPlaying;
      release.hidden = !lead;
      rows.forEach((row, i) => {
        row.isHeld = Boolean(lead) && part === `joint ${lead.joint}` && i === lead.coordinate;
        if (row.isHeld && !row.isLed) row.show(lead.target);
      });
    },
    // `valueOf(name)` is the present value of a coordinate.
    showValues(valueOf) {
      for (const row of rows) {
        const value = row.isLed || row.isHeld ? undefined : valueOf(row.name);
        if (Number.isFinite(value)) row.show(value);
      }
    },
  };
}
