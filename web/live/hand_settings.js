// The law by which the hand pulls, how soon a body follows, and how strong the hand is.

import { element } from "../report/element.js";
import { logarithmicSlider } from "./slider.js";

const range = { time: [0.01, 1], force: [1e-2, 1e6] };

// The methods of docs/control.md.
const laws = {
  "receding-horizon": ["Receding horizon", "Looks ahead: follows closely."],
  "critically-damped": ["Critically damped spring", "Lags behind a moving hand by two time constants."],
  servo: ["Servo constraint", "The force that brings the body to the hand at a rate; jumps are answered with all of it."],
  l2: ["Optimal step, L2", "A spring without a damper: the body swings about a hand that moves."],
  "h1-neumann": ["Optimal step, H1 Neumann", "A spring without a damper, a little softer."],
  "h1-mixed": ["Optimal step, H1 mixed", "A spring without a damper whose force is continuous: it lags."],
};

export function buildHandSettings(send) {
  const law = element("select", { class: "law" }, Object.entries(laws).map(([name, [title]]) => element("option", { value: name }, title)));
  const time = logarithmicSlider("Time constant", "How soon the body comes to the hand", range.time, "s");
  const force = logarithmicSlider("Largest force", "The hand pulls no harder than this", range.force, "N");
  const hint = element("p", { class: "hint" });
  const node = element(
    "section",
    { class: "live-only hand" },
    element("h2", {}, "Hand"),
    element("label", { class: "row" }, element("span", {}, "Law"), law),
    time.node,
    force.node,
    hint,
  );
  const changed = () => send("law", law.value, time.value(), force.value());
  time.onChange = force.onChange = changed;
  law.addEventListener("change", changed);

  return {
    node,
    showStatus(status) {
      law.value = status.law;
      time.show(status.timeConstant);
      force.show(status.largestForce);
      const change = status.pullable ? "" : ` (${status.integrator} gives way to director-em then)`;
      const use = `Take hold of a body and pull it${change}; drag beside the bodies to turn the view.`;
      const calm = "A hand that holds still steadies the whole mechanism. While it is paused a pull poses it.";
      hint.textContent = `${laws[status.law]?.[1] ?? ""} ${use} ${calm}`;
    },
  };
}
