// A labelled scale in the corner of the view: how long things are that lie as far away as what the camera looks at.

import { themeColour } from "../report/appearance.js";
import { element } from "../report/element.js";

const longest = 130;  // pixels
const units = [
  [1e3, "km"],
  [0.1, "m"],
  [1e-4, "mm"],
  [0, "µm"],
];
const metres = { km: 1e3, m: 1, mm: 1e-3, µm: 1e-6 };

export class ScaleBar {
  constructor(parent) {
    this.label = element("span", {});
    this.bar = element("i", {});
    this.node = element("div", { class: "scale", role: "img", "aria-label": "Scale" }, this.label, this.bar);
    parent.append(this.node);
  }

  // The longest of 1, 2, 5, 10 .. that has room.
  place(metresPerPixel) {
    if (metresPerPixel === this.metresPerPixel || !(metresPerPixel > 0)) return;
    this.metresPerPixel = metresPerPixel;
    const most = longest * metresPerPixel;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = [5, 2, 1].map((factor) => factor * power).find((each) => each <= most * (1 + 1e-9));
    const [, unit] = units.find(([least]) => length >= least * (1 - 1e-9));
    this.pixels = length / metresPerPixel;
    this.label.textContent = `${Number((length / metres[unit]).toPrecision(3))} ${unit}`;
    this.bar.style.width = `${this.pixels}px`;
    this.node.setAttribute("aria-label", `Scale: ${this.label.textContent} at the middle of the view`);
  }

  setVisible(visible) {
    this.node.hidden = !visible;
  }

  // The same in a picture of the view, `ratio` pixels of which are one of the screen.
  drawInto(context, ratio) {
    if (this.node.hidden || !this.pixels) return;
    context.save();
    context.scale(ratio, ratio);
    context.translate(16, 18);
    context.fillStyle = context.strokeStyle = themeColour("--text");
    context.font = "12px system-ui, sans-serif";
    context.fillText(this.label.textContent, 0, 6);
    context.lineWidth = 2;
    context.stroke(new Path2D(`M0,12v6h${this.pixels}v-6`));
    context.restore();
  }
}
