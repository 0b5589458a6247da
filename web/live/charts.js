// Charts that follow the simulation: the last seconds of a live one, the whole of a finished run.

import uPlot from "uplot";

import { element } from "../report/element.js";
import { themeColour } from "../report/appearance.js";
import { powerOfTen, readable, readableRow } from "../report/numbers.js";
import { bodyLength, energyOf, keepsParts } from "./frame.js";

const seconds = 20;
const mostPoints = 1500;
const interval = 1000 / 20;  // milliseconds between two drawings

// Values below this are as good as zero, and on a logarithmic axis they lie on its floor.
const faint = 1e-17;
const exponent = (value) => (Number.isNaN(value) ? NaN : Math.log10(Math.max(Math.abs(value), faint)));

const definitions = [
  {
    title: "Energy",
    unit: "J",
    lines: [
      { name: "total", value: energyOf },
      { name: "kinetic", value: (frame) => (keepsParts(frame) ? frame.kinetic : NaN) },
      { name: "potential", value: (frame) => frame.potential },
    ],
  },
  {
    title: "Angular momentum",
    unit: "kg m²/s",
    lines: ["x", "y", "z"].map((name, i) => ({ name, value: (frame) => frame.angularMomentum[i] })),
  },
  {
    title: "Linear momentum",
    unit: "kg m/s",
    lines: ["x", "y", "z"].map((name, i) => ({ name, value: (frame) => frame.linearMomentum[i] })),
  },
  {
    title: "Drift",
    logarithmic: true,
    lines: [
      { name: "energy", value: (frame, first) => exponent(energyDrift(frame, first)) },
      { name: "joints", value: (frame) => exponent(frame.gap) },
      { name: "joint velocity", value: (frame) => exponent(frame.gapRate) },
    ],
  },
  {
    title: "Real-time factor",
    live: true,
    fromZero: true,
    lines: [
      { name: "factor", value: (frame) => frame.realTimeFactor },
      { name: "of one core", value: (frame) => frame.load },
    ],
  },
  {
    title: "Solver time",
    unit: "s a step",
    live: true,
    logarithmic: true,
    lines: [
      { name: "mean", value: (frame) => (frame.meanStep > 0 ? exponent(frame.meanStep) : null) },
      { name: "worst of a minute", value: (frame) => (frame.worstStep > 0 ? exponent(frame.worstStep) : null) },
    ],
  },
];

// A chart for each sensor of the model, whose numbers stand behind those of the bodies.
function sensorDefinitions(scene) {
  let next = bodyLength * scene.bodies.length;
  return scene.sensors.map(({ name, size }) => {
    const start = next;
    next += size;
    const names = size === 1 ? ["value"] : ["x", "y", "z"];
    return { title: name, lines: names.map((line, i) => ({ name: line, value: (frame) => frame.bodies[start + i] })) };
  });
}

// What the energy has changed beyond the work of loads, dampers, actuators and hands, relative to its parts.
function energyDrift(frame, first) {
  const parts = [frame.kinetic, frame.potential, first.kinetic].map((part) => Math.abs(part) || 0);
  const scale = Math.max(...parts, 1e-300);
  return (energyOf(frame) - frame.work - energyOf(first) + first.work) / scale;
}

// `onSeek(time)` hears of a click on a chart.
export function buildCharts(parent, onSeek) {
  const hooks = { onPoint: pointAt, onSeek };
  const make = (definition) => new LiveChart(definition, parent, hooks);
  const common = definitions.map(make);
  let charts = common;
  let first = null;
  let times = [];
  let isRun = false;
  let player = null;
  let shown = null;  // the frame that is in the view
  let pointed = null;  // the time that the pointer is at
  let drawn = 0;
  let dirty = false;

  function clear() {
    first = null;
    times = [];
    charts.forEach((chart) => chart.clear());
  }

  function append(frame) {
    first ??= structuredClone({ kinetic: frame.kinetic, potential: frame.potential, work: frame.work });
    times.push(frame.time);
    charts.forEach((chart) => chart.add(frame, first));
  }

  // The pointer is at that time of a chart, or at none; all charts tell the values there.
  function pointAt(time) {
    pointed = time;
    charts.forEach((chart) => chart.mark(markedTime()));
    tellValues();
  }

  const markedTime = () => pointed ?? shown?.time ?? null;

  // The numbers are those of the instant under the pointer, else of the frame that is in the view.
  function tellValues() {
    if (times.length === 0) return;
    if (isRun) {
      const frame = pointed === null ? shown : player.between(Math.max(player.start, Math.min(player.end, pointed)));
      if (frame) charts.forEach((chart) => chart.tellFrame(frame, first));
    } else if (shown && pointed === null) {
      charts.forEach((chart) => chart.tellFrame(shown, first));
    } else {
      const row = pointed === null ? times.length - 1 : nearest(times, pointed);
      charts.forEach((chart) => chart.tellRow(row));
    }
    const told = pointed === null ? "" : `t = ${readable(Number(pointed.toPrecision(4)))} s`;
    charts.forEach((chart) => chart.tellTime(told));
  }

  return {
    begin(scene) {
      isRun = scene.mode === "run";
      shown = pointed = player = null;
      charts.slice(common.length).forEach((chart) => chart.remove());
      charts = common.concat(sensorDefinitions(scene).map(make));
      clear();
      charts.forEach((chart) => chart.begin(isRun));
      dirty = true;
    },
    // A frame of a live run. What came after it is no more: a run that goes back goes on another way.
    add(frame) {
      if (shown) charts.forEach((chart) => chart.mark(pointed));
      shown = null;
      while (times.length > 0 && times.at(-1) >= frame.time) {
        times.pop();
        charts.forEach((chart) => chart.dropLast());
      }
      if (times.length === 0) first = null;
      append(frame);
      while (times[0] < frame.time - seconds || times.length > mostPoints) {
        times.shift();
        charts.forEach((chart) => chart.dropFirst());
      }
      dirty = true;
    },
    showRun(run) {
      player = run;
      clear();
      const every = Math.max(1, Math.ceil(player.rows / mostPoints));
      for (let row = 0; row < player.rows; row += every) append(player.frameOf(row));
      charts.forEach((chart) => chart.showWhereTold());
      dirty = true;
    },
    // One more chart, above the others, until the scene changes or it is taken off.
    pin(definition) {
      const chart = make(definition);
      parent.prepend(chart.node);
      chart.begin(isRun);
      chart.columns = definition.lines.map(() => times.map(() => null));
      charts = [...charts, chart];
      dirty = true;
      return chart;
    },
    unpin(chart) {
      charts = charts.filter((each) => each !== chart);
      chart.remove();
    },
    // The frame of a finished run, or of the past of a live one, that is in the view.
    showFrame(frame) {
      shown = frame;
      charts.forEach((chart) => chart.mark(markedTime()));
      tellValues();
    },
    draw() {
      if (!dirty || performance.now() - drawn < interval) return;
      drawn = performance.now();
      dirty = false;
      charts.forEach((chart) => chart.draw(times));
      tellValues();
    },
    redraw() {
      charts.forEach((chart) => chart.plot?.redraw(false));
    },
  };
}

function nearest(times, time) {
  let best = 0;
  times.forEach((t, i) => Math.abs(t - time) < Math.abs(times[best] - time) && (best = i));
  return best;
}

class LiveChart {
  constructor(definition, parent, { onPoint, onSeek }) {
    this.definition = definition;
    this.values = definition.lines.map(() => element("b", {}));
    const legend = definition.lines.map((line, i) =>
      element("span", { class: "line" }, element("i", { class: `swatch series-${i}` }), line.name, " ", this.values[i]),
    );
    this.time = element("span", { class: "at" });
    this.place = element("div", { class: "plot", role: "img", "aria-label": `${definition.title} over time` });
    this.node = element(
      "figure",
      { class: definition.live ? "live-only" : "" },
      element(
        "figcaption",
        {},
        element("h2", {}, definition.title),
        this.time,
        element("span", { class: "unit" }, definition.unit ?? ""),
      ),
      this.place,
      element("div", { class: "legend" }, legend),
    );
    parent.append(this.node);
    new ResizeObserver(() => this.resize()).observe(this.place);

    const timeAt = ({ clientX }) => {
      const area = this.plot?.over.getBoundingClientRect();
      if (!area || this.plot.data[0].length === 0) return null;
      return this.plot.posToVal(Math.max(0, Math.min(area.width, clientX - area.left)), "x");
    };
    this.place.addEventListener("pointermove", (event) => onPoint(timeAt(event)));
    this.place.addEventListener("pointerleave", () => onPoint(null));
    this.place.addEventListener("click", (event) => timeAt(event) !== null && onSeek(timeAt(event)));
  }

  begin(isRun) {
    this.isRun = isRun;
    this.plot?.destroy();
    this.plot = null;
    this.marked = null;
    this.node.hidden = false;
    // a run may keep only the sum of the energies
    this.definition.lines.forEach((_, i) => (this.values[i].parentNode.hidden = false));
  }

  // Lines of which a run tells nothing are left out, and charts without lines.
  showWhereTold() {
    const told = this.columns.map((column) => column.some((value) => value !== null));
    this.told = told;
    told.forEach((isTold, i) => (this.values[i].parentNode.hidden = !isTold));
    this.node.hidden = !told.includes(true);
  }

  remove() {
    this.plot?.destroy();
    this.node.remove();
  }

  clear() {
    this.columns = this.definition.lines.map(() => []);
    this.told = null;
  }

  add(frame, first) {
    this.valuesOf(frame, first).forEach((value, i) => this.columns[i].push(value));
  }

  // One for each line; null where it is not told.
  valuesOf(frame, first) {
    return this.definition.lines.map((line) => {
      const value = line.value(frame, first);
      return Number.isFinite(value) ? value : null;
    });
  }

  dropLast() {
    this.columns.forEach((column) => column.pop());
  }

  dropFirst() {
    this.columns.forEach((column) => column.shift());
  }

  mark(time) {
    if (this.marked === time) return;
    this.marked = time;
    this.plot?.redraw(false);
  }

  draw(times) {
    if (this.place.clientWidth === 0) return;
    this.plot ??= this.make();
    this.plot.setData([times, ...this.columns]);
  }

  tellRow(row) {
    this.tell(this.columns.map((column) => column[row]));
  }

  tellFrame(frame, first) {
    this.tell(this.valuesOf(frame, first));
  }

  tell(values) {
    const { logarithmic } = this.definition;
    values.forEach((value, i) => {
      this.values[i].textContent = value == null ? "" : readable(logarithmic ? tiny(value) : Number(value.toPrecision(4)));
    });
  }

  tellTime(text) {
    this.time.textContent = text;
  }

  make() {
    const { logarithmic, fromZero, lines } = this.definition;
    const axis = { stroke: () => themeColour("--text-quiet"), font: "11px system-ui, sans-serif", ticks: { show: false } };
    const grid = { stroke: () => themeColour("--grid"), width: 1 };
    return new uPlot(
      {
        width: this.place.clientWidth,
        height: this.place.clientHeight,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 6, 0, 0],
        scales: { x: { time: false }, y: { range: (_, low, high) => range(low, high, logarithmic, fromZero) } },
        axes: [
          { ...axis, grid: { show: false }, size: 20, gap: 3, space: 60, values: (_, ticks) => ticks.map((t) => `${readable(t)} s`) },
          { ...axis, grid, size: 52, gap: 4, space: 24, values: (_, ticks) => (logarithmic ? powers(ticks) : readableRow(ticks)) },
        ],
        series: [
          {},
          ...lines.map((_, i) => ({
            stroke: () => themeColour(`--series-${i}`),
            width: 1.6,
            points: { show: false },
            show: this.told?.[i] ?? true,
          })),
        ],
        hooks: { draw: [(plot) => this.drawMark(plot)] },
      },
      [[], ...lines.map(() => [])],
      this.place,
    );
  }

  // The time that is shown of a finished run, or the one under the pointer.
  drawMark(plot) {
    if (this.marked === null) return;
    const x = Math.round(plot.valToPos(this.marked, "x", true)) + 0.5;
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = themeColour("--text-quiet");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  resize() {
    this.plot?.setSize({ width: this.place.clientWidth, height: this.place.clientHeight });
  }
}

function tiny(power) {
  return power <= Math.log10(faint) ? 0 : Number((10 ** power).toPrecision(2));
}

function powers(ticks) {
  return ticks.map((tick) => (Number.isInteger(tick) ? powerOfTen(tick) : null));
}

// With room above and below; what is constant keeps a range, so that rounding is not shown as if it were much.
function range(low, high, logarithmic, fromZero) {
  if (low === null) return [0, 1];
  if (logarithmic) return [Math.floor(low - 0.3), Math.ceil(high + 0.3)];
  const bottom = fromZero ? 0 : low;
  const size = Math.max(Math.abs(bottom), Math.abs(high));
  const room = Math.max(0.08 * (high - bottom), 0.02 * size, 1e-12);
  return [fromZero ? 0 : bottom - room, high + room];
}
