// What people press and choose: the dock with the clock, the settings of the simulation and of the hand, the recording.

import { element } from "../report/element.js";
import { readable } from "../report/numbers.js";
import { buildDock } from "./dock.js";
import { pullText } from "./frame.js";
import { buildHandMode } from "./hand_mode.js";
import { buildHandSettings } from "./hand_settings.js";
import { buildSelection } from "./selection.js";
import { buildView } from "./view_settings.js";

const microsecond = 1e-6;

export function buildControls(layout, { send, player, stage, charts, say }) {
  let scene = null;
  let steering = true;
  const mode = buildHandMode();
  const isRun = () => scene?.mode === "run";
  const dock = buildDock(layout.dock, { send, player, stage, help: layout.help, isRun, modes: [mode.button] });
  const method = buildMethod(send, say);
  const hand = buildHandSettings(send);
  const view = buildView(stage);
  const selection = buildSelection({ send, charts, say, reach: () => stage.size ?? 1 });
  const facts = buildFacts(layout.facts);
  const failure = element("p", { class: "failure", hidden: true });
  const recordings = buildRecordings(send);
  layout.settings.append(failure, recordings.node, selection.node, method.node, hand.node, view.node);
  layout.bar.models.addEventListener("change", () => {
    if (layout.bar.models.value) send(layout.bar.models.value);
  });

  // Who watches may look at everything and change nothing, by keys neither; what a finished run tells everybody may ask.
  function enable() {
    for (const part of [method.node, hand.node, layout.bar.models, layout.bar.open]) part.inert = !steering;
    selection.node.inert = !steering && !isRun();
  }

  return {
    // The scene that is shown, with another value of its model.
    showChanged(next) {
      scene = next;
      method.showScene(scene);
    },
    showScene(next) {
      scene = next;
      document.title = `${scene.name} – polhode`;
      document.body.classList.toggle("run", scene.mode === "run");
      showModels(layout.bar.models, scene, {});
      enable();
      method.showScene(scene);
      view.showScene(scene);
      selection.showScene(scene);
      dock.showScene(scene);
      facts.showScene(scene);
    },
    showStatus(status) {
      if (scene && document.activeElement !== layout.bar.models) showModels(layout.bar.models, scene, status);
      failure.hidden = !status.failure;
      failure.textContent = status.failure ? `Stopped: ${status.failure}` : "";
      method.showStatus(status);
      hand.showStatus(status);
      if (scene) selection.showStatus(status);
      dock.showStatus(status);
      recordings.showStatus(status);
    },
    showSeat(seat) {
      document.body.classList.toggle("watching", !seat.steering);
      steering = seat.steering;
      enable();
      recordings.showSeat(seat);
      selection.showSeat(seat);
      dock.showSeat(seat);
      const others = seat.pages - 1;
      layout.bar.seat.replaceChildren(
        seat.steering
          ? others > 0
            ? `${others} more ${others > 1 ? "pages watch" : "page watches"}`
            : ""
          : element("button", { type: "button", class: "take-over", click: () => send("steer") }, "Watching – take over"),
      );
    },
    showRun: (run) => dock.showRun(run),
    // By a click; of a live run by those who steer it.
    select: ({ kind, index }) => !selection.node.inert && selection.select(`${kind} ${index}`),
    selectedBody: () => selection.selectedBody(),
    turns: mode.turns,
    showFrame(frame) {
      selection.showFrame(frame);
      dock.showFrame(frame);
      facts.showFrame(frame);
    },
  };
}

// What can be chosen: what was opened here, then the examples. A value is the command that chooses it.
function showModels(select, scene, { own = [], chosen = "" }) {
  const options = own.map(({ number, title }) => element("option", { value: `own ${number}` }, title));
  const examples = scene.examples.map(({ name, title }) => element("option", { value: `example ${name}` }, title));
  if (options.length === 0 && examples.length === 0) options.push(element("option", { value: "" }, scene.name));
  select.replaceChildren(...options, ...examples);
  select.value = chosen;
}

// What the server takes (src/server/command.cpp).
const limits = { step: [1e-6, 1], tolerance: [1e-14, 0.1] };
const usualStep = 0.001;  // suits most mechanisms

// The integrator, and its step or its tolerance.
function buildMethod(send, say) {
  let known = {};
  let status = {};
  let lastStep = usualStep;
  let usesTolerance = false;
  const integrator = element("select", { class: "integrator" });
  const step = element("input", { class: "number step", inputmode: "decimal", size: 8 });
  const unit = element("span", { class: "unit" });
  const summary = element("p", { class: "hint" });
  const name = element("span", {}, "Step");
  const node = element(
    "section",
    { class: "live-only" },
    element("h2", {}, "Simulation"),
    element("label", { class: "row" }, element("span", {}, "Integrator"), integrator),
    element("label", { class: "row" }, name, element("span", { class: "field" }, step, unit)),
    summary,
  );
  const showValue = () => (step.value = (usesTolerance ? status.tolerance : status.step) ?? "");
  integrator.addEventListener("change", () => {
    // a scheme of fixed step takes up the last one that was used
    if (known[integrator.value]?.adaptive === false && status.step === null) send("stepsize", lastStep);
    send("integrator", integrator.value);
  });
  step.addEventListener("change", () => {
    const [least, most] = usesTolerance ? limits.tolerance : limits.step;
    const number = Number(step.value.trim().replace(",", "."));
    if (step.value.trim() !== "" && number >= least && number <= most) {
      send(usesTolerance ? "tolerance" : "stepsize", number);
    } else {
      const what = usesTolerance ? "A tolerance" : "A step";
      say(`${what} is a number from ${least} to ${most}${usesTolerance ? "" : " s"}; '${step.value}' is not taken.`);
      showValue();
    }
  });

  return {
    node,
    showScene(scene) {
      known = Object.fromEntries(scene.integrators.map((info) => [info.name, info]));
      integrator.replaceChildren(
        ...scene.integrators.map((info) => element("option", { value: info.name, title: info.summary }, info.name)),
      );
    },
    showStatus(next) {
      if (!next.integrator) return;
      status = next;
      lastStep = status.step ?? lastStep;
      if (!(status.integrator in known)) integrator.append(element("option", { value: status.integrator }, status.integrator));
      integrator.value = status.integrator;
      const info = known[status.integrator];
      summary.textContent = info ? info.summary : "";
      usesTolerance = Boolean(info?.adaptive) || status.step === null;
      name.textContent = usesTolerance ? "Tolerance" : "Step";
      unit.textContent = usesTolerance ? "" : "s";
      if (document.activeElement !== step) showValue();
    },
  };
}

// What was recorded here, each with its files and to be seen again.
function buildRecordings(send) {
  const list = element("ul", { class: "recordings" });
  const node = element("section", { hidden: true }, element("h2", {}, "Recordings"), list);
  let steering = true;
  let shown = "";
  const link = (number, name, ending) =>
    element("a", { href: `/recordings/${number}${ending}`, download: name + ending, title: `Download ${name}${ending}` }, ending);
  const enable = () => list.querySelectorAll("button, input").forEach((part) => (part.disabled = !steering));

  // The server has the last word on a name; until then it is what it was.
  function nameField(number, name) {
    const field = element("input", { class: "number recording-name", value: name, maxlength: 60, spellcheck: "false", autocomplete: "off", "aria-label": `Name of recording ${number}` });
    field.addEventListener("change", () => {
      const next = field.value.trim();
      field.value = name;
      if (next && next !== name) send("name", number, next);
    });
    field.addEventListener("keydown", ({ key }) => key === "Escape" && (field.value = name));
    return field;
  }

  return {
    node,
    showStatus({ recordings = [] }) {
      node.hidden = recordings.length === 0;
      const told = JSON.stringify(recordings);
      if (told === shown) return;
      shown = told;
      list.replaceChildren(
        ...recordings.map(({ number, name, seconds }) =>
          element(
            "li",
            {},
            nameField(number, name),
            element("span", { class: "unit" }, `${readable(Number(seconds.toPrecision(3)))} s`),
            element("button", { type: "button", class: "replay", title: `See ${name} again`, click: () => send("replay", number) }, "See"),
            link(number, name, ".h5"),
            link(number, name, ".csv"),
          ),
        ),
      );
      enable();
    },
    showSeat(seat) {
      ({ steering } = seat);
      enable();
    },
  };
}

// Numbers that are read at a glance.
function buildFacts(parent) {
  const values = {};
  const fact = (key, label, title) => {
    values[key] = element("b", {}, "–");
    return element("div", { class: "fact live-only", title }, values[key], element("span", {}, label));
  };
  parent.append(
    fact("factor", "× real time", "Simulated seconds a second"),
    fact("load", "of one core", "Share of one processor core that the simulation takes"),
    fact("mean", "a step", "Mean time of one step of the integrator"),
    fact("worst", "worst step", "The longest step of the last minute"),
    fact("gap", "joint gap", "The largest gap of a joint, at the end of the last step"),
    fact("force", "hand", "The force or the torque of the hand"),
  );
  let shown = 0;
  return {
    showScene() {
      shown = 0;
    },
    showFrame(frame) {
      // four times a second is what people can read
      if (performance.now() - shown < 250) return;
      shown = performance.now();
      const isMeasured = frame.meanStep > 0;
      values.factor.textContent = isMeasured ? frame.realTimeFactor.toFixed(2) : "–";
      values.load.textContent = isMeasured ? `${(100 * frame.load).toFixed(frame.load < 0.1 ? 1 : 0)} %` : "–";
      values.mean.textContent = duration(frame.meanStep);
      values.worst.textContent = duration(frame.worstStep);
      values.gap.textContent = `${readable(Number(frame.gap.toPrecision(2))).replace(/\.?0+ ×/, " ×")} m`;
      values.force.textContent = frame.pulledBody < 0 ? "–" : pullText(frame);
    },
  };
}

function duration(seconds) {
  if (seconds === 0) return "–";
  if (seconds < 1e3 * microsecond) return `${readable(Number((seconds / microsecond).toPrecision(3)))} µs`;
  return `${readable(Number((seconds * 1e3).toPrecision(3)))} ms`;
}
