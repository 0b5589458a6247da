// Charts that follow the simulation: the last seconds of a live one, or those about an instant of its past that is looked at, or all
// of it; the whole of a finished run. Of a live run everything is kept; where it is too much the older half is thinned, so that
// what can be seen again (src/server/kept_past.h) has its curves.

import { readable, readableUnit } from "../report/numbers.js";
import { bodyLength, energyOf, keepsParts } from "./frame.js";
import { exponent, LiveChart, lastBefore } from "./live_chart.js";

const seconds = 20;  // of a live run that are seen at once
const mostKept = 12_000;  // points of a live run
const mostPoints = 1500;  // of a finished one that are drawn
const interval = 1000 / 20;  // milliseconds between two drawings
const finest = 1e-9;  // share of the time that a chart can show

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
      { name: "energy, relative", value: (frame, first) => exponent(energyDrift(frame, first)) },
      { name: "joints", unit: "m, rad", value: (frame) => exponent(frame.gap) },
      { name: "joint velocity", unit: "m/s, rad/s", value: (frame) => exponent(frame.gapRate) },
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
  return scene.sensors.map(({ name, size, unit = "" }) => {
    const start = next;
    next += size;
    const names = size === 1 ? ["value"] : ["x", "y", "z"];
    return { title: name, unit: readableUnit(unit), lines: names.map((line, i) => ({ name: line, value: (frame) => frame.bodies[start + i] })) };
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
  const hooks = { onPoint: pointAt, onSeek, onZoom: zoomTo, onCompare: compare, range, otherRange };
  const make = (definition) => new LiveChart(definition, parent, hooks);
  const common = definitions.map(make);
  let charts = common;
  let first = null;
  let times = [];
  let isRun = false;
  let player = null;
  let shown = null;  // the frame that is in the view
  let pointed = null;  // the time that the pointer is at
  let zoom = null;  // the part of the time that somebody has chosen, { min, max }
  let whole = false;  // all of a live run is shown, which else would be the last seconds
  let compared = false;  // lines were kept, to compare with
  let apart = 0;  // seconds between the older points of a live run
  let drawn = 0;
  let dirty = false;

  function clear() {
    first = null;
    times = [];
    charts.forEach((chart) => chart.clear());
  }

  function append(frame) {
    first ??= beginningOf(frame);
    times.push(frame.time);
    charts.forEach((chart) => chart.add(frame, first));
  }

  // The pointer is at that time of a chart, or at none; all charts tell the values there.
  function pointAt(time) {
    pointed = time;
    charts.forEach((chart) => chart.mark(markedTime()));
    tellValues();
  }

  // A part of the time, no finer than numbers can tell and no longer than there is something to see; null for everything, and of a
  // live run from there back to its last seconds.
  function zoomTo(next) {
    const width = next && next.max - next.min;
    const [from, to] = isRun ? [player?.start, player?.end] : [times[0], times.at(-1)];
    if (next && !(width > finest * Math.max(1, Math.abs(to)))) return;
    const isPart = next && (next.min > from || next.max < to);
    whole = isLong() && (zoom !== null || !whole);
    zoom = isPart ? next : null;
    if (isRun && player) fillFromRun();
    dirty = true;
  }

  // The newer half stays as it is; of the older one points that are too near to the one before go, and what is too near is twice as much
  // where that is not enough: they lie evenly, however long the run is.
  function thin() {
    const half = times.length - mostKept / 2;
    let kept = times;
    for (; kept.length > 0.8 * mostKept; apart = 2 * Math.max(apart, (times[half] - times[0]) / half)) {
      let last = -Infinity;
      kept = times.map((time, row) => {
        if (row < half && time - last < 0.99 * apart) return -1;
        last = time;
        return row;
      });
      kept = kept.filter((row) => row >= 0);
    }
    apart /= 2;  // what has sufficed
    times = kept.map((row) => times[row]);
    charts.forEach((chart) => chart.choose(kept));
  }

  const isLong = () => !isRun && times.length > 0 && times.at(-1) - times[0] > seconds;

  // The time that charts show; null for everything.
  function range() {
    if (zoom || !isLong() || whole) return zoom;
    const last = times.at(-1);
    const end = shown && shown.time < last - seconds ? Math.max(shown.time + seconds / 2, times[0] + seconds) : last;
    return { min: end - seconds, max: end };
  }

  // What the button for it leads to: everything, the last seconds of a live run, or nothing else than what is seen.
  function otherRange() {
    if (zoom || (isLong() && !whole)) return "All";
    return isLong() ? `Last ${seconds} s` : null;
  }

  // Keeps what all charts show, under what comes: another model or run too; or lets it go.
  function compare() {
    compared = !compared;
    charts.forEach((chart) => chart.keep(compared, times));
    dirty = true;
  }

  // As many rows of a finished run as a chart has points for, of the part that is shown.
  function fillFromRun() {
    times = [];
    charts.forEach((chart) => chart.empty());
    const from = zoom ? player.rowBefore(zoom.min) : 0;
    const to = zoom ? Math.min(player.rows - 1, player.rowBefore(zoom.max) + 1) : player.rows - 1;
    const every = Math.max(1, Math.ceil((to - from) / mostPoints));
    first = beginningOf(player.frameOf(0));
    for (let row = from; row <= to; row += every) append(player.frameOf(row));
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
      shown = pointed = player = zoom = null;
      whole = false;
      charts.slice(common.length).forEach((chart) => chart.remove());
      charts = common.concat(sensorDefinitions(scene).map(make));
      clear();
      charts.forEach((chart) => chart.begin(isRun));
      if (compared) charts.slice(common.length).forEach((chart) => chart.keep(true, []));
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
      if (times.length < mostKept / 2) apart = 0;
      append(frame);
      if (times.length > mostKept) thin();
      dirty = true;
    },
    showRun(run) {
      player = run;
      clear();
      fillFromRun();
      charts.forEach((chart) => chart.showWhereTold());
      dirty = true;
    },
    // One more chart, above the others, until the scene changes or it is taken off.
    pin(definition) {
      const chart = make(definition);
      parent.prepend(chart.node);
      chart.begin(isRun);
      chart.columns = definition.lines.map(() => times.map(() => null));
      if (compared) chart.keep(true, []);
      charts = [...charts, chart];
      if (isRun && player) fillFromRun();
      dirty = true;
      return chart;
    },
    unpin(chart) {
      charts = charts.filter((each) => each !== chart);
      chart.remove();
    },
    // The frame of a finished run, or of the past of a live one, that is in the view.
    showFrame(frame) {
      dirty ||= !isRun;  // the seconds that are seen go along
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
    // { min, max } of the time that the charts show; null before it is drawn.
    shownTime() {
      if (dirty) return null;
      const { min, max } = charts.find(({ plot }) => plot)?.plot.scales.x ?? {};
      return min == null ? null : { min, max };
    },
    // The instants of which something is drawn.
    times: () => [...times],
    redraw() {
      charts.forEach((chart) => chart.plot?.redraw(false));
    },
  };
}

// What the drift of the energy is counted from.
const beginningOf = ({ kinetic, potential, work }) => ({ kinetic, potential, work });

function nearest(times, time) {
  const row = lastBefore(times, time);
  const next = Math.min(row + 1, times.length - 1);
  return Math.abs(times[next] - time) < Math.abs(times[row] - time) ? next : row;
}
