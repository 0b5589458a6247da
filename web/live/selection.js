// What is selected, by a click on it or by its name: its properties, what can be changed of it, and its present values, each
// of which a click puts on a chart. Of a live run the server tells the values of the selected part and of those that are on charts behind
// each frame (src/server/watched.h); those of a finished one are fetched part by part, for all of its time (told_part.js).

import { element } from "../report/element.js";
import { readable, readableUnit } from "../report/numbers.js";
import { frameLength, headLength } from "./frame.js";
import { buildLeadSliders } from "./lead_sliders.js";
import { buildPartSettings } from "./part_settings.js";
import { fetchToldPart } from "./told_part.js";

const interval = 100;  // milliseconds between two readings
const mostParts = 8;  // on charts; with the one that is selected the server tells of nine (src/server/command.cpp)

export function buildSelection({ send, charts, reach, say }) {
  let scene = null;
  let watched = {};  // by part, "joint 2", as the status tells, or as it was fetched
  let length = 0;  // of all their numbers
  let rows = [];
  let pins = [];
  let read = 0;
  let present = null;  // the frame that is seen
  const choice = element("select", { class: "selected", "aria-label": "Selected part" });
  const properties = element("dl", { class: "properties" });
  const settings = buildPartSettings(send);
  const sliders = buildLeadSliders(send, reach);
  const values = element("div", { class: "quantities" });
  const node = element(
    "section",
    { class: "selection", hidden: Boolean(window.polhodeRun) },
    element("h2", {}, "Selected"),
    element("label", { class: "row" }, element("span", {}, "Part"), choice),
    properties,
    settings.node,
    settings.changed,
    sliders.node,
    values,
  );
  choice.addEventListener("change", () => watch());

  const partOf = ({ kind, index }) => `${kind} ${index}`;
  const nameOf = (part) => [...choice.options].find(({ value }) => value === part)?.textContent ?? part;

  const isRun = () => scene?.mode === "run";

  function watch() {
    const parts = [...new Set([choice.value, ...pins.map(({ part }) => part)])].filter(Boolean);
    if (isRun()) fetchOnce(choice.value);
    else send("watch", ...parts);
    show();  // what the server tells of already, another page or this one before it was opened again
  }

  async function fetchOnce(part) {
    if (!part || watched[part]) return;
    const of = scene;
    try {
      const told = await fetchToldPart(part);
      if (of !== scene) return;  // another run is seen by now
      watched[part] = told;
      show();
    } catch (error) {
      say(`The values of ${nameOf(part)} cannot be shown: ${error.message}`);
    }
  }

  // The numbers of a quantity in a frame; none where the frame was made before the server heard of the part.
  function numbersOf(frame, part, name) {
    const quantity = watched[part]?.quantities.find((each) => each.name === name);
    if (quantity && isRun()) {
      const row = watched[part].rowOf(frame);
      return row.subarray(quantity.start, quantity.start + Math.max(1, quantity.components.length));
    }
    const before = frameLength(scene) - headLength;
    if (!quantity || frame.bodies.length !== before + length) return null;
    const start = before + quantity.start;
    return frame.bodies.subarray(start, start + Math.max(1, quantity.components.length));
  }

  function pin(part, { name, unit, components }) {
    const lines = (components.length > 0 ? components : ["value"]).map((line, i) => ({
      name: line,
      value: (frame) => numbersOf(frame, part, name)?.[i] ?? NaN,
    }));
    const chart = charts.pin({ title: `${nameOf(part)}: ${worded(name)}`, unit: readableUnit(unit), lines });
    pins.push({ part, name, chart });
  }

  function toggle(part, quantity) {
    const pinned = pins.find((each) => each.part === part && each.name === quantity.name);
    if (pinned) {
      charts.unpin(pinned.chart);
      pins = pins.filter((each) => each !== pinned);
    } else {
      const parts = new Set([part, ...pins.map((each) => each.part)]);
      if (parts.size > mostParts && !isRun())
        return say(`Quantities of ${mostParts} parts are on charts already, which is all there may be; take those of one off (−) first.`);
      pin(part, quantity);
    }
    watch();
  }

  // The rows of the part that is selected.
  function show() {
    const part = choice.value;
    const told = watched[part];
    const labels = (told?.settings ?? []).map(({ label }) => label);
    const fixed = (told?.properties ?? []).filter(([name]) => !labels.some((label) => name.startsWith(label)));
    settings.show(part, told?.settings);
    sliders.show(part, told?.coordinates, told?.size);
    properties.replaceChildren(
      ...fixed.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
    rows = (told?.quantities ?? []).map((quantity) => {
      const isPinned = pins.some((each) => each.part === part && each.name === quantity.name);
      const value = element("b", {});
      const what = `${worded(quantity.name)} ${isPinned ? "off the charts" : "onto a chart"}`;
      const button = element(
        "button",
        { type: "button", class: "pin", title: what, "aria-label": what, "aria-pressed": String(isPinned), click: () => toggle(part, quantity) },
        isPinned ? "−" : "+",
      );
      const line = element("div", { class: "quantity" }, element("span", {}, worded(quantity.name)), value, button);
      return { part, quantity, value, line };
    });
    values.replaceChildren(...rows.map(({ line }) => line));
    showFrame(present);  // while it is paused there may be no other one
    read = 0;
  }

  function showFrame(frame) {
    present = frame;
    if (!frame || rows.length === 0 || (!isRun() && performance.now() - read < interval)) return;
    read = performance.now();
    // of an actuator what it follows, of a joint its coordinates
    const led = (name, i) => numbersOf(frame, choice.value, "follows")?.[i] ?? numbersOf(frame, choice.value, name)?.[0];
    sliders.showValues(led);
    for (const { part, quantity, value } of rows) {
      const numbers = numbersOf(frame, part, quantity.name);
      if (numbers) value.textContent = `${[...numbers].map(rounded).join("  ")} ${readableUnit(quantity.unit)}`;
    }
  }

  return {
    node,
    showFrame,
    select(part) {
      choice.value = part;
      watch();
    },
    selectedBody() {
      const [kind, index] = choice.value.split(" ");
      return kind === "body" ? Number(index) : -1;
    },
    showScene(next) {
      scene = next;
      pins = [];
      watched = {};
      length = 0;
      present = null;
      const group = (label, kind, names) =>
        names.length > 0 && element("optgroup", { label }, names.map((name, i) => element("option", { value: `${kind} ${i}` }, name)));
      const named = (all) => all.map(({ name }) => name);
      choice.replaceChildren(
        element("option", { value: "" }, "nothing"),
        ...[
          group("Bodies", "body", named(scene.bodies)),
          group("Joints", "joint", named(scene.joints)),
          group("Forces", "force", scene.forceNames ?? []),
          group("Actuators", "actuator", scene.actuators ?? []),
          scene.mode === "live" && group("Model", "model", ["gravity and parameters"]),
        ].filter(Boolean),
      );
      show();
    },
    showSeat: settings.showSeat,
    showStatus(status) {
      settings.showStatus(status);
      sliders.showStatus(status);
      if (isRun()) return;
      const told = JSON.stringify(status.watched ?? []);
      if (told === JSON.stringify(Object.values(watched))) return;
      watched = Object.fromEntries((status.watched ?? []).map((each) => [partOf(each), each]));
      const quantities = Object.values(watched).flatMap((each) => each.quantities);
      length = quantities.reduce((sum, { components }) => sum + Math.max(1, components.length), 0);
      show();
    },
  };
}

const rounded = (number) => (Number.isFinite(number) ? readable(Number(number.toPrecision(4))) : "–");
const worded = (name) => name.replaceAll("_", " ");
