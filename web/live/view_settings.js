// What is shown in the view, what the camera goes along with, and pictures of it.

import { element } from "../report/element.js";
import { buildCapture } from "./capture.js";
import { logarithmicSlider } from "./slider.js";

export function buildView(stage) {
  const toggle = (key, label) => {
    const box = element("input", { type: "checkbox" });
    box.checked = stage.shown[key];
    box.addEventListener("change", () => stage.choose({ [key]: box.checked }));
    return element("label", { class: "check" }, box, label);
  };
  const follow = element("select", { class: "follow", change: () => stage.follow(Number(follow.value)) });
  const jointSize = logarithmicSlider("Joint size", "How large joints are drawn", [0.2, 5], "×");
  jointSize.show(stage.shown.jointScale);
  jointSize.onChange = () => stage.choose({ jointScale: jointSize.value() });
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
    ),
    jointSize.node,
    element("label", { class: "row" }, element("span", {}, "Follow"), follow),
    capture.node,
  );
  return {
    node,
    showScene(scene) {
      capture.showScene(scene);
      const bodies = scene.bodies.map(({ name }, i) => element("option", { value: i }, name));
      follow.replaceChildren(element("option", { value: -1 }, "nothing"), ...bodies);
    },
  };
}
