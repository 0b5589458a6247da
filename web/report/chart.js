// A chart on its card: title, switches, drawing, legend and note.

import { appearances } from "./appearance.js";
import { offerCsv, offerPng } from "./download.js";
import { element } from "./element.js";
import { buildLegend } from "./legend.js";
import { drawPlot } from "./plot.js";
import { paragraphs } from "./text.js";
import { onThemeChange } from "./theme.js";

const printWidth = 660;

export function buildChart(chart) {
  const looks = appearances(chart.series.map((series) => series.name));
  const logarithmic = { x: chart.logX, y: chart.logY };
  const frame = element("div", { class: "plot", role: "img", "aria-label": chart.title });
  let plot = null;

  const legend = buildLegend({
    chart,
    looks,
    onChange: (shown) => plot.batch(() => shown.forEach((show, i) => plot.setSeries(i + 1, { show }))),
    onPoint: (i) => plot.setSeries(i === null ? null : i + 1, { focus: true }),
  });

  const reset = button("Reset zoom", "Show everything again (double click)", () => plot.showAll());
  reset.hidden = true;

  function draw(width) {
    plot?.destroy();
    plot = drawPlot({
      chart,
      looks,
      shown: legend.shown,
      logX: logarithmic.x,
      logY: logarithmic.y,
      width,
      height: heightFor(width),
      parent: frame,
      onCursor: legend.read,
      onZoom: (zoomed) => (reset.hidden = !zoomed),
    });
  }

  function resize(width) {
    if (width === 0) return;
    if (plot === null) draw(width);
    else if (plot.width !== width) plot.setSize({ width, height: heightFor(width) });
  }

  new ResizeObserver(([entry]) => resize(Math.floor(entry.contentRect.width))).observe(frame);
  onThemeChange(() => plot?.redraw(false));
  addEventListener("beforeprint", () => resize(printWidth));
  addEventListener("afterprint", () => resize(frame.clientWidth));

  function logarithmicSwitch(axis) {
    const node = button(`log ${axis}`, `Logarithmic or linear ${axis} axis`, () => {
      logarithmic[axis] = !logarithmic[axis];
      node.setAttribute("aria-pressed", String(logarithmic[axis]));
      draw(plot.width);
    });
    node.setAttribute("aria-pressed", String(logarithmic[axis]));
    return node;
  }

  return element(
    "figure",
    { class: "card chart" },
    element(
      "figcaption",
      { class: "chart-head" },
      element("h3", {}, chart.title),
      element(
        "div",
        { class: "buttons" },
        reset,
        logarithmicSwitch("x"),
        logarithmicSwitch("y"),
        button("CSV", "Save the data of this chart", () => offerCsv(chart)),
        button("PNG", "Save this chart as a picture", () => offerPng(chart, looks, legend.shown, plot)),
      ),
    ),
    frame,
    legend.node,
    chart.note && element("div", { class: "note" }, paragraphs(chart.note)),
  );
}

function button(label, title, click) {
  return element("button", { type: "button", class: "button", title, click }, label);
}

function heightFor(width) {
  return Math.round(Math.min(Math.max(0.52 * width, 260), 420));
}
