// Charts that follow the simulation: the last seconds of a live one, the whole of a finished run.

import uPlot from "uplot";

import { element } from "../report/element.js";
import { themeColour } from "../report/appearance.js";
import { powerOfTen, readable, readableRow } from "../report/numbers.js";
import { bodyLength, energyOf } from "./frame.js";

const seconds = 20;
const mostPoints = 1500;
const interval = 1000 / 20;  // milliseconds between two drawings

// Values below this are as good as zero, and on a logarithmic axis they lie on its floor.
const faint = 1e-17;
const exponent = (value) => Math.log10(Math.max(Math.abs(value), faint));

const definitions = [
  {
    title: "Energy",
    unit: "J",
    lines: [
      { name: "total", value: energyOf },
      { name: "kinetic", value: (frame) => frame.kinetic, partial: true },
      { name: "potential", value: (frame) => frame.potential, partial: true },
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

// What the energy has changed beyond the work of loads and dampers, relative to its parts.
function energyDrift(frame, first) {
  const scale = Math.max(Math.abs(frame.kinetic), Math.abs(frame.potential), Math.abs(first.kinetic), 1e-300);
  return (energyOf(frame) - frame.work - energyOf(first) + first.work) / scale;
}

export function buildCharts(parent) {
  const common = definitions.map((definition) => new LiveChart(definition, parent));
  let charts = common;
  let first = null;
  let times = [];
  let isRun = false;
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

  return {
    begin(scene) {
      isRun = scene.mode === "run";
      charts.slice(common.length).forEach((chart) => chart.remove());
      charts = common.concat(sensorDefinitions(scene).map((definition) => new LiveChart(definition, parent)));
      clear();
      charts.forEach((chart) => chart.begin(isRun));
      dirty = true;
    },
    add(frame) {
      const last = times.at(-1);
      if (frame.time < last) clear();
      if (frame.time === last) return;
      append(frame);
      while (times[0] < frame.time - seconds || times.length > mostPoints) {
        times.shift();
        charts.forEach((chart) => chart.dropFirst());
      }
      dirty = true;
    },
    showRun(player) {
      clear();
      const every = Math.max(1, Math.ceil(player.rows / mostPoints));
      for (let row = 0; row < player.rows; row += every) append(player.frameOf(row));
      dirty = true;
    },
    showTime(time) {
      charts.forEach((chart) => chart.mark(time));
    },
    draw() {
      if (!dirty || performance.now() - drawn < interval) return;
      drawn = performance.now();
      dirty = false;
      charts.forEach((chart) => chart.draw(times));
    },
    redraw() {
      charts.forEach((chart) => chart.plot?.redraw(false));
    },
  };
}

class LiveChart {
  constructor(definition, parent) {
    this.definition = definition;
    this.values = definition.lines.map(() => element("b", {}));
    const legend = definition.lines.map((line, i) =>
      element("span", { class: "line" }, element("i", { class: `swatch series-${i}` }), line.name, " ", this.values[i]),
    );
    this.place = element("div", { class: "plot" });
    this.node = element(
      "figure",
      { class: definition.live ? "live-only" : "" },
      element("figcaption", {}, element("h2", {}, definition.title), element("span", { class: "unit" }, definition.unit ?? "")),
      this.place,
      element("div", { class: "legend" }, legend),
    );
    parent.append(this.node);
    new ResizeObserver(() => this.resize()).observe(this.place);
  }

  begin(isRun) {
    this.isRun = isRun;
    this.plot?.destroy();
    this.plot = null;
    this.marked = null;
    // a run keeps only the sum of the energies
    this.definition.lines.forEach((line, i) => (this.values[i].parentNode.hidden = Boolean(isRun && line.partial)));
  }

  remove() {
    this.plot?.destroy();
    this.node.remove();
  }

  clear() {
    this.columns = this.definition.lines.map(() => []);
  }

  add(frame, first) {
    this.definition.lines.forEach((line, i) => this.columns[i].push(line.value(frame, first)));
  }

  dropFirst() {
    this.columns.forEach((column) => column.shift());
  }

  mark(time) {
    this.marked = time;
    this.plot?.redraw(false);
  }

  draw(times) {
    if (this.place.clientWidth === 0) return;
    this.plot ??= this.make();
    this.plot.setData([times, ...this.columns]);
    const { logarithmic } = this.definition;
    this.columns.forEach((column, i) => {
      const last = column.at(-1);
      this.values[i].textContent = last == null ? "" : readable(logarithmic ? tiny(last) : Number(last.toPrecision(4)));
    });
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
          ...lines.map((line, i) => ({
            stroke: () => themeColour(`--series-${i}`),
            width: 1.6,
            points: { show: false },
            show: !(this.isRun && line.partial),
          })),
        ],
        hooks: { draw: [(plot) => this.drawMark(plot)] },
      },
      [[], ...lines.map(() => [])],
      this.place,
    );
  }

  // The time that is shown of a finished run.
  drawMark(plot) {
    if (!this.isRun || this.marked === null) return;
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
