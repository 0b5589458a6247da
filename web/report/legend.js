// The legend of a chart: an entry for each series with its value under the crosshair. A click hides or shows
// the series, a click with the shift key shows it alone.

import { markerOutline } from "./appearance.js";
import { element, svgElement } from "./element.js";
import { readable } from "./numbers.js";

// onChange(shown) hears which series are shown, onPoint(i) which entry the pointer is on (null for none).
export function buildLegend({ chart, looks, onChange, onPoint }) {
  const shown = chart.series.map((_, i) => i < (chart.shownAtFirst ?? Infinity));
  const abscissa = element("span", { class: "legend-x" });
  const values = chart.series.map(() => element("span", { class: "legend-value" }));
  const entries = chart.series.map((series, i) =>
    element(
      "button",
      {
        type: "button",
        class: "legend-entry",
        "aria-pressed": String(shown[i]),
        title: "Click to hide or show; with the shift key, show this one alone",
        click: (event) => toggle(i, event.shiftKey),
        pointerenter: () => onPoint(shown[i] ? i : null),
        pointerleave: () => onPoint(null),
      },
      swatch(series, looks[i]),
      element("span", { class: "legend-name" }, series.name),
      values[i],
    ),
  );

  function toggle(i, alone) {
    const isAlone = shown.every((isShown, k) => isShown === (k === i));
    shown.forEach((isShown, k) => {
      if (alone) shown[k] = isAlone || k === i;
      else if (k === i) shown[k] = !isShown;
    });
    entries.forEach((entry, k) => entry.setAttribute("aria-pressed", String(shown[k])));
    onChange(shown);
  }

  function read(reading) {
    abscissa.textContent = reading ? `${chart.xLabel || "x"}: ${readable(reading.x)}` : "";
    values.forEach((value, i) => {
      const number = reading?.values[i];
      value.textContent = number == null || !shown[i] ? "" : readable(number);
    });
  }

  const longest = Math.max(0, ...chart.series.map((series) => series.name.length));
  const list = element(
    "div",
    { class: "legend-entries", style: `--name-length: ${0.9 * longest}ch` },
    entries,
  );
  const node = element("div", { class: "legend" }, list, abscissa);
  return { node, shown, read };
}

function swatch(series, look) {
  const colour = `var(${look.colour})`;
  return svgElement(
    "svg",
    { class: "legend-swatch", viewBox: "0 0 34 14", width: 34, height: 14, "aria-hidden": "true" },
    series.line &&
      svgElement("path", {
        d: "M0,7H34",
        stroke: colour,
        "stroke-width": 2,
        "stroke-dasharray": look.dash.join(" "),
      }),
    series.points && svgElement("path", { d: markerOutline(look.marker, 17, 7, 4), fill: colour }),
  );
}
