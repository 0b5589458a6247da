// A slider whose positions are powers of ten, so that small and large values are as easy to find.

import { element } from "../report/element.js";
import { readable } from "../report/numbers.js";

export function logarithmicSlider(label, title, [low, high], unit) {
  const input = element("input", { type: "range", min: Math.log10(low), max: Math.log10(high), step: 0.02, "aria-label": label });
  const text = element("output", {});
  const self = {
    onChange: () => {},
    node: element("label", { class: "row slider", title }, element("span", {}, label), text, input),
    value: () => Number((10 ** Number(input.value)).toPrecision(3)),
    show(value) {
      if (document.activeElement !== input) input.value = Math.log10(Math.min(high, Math.max(low, value)));
      showText(value);
    },
  };
  // people who hear the page are told the value, not its logarithm
  function showText(value) {
    text.textContent = `${readable(Number(value.toPrecision(3)))} ${unit}`;
    input.setAttribute("aria-valuetext", text.textContent);
  }
  input.addEventListener("input", () => {
    showText(self.value());
    self.onChange();
  });
  return self;
}
