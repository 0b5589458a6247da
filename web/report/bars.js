// Shares as bars, beside each other for each name, with the interval in which each lies.

import { element } from "./element.js";
import { readable } from "./numbers.js";
import { paragraphs } from "./text.js";

export function buildBars(bars) {
  const most = Math.max(1, ...bars.series.flatMap((series) => series.high));
  const percent = (value) => `${(100 * Math.min(Math.max(value, 0), most)) / most}%`;
  const bar = (series, i, k) =>
    element(
      "div",
      { class: "bar-row", title: `${series.name}: ${readable(series.low[i])} to ${readable(series.high[i])}` },
      element(
        "div",
        { class: "bar-track" },
        element("div", { class: "bar", style: `width: ${percent(series.values[i])}; background: var(--series-${k})` }),
        element("div", {
          class: "bar-range",
          style: `left: ${percent(series.low[i])}; right: calc(100% - ${percent(series.high[i])})`,
        }),
      ),
      element("span", { class: "bar-value" }, readable(Number(series.values[i].toFixed(4)))),
    );
  const rows = bars.labels.map((label, i) =>
    element(
      "div",
      { class: "bar-group" },
      element("div", { class: "bar-label" }, label),
      bars.series.map((series, k) => bar(series, i, k)),
    ),
  );
  const legend = bars.series.map((series, k) =>
    element(
      "span",
      { class: "bar-name" },
      element("span", { class: "bar-swatch", style: `background: var(--series-${k})` }),
      series.name,
    ),
  );
  return element(
    "figure",
    { class: "card bars" },
    element("figcaption", { class: "chart-head" }, element("h3", {}, bars.title), element("div", {}, legend)),
    rows,
    bars.note && element("div", { class: "note" }, paragraphs(bars.note)),
  );
}
