// Numbers that stand in the report as letters (src/io/report_json.cpp).

import { bodyLength, headLength } from "../live/frame.js";

const levels = 65535;

function bytesOf(letters) {
  return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0)).buffer;
}

// Curves on the common grid get their own x and y; where an index stands twice the curve has a gap.
export function unpackCharts(report) {
  if (!report.grid) return;
  const grid = new Float64Array(bytesOf(report.grid));
  for (const chart of report.sections.flatMap((section) => section.charts))
    for (const series of chart.series) if (series.indices !== undefined) unpackSeries(series, grid);
}

function unpackSeries(series, grid) {
  const indices = new Uint16Array(bytesOf(series.indices));
  const values = new Uint16Array(bytesOf(series.values));
  const { low, high } = series;
  series.x = [];
  series.y = [];
  for (let i = 0; i < indices.length; ++i) {
    const isGap = indices[i + 1] === indices[i];
    series.x.push(grid[indices[i]]);
    series.y.push(isGap ? null : low + ((high - low) * values[i]) / levels);
    if (isGap) ++i;
  }
}

// The rows of a motion as frames (src/server/frame.h), of which only the time and the bodies are told.
export function unpackMotion({ scene, low, high, times, places }) {
  const seconds = new Float64Array(bytesOf(times));
  const numbers = new Uint16Array(bytesOf(places));
  const perRow = bodyLength * scene.bodies.length;
  const stride = headLength + perRow;
  const frames = new Float64Array(seconds.length * stride).fill(NaN);
  seconds.forEach((time, row) => {
    const start = row * stride;
    frames[start] = row;
    frames[start + 1] = time;
    frames[start + 16] = -1;  // nobody pulls
    for (let i = 0; i < perRow; ++i) {
      const share = numbers[row * perRow + i] / levels;
      frames[start + headLength + i] = i % bodyLength < 3 ? low + (high - low) * share : 2 * share - 1;
    }
  });
  return frames;
}
