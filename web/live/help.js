// What can be done here, by keys and otherwise: shown by `?`.

import { element } from "../report/element.js";

const keys = [
  ["Space", "play or pause"],
  [". and ,", "one step on or back, or one row of a finished run"],
  ["R", "back to the beginning"],
  ["Ctrl+Z", "undo the last change of a value of the model, or the last pose"],
  ["G", "take hold of the selected body, or let go: arrows, Page Up and Page Down pull it"],
  ["T", "turn bodies in place of pulling them, or pull them again"],
  ["L", "a finished run again and again"],
  ["F", "see everything"],
  ["1, 2, 3, 4", "see everything from the front, the side, above, at a slant"],
  ["P", "save a picture of the view (PNG)"],
  ["V", "begin or stop a video of the view (webm), which is saved then"],
  ["Arrows, + and −", "turn the view and go nearer, where it has the focus (Tab)"],
  ["Arrows, +, − and 0", "move, zoom, and show all of the charts, where one has the focus"],
  ["?", "this help"],
];

const gestures = [
  ["Drag a body", "pull it (a simulation that this page steers)"],
  ["Drag a body with Shift", "turn it by a torque; with a finger, press the button for that first (T)"],
  ["Click a body", "its properties, what can be changed of it, and its present values"],
  ["Drag a body while it is paused", "pose the mechanism, with all joints closed; it goes on from there"],
  ["Slider of a joint", "leads its angle or displacement by the hand, until it is told to let go; while it is paused, poses it"],
  ["Sliders of an actuator", "lead it in place of its signal, until it is given back to this"],
  ["Drag beside the bodies", "turn the view; the right button moves it, the wheel goes nearer"],
  ["Slider", "back through a run; a live one goes on from there when it plays, and what came after is discarded"],
  ["Point at a chart", "the numbers of that instant; a click goes there"],
  ["Drag over a chart", "zoom all charts to that time; with Shift move it, with Ctrl the wheel zooms"],
  ["Drop a file", "see a finished run (.h5 or .csv)"],
];

export function buildHelp() {
  const list = (rows, tag) =>
    element("dl", {}, rows.flatMap(([what, text]) => [element("dt", {}, element(tag, {}, what)), element("dd", {}, text)]));
  const close = element("button", { type: "button", class: "close", click: () => dialog.close() }, "Close");
  const dialog = element(
    "dialog",
    { class: "help", "aria-label": "Keys and gestures" },
    element("h2", {}, "Keys"),
    list(keys, "kbd"),
    element("h2", {}, "Mouse and fingers"),
    list(gestures, "span"),
    close,
  );
  document.body.append(dialog);
  function show() {
    dialog.showModal();
    dialog.scrollTop = 0;  // where the button that has the focus is below what is seen
  }
  return { toggle: () => (dialog.open ? dialog.close() : show()) };
}
