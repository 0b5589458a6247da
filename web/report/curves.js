// Curves in positions on their axes, and what uPlot needs to know of them.

// The positions of a series in its own order. Values that the axes cannot show are left out; where the series
// has a gap, x is NaN.
export function curveOf(series, xAxis, yAxis) {
  const curve = { x: [], y: [] };
  series.x.forEach((xValue, i) => {
    const yValue = series.y[i];
    const gap = xValue === null || yValue === null;
    const x = gap ? NaN : xAxis.position(xValue);
    const y = gap ? NaN : yAxis.position(yValue);
    if (!gap && (Number.isNaN(x) || Number.isNaN(y))) return;
    curve.x.push(x);
    curve.y.push(y);
  });
  return curve;
}

// The y of a series at an x, by a line between the points around it; null outside of it and in its gaps.
export function valueAt({ x, y }, at) {
  if (x.length === 0 || !(at >= x[0] && at <= x.at(-1))) return null;
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle] <= at) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, x.length - 1);
  if (y[low] === null || y[next] === null) return null;
  return x[next] === x[low] ? y[low] : y[low] + ((y[next] - y[low]) * (at - x[low])) / (x[next] - x[low]);
}

// All x in order, and for each curve its y there, undefined where it has no point: the layout of uPlot's data.
export function aligned(curves) {
  const finite = curves.flatMap((curve) => curve.x.filter((x) => !Number.isNaN(x)));
  const grid = Float64Array.from(new Set(finite)).sort();
  const place = new Map();
  grid.forEach((x, i) => place.set(x, i));
  const columns = curves.map((curve) => {
    const column = new Array(grid.length).fill(undefined);
    curve.x.forEach((x, i) => {
      if (!Number.isNaN(x)) column[place.get(x)] = curve.y[i];
    });
    return column;
  });
  return [Array.from(grid), ...columns];
}

// The index nearest to `start` at which the column has a point.
export function nearestPoint(column, start) {
  for (let distance = 0; distance < column.length; ++distance) {
    if (column[start - distance] != null) return start - distance;
    if (column[start + distance] != null) return start + distance;
  }
  return null;
}

// The pixels of the canvas where the points of a curve lie.
function pixelsOf(plot, curve) {
  const { left, top, width, height } = plot.bbox;
  const { x: xScale, y: yScale } = plot.scales;
  const perX = width / (xScale.max - xScale.min);
  const perY = height / (yScale.max - yScale.min);
  return (i) => [left + (curve.x[i] - xScale.min) * perX, top + (yScale.max - curve.y[i]) * perY];
}

// The line through a curve, in its own order, with a dot where a point stands alone between gaps. Pieces that
// lie wholly to one side of the plot are left out.
export function linePath(plot, curve) {
  const pixel = pixelsOf(plot, curve);
  const { left, top, width, height } = plot.bbox;
  const beside = (a, b, low, high) => (a < low && b < low) || (a > high && b > high);
  const path = new Path2D();
  let before = null;
  let penDown = false;
  for (let i = 0; i < curve.x.length; ++i) {
    if (Number.isNaN(curve.x[i])) {
      before = null;
      continue;
    }
    const [x, y] = pixel(i);
    const begins = before === null;
    const from = before ?? [x, y];
    const alone = begins && !Number.isFinite(curve.x[i + 1]);
    if (alone) {
      path.moveTo(x + 1, y);
      path.arc(x, y, 1, 0, 2 * Math.PI);
    } else if (beside(from[0], x, left, left + width) || beside(from[1], y, top, top + height)) {
      penDown = false;
    } else {
      if (begins || !penDown) path.moveTo(...from);
      path.lineTo(x, y);
      penDown = true;
    }
    before = [x, y];
  }
  return path;
}

// Calls visit(x, y) with the pixels of each point that lies in the plot.
export function visitPoints(plot, curve, visit) {
  const pixel = pixelsOf(plot, curve);
  const { left, top, width, height } = plot.bbox;
  for (let i = 0; i < curve.x.length; ++i) {
    const [x, y] = pixel(i);
    if (x >= left && x <= left + width && y >= top && y <= top + height) visit(x, y);
  }
}
