// Parallel coordinates: an axis for each quantity, a line for each member. A drag along an axis keeps the members that pass
// there, a click on an axis forgets that, a click on a line chooses its member.

import { themeColour } from "./appearance.js";
import { element } from "./element.js";
import { readable } from "./numbers.js";
import { paragraphs } from "./text.js";
import { onThemeChange } from "./theme.js";

const margin = { top: 58, bottom: 30, side: 62 };
const height = 380;
const reach = 14; // pixels from an axis

export function buildParallel(parallel, members) {
  const canvas = element("canvas", { role: "img", "aria-label": parallel.title });
  const frame = element("div", { class: "parallel" }, canvas);
  const ranges = parallel.columns.map(({ values }) => rangeOf(values));
  const kept = parallel.columns.map(() => null); // [low, high] of what a drag has marked, as shares
  const count = parallel.columns[0]?.values.length ?? 0;
  const told = element("span", { class: "parallel-told" });
  let width = 0;
  let drag = null;

  const xOf = (k) => margin.side + (k * (width - 2 * margin.side)) / Math.max(parallel.columns.length - 1, 1);
  const inner = height - margin.top - margin.bottom;
  const yOf = (share) => margin.top + (1 - share) * inner;
  const shareOf = (k, i) => {
    const value = parallel.columns[k].values[i];
    const [low, high] = ranges[k];
    return value === null ? null : high > low ? (value - low) / (high - low) : 0.5;
  };
  const isKept = (i) =>
    kept.every((range, k) => {
      const share = shareOf(k, i);
      return !range || (share !== null && share >= range[0] && share <= range[1]);
    });

  function draw() {
    if (width === 0) return;
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const all = Array.from({ length: count }, (_, i) => i);
    const shown = all.filter(isKept);
    const marked = kept.some((range) => range);
    if (marked) drawLines(pen, all, themeColour("--grid-strong"), 0.25, 1);
    drawLines(pen, shown, themeColour("--series-0"), Math.min(0.7, Math.max(0.06, 60 / (shown.length + 1))), 1);
    if (members?.chosen() != null) drawLines(pen, [members.chosen()], themeColour("--series-1"), 1, 2.5);
    parallel.columns.forEach((column, k) => drawAxis(pen, column, k));
    told.textContent = marked ? `${shown.length} of ${count} members are kept` : "";
  }

  function drawLines(pen, which, colour, opacity, thickness) {
    pen.strokeStyle = colour;
    pen.globalAlpha = opacity;
    pen.lineWidth = thickness;
    for (const i of which) {
      pen.beginPath();
      parallel.columns.forEach((_, k) => {
        const share = shareOf(k, i);
        if (share !== null) pen.lineTo(xOf(k), yOf(share));
      });
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  function drawAxis(pen, column, k) {
    const x = xOf(k);
    pen.strokeStyle = themeColour("--text-quiet");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, yOf(0));
    pen.lineTo(x, yOf(1));
    pen.stroke();
    if (kept[k]) {
      pen.fillStyle = themeColour("--select");
      pen.fillRect(x - 7, yOf(kept[k][1]), 14, yOf(kept[k][0]) - yOf(kept[k][1]));
    }
    pen.fillStyle = themeColour("--text");
    pen.font = `${column.isMeasure ? "600 " : ""}12.5px system-ui, sans-serif`;
    // names stand at two heights, so that neighbours do not touch
    const room = ((k === 0 || k === parallel.columns.length - 1 ? 1.5 : 1.9) * (width - 2 * margin.side)) / parallel.columns.length;
    const last = parallel.columns.length - 1;
    pen.textAlign = k === 0 ? "left" : k === last ? "right" : "center";
    const edge = k === 0 ? 0 : k === last ? width : x;
    pen.fillText(shortened(pen, column.name, room), edge, k % 2 === 0 ? 14 : 30);
    pen.textAlign = "center";
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = themeColour("--text-quiet");
    pen.fillText(readable(ranges[k][1]), x, margin.top - 4);
    pen.fillText(readable(ranges[k][0]), x, height - margin.bottom + 18);
  }

  function place(event) {
    const area = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const axis = parallel.columns.findIndex((_, k) => Math.abs(xOf(k) - x) < reach);
    return { x, y, axis, share: Math.min(1, Math.max(0, 1 - (y - margin.top) / inner)) };
  }

  canvas.addEventListener("pointerdown", (event) => {
    drag = place(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = place(event);
    canvas.style.cursor = now.axis >= 0 || drag?.axis >= 0 ? "ns-resize" : "pointer";
    if (!drag || drag.axis < 0 || Math.abs(now.y - drag.y) < 3) return;
    kept[drag.axis] = [Math.min(drag.share, now.share), Math.max(drag.share, now.share)];
    draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    const now = place(event);
    if (drag && Math.hypot(now.x - drag.x, now.y - drag.y) <= 3) click(now);
    drag = null;
  });

  function click({ x, y, axis }) {
    if (axis >= 0 && kept[axis]) {
      kept[axis] = null;
      return draw();
    }
    // the line that passes nearest, between the two axes around it
    const right = parallel.columns.findIndex((_, k) => k > 0 && xOf(k) >= x);
    if (right < 1 || !members) return;
    const t = (x - xOf(right - 1)) / (xOf(right) - xOf(right - 1));
    let best = 12;
    let found = null;
    for (let i = 0; i < count; ++i) {
      const [a, b] = [shareOf(right - 1, i), shareOf(right, i)];
      if (a === null || b === null || !isKept(i)) continue;
      const distance = Math.abs((1 - t) * yOf(a) + t * yOf(b) - y);
      if (distance < best) [best, found] = [distance, i];
    }
    if (found !== null) members.pick(found);
  }

  members?.listen(draw);
  onThemeChange(draw);
  new ResizeObserver(([entry]) => {
    width = Math.floor(entry.contentRect.width);
    draw();
  }).observe(frame);

  return element(
    "figure",
    { class: "card" },
    element("figcaption", { class: "chart-head" }, element("h3", {}, parallel.title), told),
    frame,
    parallel.note && element("div", { class: "note" }, paragraphs(parallel.note)),
  );
}

function rangeOf(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
}

function shortened(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let length = text.length - 1;
  while (length > 3 && pen.measureText(`…${text.slice(-length)}`).width > room) --length;
  return `…${text.slice(-length)}`;
}
