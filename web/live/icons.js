// Small drawings for buttons, 20 by 20, in the colour of the text.

import { svgElement } from "../report/element.js";

const paths = {
  play: ["fill", "M6 4l10 6-10 6z"],
  pause: ["fill", "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z"],
  step: ["fill", "M4 4l8 6-8 6zM13 4h2.5v12H13z"],
  back: ["fill", "M16 4l-8 6 8 6zM4.5 4H7v12H4.5z"],
  reset: ["line", "M4.5 10a5.5 5.5 0 1 0 1.8-4.1M6.5 2.5v3.7h3.7"],
  record: ["fill", "M10 4.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z"],
  stop: ["fill", "M5 5h10v10H5z"],
  download: ["line", "M10 3v9M6 8.5l4 4 4-4M4 16.5h12"],
  open: ["line", "M3 15.5V5h5l1.6 2H17v8.5zM3 9.5h14"],
  theme: ["mixed", "M10 3.5a6.5 6.5 0 0 0 0 13z", "M10 3.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z"],
  panel: ["line", "M3 4h14v12H3zM12.5 4v12"],
  headset: ["line", "M3 7h14v7h-4.2l-1.6-2.4H8.8L7.2 14H3z"],
  help: ["line", "M7.3 7.6a2.7 2.7 0 1 1 3.9 2.4c-.8.4-1.2 1-1.2 1.9M10 15.2v.1"],
  loop: ["line", "M6 6h8a3 3 0 0 1 3 3v1M14 14H6a3 3 0 0 1-3-3v-1M4.5 3.5L2 6l2.5 2.5M15.5 11.5L18 14l-2.5 2.5"],
  turn: ["line", "M4 11.5a6.2 6.2 0 0 0 12 0M16.8 8l-.6 3.7-3.6-.9M10 10v.1M7 4.6a6.2 6.2 0 0 1 6 0"],
  home: ["line", "M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4"],
};

export function icon(name) {
  const [kind, ...outlines] = paths[name];
  const shapes = outlines.map((d, i) => {
    const filled = kind === "fill" || (kind === "mixed" && i === 0);
    return svgElement("path", {
      d,
      fill: filled ? "currentColor" : "none",
      stroke: filled ? "none" : "currentColor",
      "stroke-width": 1.7,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    });
  });
  return svgElement("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, shapes);
}
