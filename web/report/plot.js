// One drawing by uPlot: axes, curves, markers, crosshair and zoom.

import uPlot from "uplot";

import { markerOutline, themeColour } from "./appearance.js";
import { linearAxis, logarithmicAxis } from "./axis.js";
import { leavesShift } from "./navigate.js";
import { aligned, curveOf, linePath, nearestPoint, visitPoints } from "./curves.js";

const labelFont = "12.5px system-ui, sans-serif";
const tickFont = "12px system-ui, sans-serif";
const markerRadius = 4;
const memberRadius = 2.6; // of which there are thousands

// Draws a chart into `parent`. `logX` and `logY` say which axes are logarithmic, `looks` how each series looks
// and `shown` whether it is. onCursor(reading) hears of { x, values } under the crosshair, or null; onZoom(zoomed)
// of a part that is shown.
export function drawPlot({ chart, looks, shown, logX, logY, width, height, parent, onCursor, onZoom }) {
  const axes = {
    x: logX ? logarithmicAxis() : linearAxis(chart.series.flatMap((series) => series.x)),
    y: logY ? logarithmicAxis() : linearAxis(chart.series.flatMap((series) => series.y)),
  };
  const curves = chart.series.map((series) => curveOf(series, axes.x, axes.y));
  const data = aligned(curves);
  const xRange = fullRange(
    data[0],
    axes.x,
    chart.series.some((series) => series.points),
  );
  let yRange = null;

  const options = {
    width,
    height,
    legend: { show: false },
    padding: [10, 16, 0, 0],
    focus: { alpha: 0.15 },
    cursor: {
      drag: { x: true, y: true, uni: 24 },
      bind: leavesShift,
      dataIdx: (plot, i, start) => (i === 0 ? start : nearestPoint(plot.data[i], start)),
      points: {
        size: 8,
        width: 1.5,
        stroke: () => themeColour("--surface"),
        fill: (_, i) => themeColour(looks[i - 1].colour),
      },
    },
    scales: {
      x: { time: false, range: (_, low, high) => (isPart(low, high, data[0]) ? [low, high] : xRange) },
      y: {
        range: (plot, low, high) => (yRange = low === null ? emptyRange(plot) : axes.y.padded(low, high)),
      },
    },
    axes: [axisOptions(axes.x, chart.xLabel, 72), axisOptions(axes.y, chart.yLabel, 34)],
    series: [{}, ...chart.series.map((series, i) => seriesOptions(series, curves[i], looks[i], shown[i]))],
    hooks: {
      draw: [
        (plot) =>
          data[0].length === 0 && writeAcross(plot, logX || logY ? "no positive values" : "no values"),
      ],
      drawSeries: [
        (plot, i) =>
          chart.series[i - 1].points &&
          drawMarkers(plot, curves[i - 1], looks[i - 1], chart.series[i - 1].members ? memberRadius : markerRadius),
      ],
      setCursor: [(plot) => onCursor(readingOf(plot, axes))],
      setScale: [(plot) => onZoom(!shows(plot.scales.x, xRange) || !shows(plot.scales.y, yRange))],
    },
  };
  const plot = new uPlot(options, data, parent);
  // where a point lies, in pixels of the plot; null where it does not
  plot.placeOf = (x, y) => {
    if (x === null || y === null) return null;
    const place = [plot.valToPos(axes.x.position(x), "x"), plot.valToPos(axes.y.position(y), "y")];
    return place.every(Number.isFinite) ? place : null;
  };
  plot.showAll = () => plot.setScale("x", { min: data[0][0], max: data[0].at(-1) });
  return plot;
}

// All x, with a margin where markers would be cut at the edge.
function fullRange(grid, axis, margin) {
  if (grid.length === 0) return [0, 1];
  const low = grid[0];
  const high = grid.at(-1);
  return margin || low === high ? axis.padded(low, high) : axis.snug(low, high);
}

function isPart(low, high, grid) {
  return low > grid[0] || high < grid.at(-1);
}

function shows(scale, [low, high]) {
  return scale.min === low && scale.max === high;
}

// Nothing to show: keep what is there.
function emptyRange(plot) {
  const { min, max } = plot.scales.y;
  return min == null ? [0, 1] : [min, max];
}

function axisOptions(axis, label, space) {
  const vertical = space < 50;
  return {
    label,
    labelFont,
    font: tickFont,
    labelSize: 24,
    labelGap: vertical ? 4 : 0,
    size: vertical ? verticalSize : 32,
    gap: 6,
    space,
    stroke: () => themeColour("--text-quiet"),
    grid: { stroke: () => themeColour("--grid"), width: 1, filter: (_, ticks) => onlyLabelled(axis, ticks) },
    ticks: { stroke: () => themeColour("--grid-strong"), width: 1, size: 5 },
    border: { show: true, stroke: () => themeColour("--grid-strong"), width: 1 },
    // uPlot suggests a distance of ticks, in positions and in pixels; from them follows the length of the axis
    splits: (plot, _, low, high, step, pixels) =>
      axis.ticks(low, high, (((high - low) / step) * pixels) / space),
    values: (_, ticks) => axis.labels(ticks),
  };
}

// Wide enough for the longest label.
function verticalSize(plot, labels) {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label?.length ?? 0));
  return 18 + 7 * longest;
}

function onlyLabelled(axis, ticks) {
  const labels = axis.labels(ticks);
  return ticks.map((tick, i) => (labels[i] === null ? null : tick));
}

function seriesOptions(series, curve, look, show) {
  return {
    label: series.name,
    show,
    stroke: () => themeColour(look.colour),
    width: series.line ? 1.75 : 0,
    dash: look.dash.map((length) => length * devicePixelRatio),
    cap: look.dash.length > 0 ? "butt" : "round",
    points: { show: false },
    paths: (plot) => ({ stroke: linePath(plot, curve), fill: null, clip: null, flags: 1 }),
  };
}

function drawMarkers(plot, curve, look, size) {
  const radius = size * devicePixelRatio;
  const { ctx } = plot;
  ctx.save();
  ctx.fillStyle = themeColour(look.colour);
  ctx.strokeStyle = themeColour("--surface");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([]);
  visitPoints(plot, curve, (x, y) => {
    const outline = new Path2D(markerOutline(look.marker, x, y, radius));
    ctx.fill(outline);
    ctx.stroke(outline);
  });
  ctx.restore();
}

function writeAcross(plot, text) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = themeColour("--text-quiet");
  ctx.font = `${14 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(text, bbox.left + bbox.width / 2, bbox.top + bbox.height / 2);
  ctx.restore();
}

// What the crosshair points at: the nearest x, and the value of each series at its point nearest to it.
function readingOf(plot, axes) {
  const { left, idx, idxs } = plot.cursor;
  if (left < 0 || idx == null) return null;
  const values = plot.data.slice(1).map((column, i) => {
    const index = idxs[i + 1];
    return index == null ? null : axes.y.value(column[index]);
  });
  return { x: axes.x.value(plot.data[0][idx]), values };
}
