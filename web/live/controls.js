// What people press and choose: the dock with the clock, the settings of the simulation and of the hand, the recording.

import { element } from "../report/element.js";
import { readable } from "../report/numbers.js";
import { buildDock } from "./dock.js";
import { lengthOf } from "./frame.js";
import { buildHandSettings } from "./hand_settings.js";

const microsecond = 1e-6;

export function buildControls(layout, { send, player, stage }) {
  let scene = null;
  const dock = buildDock(layout.dock, { send, player, stage, isRun: () => scene?.mode === "run" });
  const method = buildMethod(send);
  const hand = buildHandSettings(send);
  const view = buildView(stage);
  const facts = buildFacts(layout.facts);
  const failure = element("p", { class: "failure", hidden: true });
  layout.settings.append(failure, method.node, hand.node, view);
  layout.bar.models.addEventListener("change", () => {
    const name = layout.bar.models.value;
    if (name) send("example", name);
  });

  return {
    showScene(next) {
      scene = next;
      document.title = `${scene.name} – polhode`;
      document.body.classList.toggle("run", scene.mode === "run");
      showModels(layout.bar.models, scene);
      method.showScene(scene);
      dock.showScene(scene);
      facts.showScene(scene);
    },
    showStatus(status) {
      failure.hidden = !status.failure;
      failure.textContent = status.failure ? `Stopped: ${status.failure}` : "";
      method.showStatus(status);
      hand.showStatus(status);
      dock.showStatus(status);
    },
    showSeat(seat) {
      document.body.classList.toggle("watching", !seat.steering);
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
    showFrame(frame) {
      dock.showFrame(frame);
      facts.showFrame(frame);
    },
  };
}

// The examples, and what is shown now where it is none of them.
function showModels(select, scene) {
  const options = scene.examples.map(({ name, title }) => element("option", { value: name }, title));
  if (!scene.examples.some(({ name }) => name === scene.source)) {
    const title = scene.mode === "run" ? `Run: ${scene.source}` : scene.name;
    options.unshift(element("option", { value: "" }, title));
  }
  select.replaceChildren(...options);
  select.value = scene.examples.some(({ name }) => name === scene.source) ? scene.source : "";
}

// The integrator, and its step or its tolerance.
function buildMethod(send) {
  let adaptive = {};
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
  let usesTolerance = false;
  integrator.addEventListener("change", () => {
    // a scheme of fixed step begins with a step that suits most mechanisms
    if (adaptive[integrator.value]?.adaptive === false && usesTolerance) send("stepsize", 0.001);
    send("integrator", integrator.value);
  });
  step.addEventListener("change", () => send(usesTolerance ? "tolerance" : "stepsize", step.value.trim()));

  return {
    node,
    showScene(scene) {
      adaptive = Object.fromEntries(scene.integrators.map((info) => [info.name, info]));
      integrator.replaceChildren(
        ...scene.integrators.map((info) => element("option", { value: info.name, title: info.summary }, info.name)),
      );
    },
    showStatus(status) {
      if (!status.integrator) return;
      if (!(status.integrator in adaptive)) integrator.append(element("option", { value: status.integrator }, status.integrator));
      integrator.value = status.integrator;
      const info = adaptive[status.integrator];
      summary.textContent = info ? info.summary : "";
      usesTolerance = Boolean(info?.adaptive) || status.step === null;
      name.textContent = usesTolerance ? "Tolerance" : "Step";
      unit.textContent = usesTolerance ? "" : "s";
      if (document.activeElement !== step) step.value = usesTolerance ? status.tolerance : status.step;
    },
  };
}

// What is shown in the view.
function buildView(stage) {
  const toggle = (key, label) => {
    const box = element("input", { type: "checkbox" });
    box.checked = stage.shown[key];
    box.addEventListener("change", () => stage.choose({ [key]: box.checked }));
    return element("label", { class: "check" }, box, label);
  };
  return element(
    "section",
    {},
    element("h2", {}, "View"),
    element("div", { class: "checks" }, toggle("trails", "Trails"), toggle("joints", "Joints"), toggle("forces", "Forces")),
  );
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
    fact("force", "hand", "The force with which the hand pulls"),
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
      values.force.textContent = frame.pulledBody < 0 ? "–" : `${readable(Number(lengthOf(frame.pullForce).toPrecision(3)))} N`;
    },
  };
}

function duration(seconds) {
  if (seconds === 0) return "–";
  if (seconds < 1e3 * microsecond) return `${readable(Number((seconds / microsecond).toPrecision(3)))} µs`;
  return `${readable(Number((seconds * 1e3).toPrecision(3)))} ms`;
}
