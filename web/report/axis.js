// An axis maps values to positions and says which positions carry a tick. uPlot sees positions only, so a
// logarithmic axis is to it a linear one of exponents.
//
//     position(value)           NaN where the axis cannot show the value
//     value(position)
//     padded(low, high)         the range that shows positions from low to high, with a margin
//     snug(low, high)           the same without a margin
//     ticks(low, high, most)    positions, with at most about `most` labels
//     labels(ticks)             a text for each tick, null for a minor one

import { powerOfTen, readableRow } from "./numbers.js";

// Values are divided by a power of ten near the largest, since uPlot refuses to zoom below 1e-16.
export function linearAxis(values) {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const unit = largest > 0 ? 10 ** Math.floor(Math.log10(largest)) : 1;
  return {
    position: (value) => value / unit,
    value: (position) => position * unit,
    padded: (low, high) => widened(low, high, Math.abs(low) || 1),
    snug: (low, high) => [low > 0 && low < 0.02 * high ? 0 : low, high],
    ticks: linearTicks,
    labels: (ticks) => readableRow(ticks.map((position) => position * unit)),
  };
}

export function logarithmicAxis() {
  return {
    position: (value) => (value > 0 ? Math.log10(value) : NaN),
    value: (position) => 10 ** position,
    padded: (low, high) => (high - low > 3 ? [Math.floor(low), Math.ceil(high)] : widened(low, high, 1)),
    snug: (low, high) => [low, high],
    ticks: logarithmicTicks,
    labels: logarithmicLabels,
  };
}

// Four hundredths more on both sides, or the given amount where all values are the same.
function widened(low, high, amount) {
  const margin = high > low ? 0.04 * (high - low) : 0.5 * amount;
  return [low - margin, high + margin];
}

// Multiples of 1, 2 or 5 times a power of ten.
function linearTicks(low, high, most) {
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}

// Whole exponents with the multiples 2 to 9 between them as minor ticks; within less than a decade,
// ticks as on a linear axis, without those that would crowd at its upper end.
function logarithmicTicks(low, high, most) {
  const first = Math.ceil(low - 1e-9);
  const last = Math.floor(high + 1e-9);
  if (last - first < 1)
    return spaced(
      linearTicks(10 ** low, 10 ** high, most)
        .filter((v) => v > 0)
        .map(Math.log10),
      (0.9 * (high - low)) / Math.max(most, 1),
    );

  const step = Math.ceil((last - first + 1) / Math.max(most, 1));
  const ticks = [];
  if (step === 1 && last - first <= 6) {
    for (let exponent = first - 1; exponent <= last; ++exponent) {
      for (let factor = 1; factor <= 9; ++factor) ticks.push(exponent + Math.log10(factor));
    }
  } else {
    for (let exponent = Math.ceil(first / step) * step; exponent <= last; exponent += step)
      ticks.push(exponent);
  }
  return ticks.filter((tick) => tick >= low - 1e-9 && tick <= high + 1e-9);
}

// Ticks at least `gap` apart, from the first one on.
function spaced(ticks, gap) {
  const kept = [];
  for (const tick of ticks) if (kept.length === 0 || tick - kept[kept.length - 1] >= gap) kept.push(tick);
  return kept;
}

function logarithmicLabels(ticks) {
  const wholes = ticks.filter(Number.isInteger);
  if (wholes.length > 1) return ticks.map((tick) => (Number.isInteger(tick) ? powerOfTen(tick) : null));
  return readableRow(ticks.map((tick) => 10 ** tick));
}
