// One chart of the live page: lines over time that grow, with the values of an instant in its legend. A drag zooms the time, as
// do keys and the wheel (report/navigate.js); the data and the drawing can be saved.

import uPlot from "uplot";

import { themeColour } from "../report/appearance.js";
import { offerCsv, offerPng } from "../report/download.js";
import { element } from "../report/element.js";
import { leavesShift, navigate } from "../report/navigate.js";
import { powerOfTen, readable, readableRow } from "../report/numbers.js";

// Values below this are as good as zero, and on a logarithmic axis they lie on its floor.
const faint = 1e-17;
export const exponent = (value) => (Number.isNaN(value) ? NaN : Math.log10(Math.max(Math.abs(value), faint)));

const farthestClick = 3;  // pixels; what moves farther is a drag

export class LiveChart {
  // `hooks`: onPoint(time) hears of the pointer, onSeek(time) of a click, onZoom({ min, max } or null) of the time that is to be
  // shown, range() tells it, and otherRange() what the button for more of it, or less, is called. A line may have a unit of its own.
  constructor(definition, parent, hooks) {
    this.definition = definition;
    this.hooks = hooks;
    this.values = definition.lines.map(() => element("b", {}));
    const legend = definition.lines.map((line, i) =>
      element("span", { class: "line" }, element("i", { class: `swatch series-${i}` }), line.name, " ", this.values[i], line.unit ? ` ${line.unit}` : ""),
    );
    this.time = element("span", { class: "at" });
    const help = "drag, or + and −, to zoom; shift and drag, or arrow keys, to move; 0 shows everything";
    this.place = element("div", { class: "plot", role: "img", "aria-label": `${definition.title} over time; ${help}` });
    const button = (label, title, click) =>
      element("button", { type: "button", class: "text-button small", title: `${title}: ${definition.title}`, click }, label);
    this.all = button("All", "Show all the time, or the last seconds again (0)", () => hooks.onZoom(null));
    this.all.hidden = true;
    const compare = "Keep these lines on all charts to compare others with";
    this.compare = button("Keep", compare, () => hooks.onCompare());
    this.compare.classList.add("keep");
    this.compare.setAttribute("aria-pressed", false);
    this.kept = null;  // the lines that others are compared with: { times, columns }
    this.node = element(
      "figure",
      { class: definition.live ? "live-only" : "" },
      element(
        "figcaption",
        {},
        element("h2", {}, definition.title),
        element("span", { class: "unit" }, definition.unit ?? ""),
        element(
          "span",
          { class: "chart-buttons" },
          this.all,
          this.compare,
          button("CSV", "Save the data of this chart", () => offerCsv(this.saved())),
          button("PNG", "Save this chart as a picture", () => this.savePicture()),
        ),
      ),
      this.place,
      this.time,
      element("div", { class: "legend" }, legend),
    );
    parent.append(this.node);
    new ResizeObserver(() => this.resize()).observe(this.place);
    this.listen();
  }

  listen() {
    const { onPoint, onSeek, onZoom } = this.hooks;
    let down = null;
    const timeAt = ({ clientX }) => {
      const area = this.plot?.over.getBoundingClientRect();
      if (!area || this.plot.data[0].length === 0) return null;
      return this.plot.posToVal(Math.max(0, Math.min(area.width, clientX - area.left)), "x");
    };
    this.place.addEventListener("pointermove", (event) => onPoint(timeAt(event)));
    this.place.addEventListener("pointerleave", () => onPoint(null));
    this.place.addEventListener("pointerdown", ({ clientX }) => (down = clientX));
    this.place.addEventListener("click", (event) => {
      const isDrag = down !== null && Math.abs(event.clientX - down) > farthestClick;
      if (!isDrag && !event.shiftKey && timeAt(event) !== null) onSeek(timeAt(event));
    });
    navigate(this.place, {
      plotOf: () => this.plot,
      show: (min, max) => onZoom({ min, max }),
      showAll: () => onZoom(null),
    });
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
    this.empty();
    this.told = null;
  }

  empty() {
    this.columns = this.definition.lines.map(() => []);
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

  // These rows and no other ones.
  choose(rows) {
    this.columns = this.columns.map((column) => rows.map((row) => column[row]));
  }

  mark(time) {
    if (this.marked === time) return;
    this.marked = time;
    this.plot?.redraw(false);
  }

  draw(times) {
    const other = this.hooks.otherRange();
    this.all.hidden = other === null;
    this.all.textContent = other ?? "";
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

  // Keeps the present lines, to compare with what comes, or lets those that were kept go.
  keep(isKept, times) {
    this.kept = isKept ? { times: [...times], columns: this.columns.map((column) => [...column]) } : null;
    this.compare.setAttribute("aria-pressed", isKept);
    if (this.plot) this.plot.setData([times, ...this.columns]);
  }

  // The lines that were kept, dashed, in the colours of those that they are compared with.
  drawKept(plot) {
    if (!this.kept) return;
    const { ctx, bbox } = plot;
    const { times, columns } = this.kept;
    const [from, to] = this.keptRows(plot);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.2 * devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    columns.forEach((column, i) => {
      if (this.told && !this.told[i]) return;
      ctx.strokeStyle = themeColour(`--series-${i}`);
      ctx.beginPath();
      let isDown = false;
      for (let row = from; row <= to; ++row) {
        const isTold = column[row] !== null;
        const at = isTold && [plot.valToPos(times[row], "x", true), plot.valToPos(column[row], "y", true)];
        if (isTold) isDown ? ctx.lineTo(...at) : ctx.moveTo(...at);
        isDown = isTold;
      }
      ctx.stroke();
    });
    ctx.restore();
  }

  // The least and greatest of what is shown, with what was kept of the same time.
  withKept(plot, low, high) {
    if (!this.kept) return [low, high];
    const [from, to] = this.keptRows(plot);
    const values = this.kept.columns.flatMap((column, i) =>
      this.told && !this.told[i] ? [] : column.slice(from, to + 1).filter((value) => value !== null),
    );
    const lowest = (a, b) => (a === null ? b : Math.min(a, b));
    const highest = (a, b) => (a === null ? b : Math.max(a, b));
    return [values.reduce(lowest, low), values.reduce(highest, high)];
  }

  // The first and the last row of what was kept that can be seen.
  keptRows(plot) {
    const { min, max } = plot.scales.x;
    const { times } = this.kept;
    return [lastBefore(times, min), Math.min(lastBefore(times, max) + 1, times.length - 1)];
  }

  // As the charts of reports are told, for files.
  saved() {
    const { title, unit, lines, logarithmic } = this.definition;
    const [x] = this.plot?.data ?? [[]];
    const isTold = (_, i) => this.told?.[i] ?? true;
    const number = (value) => (value === null || !logarithmic ? value : 10 ** value);
    const series = lines.map(({ name, unit: own }, i) => ({ name: own ? `${name} / (${own})` : name, x, y: this.columns[i].slice(0, x.length).map(number), line: true }));
    return { title, xLabel: "time / s", yLabel: unit ?? "", series: series.filter(isTold) };
  }

  savePicture() {
    if (!this.plot) return;
    const chart = this.saved();
    const indices = this.definition.lines.map((_, i) => i).filter((i) => this.told?.[i] ?? true);
    const looks = indices.map((i) => ({ colour: `--series-${i}`, dash: [] }));
    const unit = chart.yLabel ? ` / ${chart.yLabel}` : "";
    offerPng({ ...chart, title: chart.title + unit }, looks, chart.series.map(() => true), this.plot);
  }

  make() {
    const { logarithmic, fromZero, lines } = this.definition;
    const axis = { stroke: () => themeColour("--text-quiet"), font: "11px system-ui, sans-serif", ticks: { show: false } };
    const grid = { stroke: () => themeColour("--grid"), width: 1 };
    const { range: shown, onZoom } = this.hooks;
    return new uPlot(
      {
        width: this.place.clientWidth,
        height: this.place.clientHeight,
        legend: { show: false },
        // the pointer is told of by the legends of all charts; uPlot sees only the drag
        cursor: {
          x: false,
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false, dist: farthestClick },
          bind: { ...leavesShift, dblclick: () => null },
        },
        padding: [6, 12, 0, 0],
        scales: {
          x: { time: false, range: (_, low, high) => shownTimes(shown(), low, high) },
          y: { range: (plot, low, high) => range(...this.withKept(plot, low, high), logarithmic, fromZero) },
        },
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
        hooks: {
          drawAxes: [(plot) => this.drawKept(plot)],
          draw: [(plot) => this.drawMark(plot)],
          setSelect: [
            (plot) => {
              const { left, width } = plot.select;
              if (width <= farthestClick) return;
              onZoom({ min: plot.posToVal(left, "x"), max: plot.posToVal(left + width, "x") });
              plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            },
          ],
        },
      },
      [[], ...lines.map(() => [])],
      this.place,
    );
  }

  // The time that is shown of a finished run, or the one under the pointer.
  drawMark(plot) {
    const { min, max } = plot.scales.x;
    if (this.marked === null || this.marked < min || this.marked > max) return;
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

// The last row that is not later than a time; the first one where there is none.
export function lastBefore(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// A part of the time, else everything.
function shownTimes(part, low, high) {
  if (part) return [part.min, part.max];
  return low === null ? [0, 1] : [low, high > low ? high : low + 1e-3];
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
