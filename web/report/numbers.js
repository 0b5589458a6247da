const superscripts = {
  "-": "⁻",
  0: "⁰",
  1: "¹",
  2: "²",
  3: "³",
  4: "⁴",
  5: "⁵",
  6: "⁶",
  7: "⁷",
  8: "⁸",
  9: "⁹",
};

export function powerOfTen(exponent) {
  return "10" + [...String(exponent)].map((digit) => superscripts[digit]).join("");
}

// A number for people: five significant digits, and a power of ten where it is very large or very small.
export function readable(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return withMinus(String(Number(value.toPrecision(5))));
  const [mantissa, exponent] = value.toExponential(3).split("e");
  return withMinus(`${mantissa} × ${powerOfTen(Number(exponent))}`);
}

// A unit of src/io/recording_layout.cpp for people; a pure number has none.
export const readableUnit = (unit) => (unit === "1" ? "" : unit.replace("^2", "²"));

// The labels of equally spaced values: all with the same number of decimals and the same power of ten.
export function readableRow(values) {
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest === 0) return values.map(() => "0");
  const plain = largest >= 1e-2 && largest < 1e5;
  const exponent = plain ? 0 : Math.floor(Math.log10(largest));
  const mantissas = values.map((value) => value / 10 ** exponent);
  const step = values.length > 1 ? Math.abs(mantissas[1] - mantissas[0]) : Math.abs(mantissas[0]);
  const decimals = decimalsOf(step);
  return mantissas.map((mantissa) => {
    const digits = withMinus(mantissa.toFixed(decimals));
    return plain || Number(mantissa.toFixed(decimals)) === 0 ? digits : `${digits} × ${powerOfTen(exponent)}`;
  });
}

// How many decimals a multiple of the step needs.
function decimalsOf(step) {
  for (let decimals = 0; decimals < 12; ++decimals) {
    const scaled = step * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals;
  }
  return 12;
}

function withMinus(digits) {
  return digits.replace("-", "−");
}
