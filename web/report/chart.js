// A chart on its card: title, switches, drawing, legend and note.

import { appearances } from "./appearance.js";
import { valueAt } from "./curves.js";
import { offerCsv, offerPng } from "./download.js";
import { element } from "./element.js";
import { buildLegend } from "./legend.js";
import { linkWithMembers } from "./members.js";
import { navigate } from "./navigate.js";
import { drawPlot } from "./plot.js";
import { paragraphs } from "./text.js";
import { onThemeChange } from "./theme.js";

const printWidth = 660;

// With a clock the chart shows its time, tells the values there, and a click on the chart sets it. With members a click
// on a point chooses one.
export function buildChart(chart, { clock = null, members = null } = {}) {
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

  if (clock) linkWithClock({ chart, clock, frame, legend, plotOf: () => plot });
  const markMember = linkWithMembers({ chart, members, frame, plotOf: () => plot });

  navigate(frame, {
    plotOf: () => plot,
    show: (min, max) => plot.setScale("x", { min, max }),
    showAll: () => plot.showAll(),
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
      onCursor: (reading) => legend.read(reading ?? (clock && readingAt(chart, clock.time))),
      onZoom: (zoomed) => {
        reset.hidden = !zoomed;
        markMember?.();
      },
    });
  }

  function resize(width) {
    if (width === 0) return;
    if (plot === null) draw(width);
    else if (plot.width !== width) plot.setSize({ width, height: heightFor(width) });
    markMember?.();
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

// What the curves say at an x, by lines between their points.
function readingAt(chart, x) {
  return { x, values: chart.series.map((series) => valueAt(series, x)) };
}

// A line at the time of the clock, and the values there as long as nobody points elsewhere.
function linkWithClock({ chart, clock, frame, legend, plotOf }) {
  const line = element("div", { class: "clock-line" });
  let seen = false;
  let down = null;
  const show = () => {
    const plot = plotOf();
    if (!plot || !seen) return;
    if (line.parentNode !== plot.over) plot.over.append(line);
    const left = plot.valToPos(clock.time, "x");
    line.hidden = !(left >= 0 && left <= plot.over.clientWidth);
    line.style.transform = `translateX(${left}px)`;
    if (!(plot.cursor.left >= 0)) legend.read(readingAt(chart, clock.time));
  };
  clock.listen(show);
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    show();
  }).observe(frame);
  // a click, but not the end of a drag, which zooms
  frame.addEventListener("pointerdown", ({ clientX, clientY }) => (down = [clientX, clientY]));
  frame.addEventListener("click", ({ clientX, clientY }) => {
    const plot = plotOf();
    const area = plot?.over.getBoundingClientRect();
    if (!area || !down || Math.hypot(clientX - down[0], clientY - down[1]) > 3) return;
    if (clientX >= area.left && clientX <= area.right) clock.seek(plot.posToVal(clientX - area.left, "x"));
  });
}

function button(label, title, click) {
  return element("button", { type: "button", class: "button", title, click }, label);
}

function heightFor(width) {
  return Math.round(Math.min(Math.max(0.52 * width, 260), 420));
}
