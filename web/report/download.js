// Saves a chart, its data as CSV and its drawing as PNG, or anything else.

import { markerOutline, themeColour } from "./appearance.js";
import { element } from "./element.js";

// One row a point, so that series may have points at different x.
export function offerCsv(chart) {
  const rows = [["series", chart.xLabel || "x", chart.yLabel || "y"]];
  for (const series of chart.series) {
    series.x.forEach((x, i) => rows.push([series.name, x ?? "", series.y[i] ?? ""]));
  }
  const text = rows.map((row) => row.map(csvCell).join(",") + "\n").join("");
  offer(new Blob([text], { type: "text/csv" }), fileName(chart, "csv"));
}

function csvCell(value) {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// The title, the drawing as it is on the screen, and a legend of the series that are shown.
export function offerPng(chart, looks, shown, plot) {
  const ratio = devicePixelRatio;
  const drawing = plot.ctx.canvas;
  const width = drawing.width / ratio;
  const height = drawing.height / ratio;
  const entries = chart.series.map((series, i) => ({ series, look: looks[i] })).filter((_, i) => shown[i]);

  const canvas = element("canvas");
  const context = canvas.getContext("2d");
  context.font = legendFont;
  const rows = legendRows(context, entries, width);
  canvas.width = drawing.width;
  canvas.height = (titleHeight + height + rows.length * rowHeight + 10) * ratio;
  context.scale(ratio, ratio);

  context.fillStyle = themeColour("--surface");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = themeColour("--text");
  context.textBaseline = "middle";
  context.font = titleFont;
  context.fillText(chart.title, 14, titleHeight / 2);
  context.drawImage(drawing, 0, titleHeight, width, height);
  rows.forEach((row, k) => drawLegendRow(context, row, titleHeight + height + (k + 0.5) * rowHeight));
  canvas.toBlob((blob) => offer(blob, fileName(chart, "png")));
}

const titleFont = "600 16px system-ui, sans-serif";
const legendFont = "13px system-ui, sans-serif";
const titleHeight = 40;
const rowHeight = 22;
const swatchWidth = 34;
const margin = 14;

// The entries in as many rows as the width asks for, each with its place in its row.
function legendRows(context, entries, width) {
  const rows = [];
  let x = Infinity;
  for (const entry of entries) {
    const needed = swatchWidth + 8 + context.measureText(entry.series.name).width + 20;
    if (x + needed > width - margin) {
      rows.push([]);
      x = margin;
    }
    rows.at(-1).push({ ...entry, x });
    x += needed;
  }
  return rows;
}

function drawLegendRow(context, row, y) {
  context.font = legendFont;
  for (const { series, look, x } of row) {
    context.strokeStyle = context.fillStyle = themeColour(look.colour);
    context.lineWidth = 2;
    context.setLineDash(look.dash);
    if (series.line) context.stroke(new Path2D(`M${x},${y}h${swatchWidth}`));
    if (series.points) context.fill(new Path2D(markerOutline(look.marker, x + swatchWidth / 2, y, 4)));
    context.fillStyle = themeColour("--text");
    context.fillText(series.name, x + swatchWidth + 8, y);
  }
}

export function fileName(chart, extension) {
  const words = chart.title.toLowerCase().match(/[a-z0-9]+/g) ?? ["chart"];
  return `${words.join("-")}.${extension}`;
}

export function offer(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
