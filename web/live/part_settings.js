// What can be changed of the part that is selected, as its model file says it (src/server/part_settings.h), and the way back.
// A value that the server refuses leaves everything as it was, and a notice says why.

import { element } from "../report/element.js";

export function buildPartSettings(send) {
  let part = "";
  let rows = [];
  let undoable = false;
  let steering = true;
  const node = element("div", { class: "part-settings" });
  const undoButton = element("button", { type: "button", class: "undo", title: "Undo the last change (Ctrl+Z)", click: undo }, "Undo");
  const changes = element("code", {});
  const changed = element("p", { class: "hint changed", hidden: true }, element("span", {}, "Changed: ", changes), undoButton);

  function undo() {
    if (undoable && steering) send("undo");
  }

  function makeRow({ key, label, example }) {
    const input = element("input", { class: "number setting", size: 8, placeholder: example, autocomplete: "off", spellcheck: "false" });
    const unit = element("span", { class: "unit" });
    const line = element("label", { class: "row" }, element("span", {}, label), element("span", { class: "field" }, input, unit));
    const row = { key, input, unit, line, text: "" };
    const leave = () => (input.value = row.text);
    input.addEventListener("change", () => {
      const value = input.value.trim();
      if (value && value !== row.text) send("set", part, key, value);
      leave();  // until the server has taken it
    });
    input.addEventListener("keydown", (event) => event.key === "Escape" && leave());
    return row;
  }

  // Ctrl+Z in a field that is being written in is the browser's own.
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "z") return;
    const row = rows.find(({ input }) => input === event.target);
    const isWritten = row ? row.input.value !== row.text : event.target.matches("input:not([type=range], [type=checkbox]), textarea");
    if (isWritten || !undoable) return;
    event.preventDefault();
    undo();
  });

  return {
    node,
    changed,
    show(next, settings = []) {
      const isSame = next === part && settings.length === rows.length && settings.every(({ key }, i) => key === rows[i].key);
      part = next;
      if (!isSame) {
        rows = settings.map(makeRow);
        node.replaceChildren(...rows.map(({ line }) => line));
      }
      settings.forEach(({ text, unit }, i) => {
        const row = rows[i];
        if (row.input.value === row.text) row.input.value = text;
        row.text = text;
        row.unit.textContent = unit;
        row.input.title = text;  // which may be longer than the field
      });
    },
    showStatus(status) {
      undoable = Boolean(status.undoable);
      changed.hidden = !undoable;
      const poses = status.poses > 0 ? ["where the bodies stand"] : [];
      changes.textContent = [...(status.changes ?? []), ...poses].join("  ") || "nothing any more";
    },
    showSeat: (seat) => ({ steering } = seat),
  };
}
