// What is shown in the view and from where, what the camera goes along with, and pictures of it.

import { element } from "../report/element.js";
import { buildCapture } from "./capture.js";
import { buildHidden } from "./hidden_bodies.js";
import { onKey } from "./keys.js";
import { logarithmicSlider } from "./slider.js";

export function buildView(stage) {
  const toggle = (key, label) => {
    const box = element("input", { type: "checkbox" });
    box.checked = stage.shown[key];
    box.addEventListener("change", () => {
      stage.choose({ [key]: box.checked });
      ghostsEvery.node.hidden = !stage.shown.ghosts;
    });
    return element("label", { class: "check" }, box, label);
  };
  const follow = element("select", { class: "follow", change: () => stage.follow(Number(follow.value)) });
  const jointSize = logarithmicSlider("Joint size", "How large joints are drawn", [0.2, 5], "×");
  jointSize.show(stage.shown.jointScale);
  jointSize.onChange = () => stage.choose({ jointScale: jointSize.value() });
  const ghostsEvery = logarithmicSlider("A ghost every", "How often a faint copy of the mechanism stays behind", [0.02, 5], "s");
  ghostsEvery.show(stage.shown.ghostsEvery);
  ghostsEvery.onChange = () => stage.choose({ ghostsEvery: ghostsEvery.value() });
  ghostsEvery.node.hidden = !stage.shown.ghosts;
  const from = (name, label, key, what) => {
    const look = () => stage.mechanism && stage.lookAtAll(name);
    onKey(key, look);
    return element("button", { type: "button", class: "text-button small", title: `${what} (${key})`, click: look }, label);
  };
  const viewpoints = element(
    "div",
    { class: "row" },
    element("span", {}, "From"),
    element(
      "span",
      { class: "viewpoints", role: "group", "aria-label": "See everything from" },
      from("front", "Front", "1", "See everything from the front"),
      from("side", "Side", "2", "See everything from the right side"),
      from("top", "Top", "3", "See everything from above"),
      from("slanting", "Iso", "4", "See everything at a slant"),
    ),
  );
  const hidden = buildHidden(stage);
  const capture = buildCapture(stage);
  const node = element(
    "section",
    { class: "what-is-seen" },
    element("h2", {}, "View"),
    element(
      "div",
      { class: "checks" },
      toggle("trails", "Trails"),
      toggle("joints", "Joints"),
      toggle("forces", "Forces"),
      toggle("glass", "See through"),
      toggle("scale", "Scale"),
      toggle("ghosts", "Ghosts"),
    ),
    ghostsEvery.node,
    jointSize.node,
    viewpoints,
    hidden.node,
    element("label", { class: "row" }, element("span", {}, "Follow"), follow),
    capture.node,
  );
  return {
    node,
    showScene(scene) {
      capture.showScene(scene);
      hidden.showScene(scene);
      const bodies = scene.bodies.map(({ name }, i) => element("option", { value: i }, name));
      follow.replaceChildren(element("option", { value: -1 }, "nothing"), ...bodies);
    },
  };
}
