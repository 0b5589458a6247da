// Which bodies are not drawn: a list to choose from, and those that are hidden, each of which a click shows again.

import { element } from "../report/element.js";

export function buildHidden(stage) {
  let names = [];
  const choice = element("select", { class: "hide", change: () => toggle(Number(choice.value), true) });
  const list = element("div", { class: "hidden-bodies", hidden: true });
  const node = element("div", {}, element("label", { class: "row" }, element("span", {}, "Hide"), choice), list);

  function toggle(body, isHidden) {
    if (isHidden) stage.hidden.add(body);
    else stage.hidden.delete(body);
    stage.hide(stage.hidden);
    show();
  }

  function showAll() {
    stage.hide(new Set());
    show();
    choice.focus();
  }

  function show() {
    const hidden = [...stage.hidden].sort((a, b) => a - b);
    const offered = names.map((name, i) => ({ name, i })).filter(({ i }) => !stage.hidden.has(i));
    choice.replaceChildren(
      element("option", { value: "", disabled: true }, "a body …"),
      ...offered.map(({ name, i }) => element("option", { value: i }, name)),
    );
    choice.value = "";
    list.hidden = hidden.length === 0;
    list.replaceChildren(
      ...hidden.map((i) =>
        element("button", { type: "button", class: "text-button small", title: `Show ${names[i]} again`, click: () => toggle(i, false) }, `${names[i]} ×`),
      ),
      element("button", { type: "button", class: "text-button small show-all", click: showAll }, "Show all"),
    );
  }

  return {
    node,
    showScene(scene) {
      names = scene.bodies.map(({ name }) => name);
      show();
    },
  };
}
