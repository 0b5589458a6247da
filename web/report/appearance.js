// How curves are told apart: by colours that colour-blind people can distinguish (after Okabe and Ito, in
// page.css, one set for each theme), by dashes and by markers.

export const colourCount = 7;
const dashes = [[], [9, 4], [2.5, 3], [10, 3, 2.5, 3], [5, 3]];
const markers = ["circle", "square", "triangle", "diamond", "cross", "inverted triangle"];

// For each name { colour, dash, marker }. Names of two parts, as in "null-space, dopri5", share the colour
// of their first part and the dashes and markers of their second.
export function appearances(names) {
  const parts = names.map((name) => name.split(", "));
  const structured = names.length > 1 && parts.every((part) => part.length === 2);
  if (!structured) return names.map((_, i) => appearance(i, i));

  const firsts = [...new Set(parts.map(([first]) => first))];
  const seconds = [...new Set(parts.map(([, second]) => second))];
  return parts.map(([first, second]) => appearance(firsts.indexOf(first), seconds.indexOf(second)));
}

function appearance(colour, pattern) {
  return {
    colour: `--series-${colour % colourCount}`,
    dash: dashes[pattern % dashes.length],
    marker: markers[pattern % markers.length],
  };
}

// The colour as the present theme has it.
export function themeColour(variable) {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

// The outline of a marker about (x, y), in the notation of SVG, which canvases read as well.
export function markerOutline(marker, x, y, radius) {
  const polygon = (...corners) =>
    "M" + corners.map(([cx, cy]) => `${x + cx * radius},${y + cy * radius}`).join("L") + "Z";
  switch (marker) {
    case "square":
      return polygon([-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]);
    case "triangle":
      return polygon([0, -1.15], [1.05, 0.75], [-1.05, 0.75]);
    case "inverted triangle":
      return polygon([0, 1.15], [1.05, -0.75], [-1.05, -0.75]);
    case "diamond":
      return polygon([0, -1.25], [1.1, 0], [0, 1.25], [-1.1, 0]);
    case "cross":
      return polygon(...crossCorners(0.4, 1.1));
    default:
      return `M${x - radius},${y}a${radius},${radius} 0 1,0 ${2 * radius},0a${radius},${radius} 0 1,0 ${-2 * radius},0Z`;
  }
}

function crossCorners(inner, outer) {
  const quarter = [
    [-inner, -outer],
    [inner, -outer],
    [inner, -inner],
  ];
  const turned = ([x, y]) => [-y, x];
  const corners = [];
  let arm = quarter;
  for (let k = 0; k < 4; ++k) {
    corners.push(...arm);
    arm = arm.map(turned);
  }
  return corners;
}
