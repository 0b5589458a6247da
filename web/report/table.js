import { element } from "./element.js";
import { paragraphs } from "./text.js";

// A number, perhaps with a power of ten and a short unit.
const number =
  /^[<>≈]?\s*[+\-−]?(\d[\d.,\u2009\u00a0]*|inf|nan|∞)(e[+-]?\d+)?(\s*[×·]\s*10\S+)?(\s?[^\s\d-]\S{0,4})?$/i;
// A column with a longer cell than this holds sentences, which may be broken.
const longestWord = 60;
const empty = /^[\s–—-]*$/;

export function buildTable(table) {
  const numeric = table.columns.map((_, column) => isNumeric(table.rows.map((row) => row[column])));
  const sentences = table.columns.map((_, column) => table.rows.some((row) => row[column].length > longestWord));
  const alignment = (column) => (numeric[column] ? "number" : sentences[column] ? "sentences" : "");
  const head = table.columns.map((name, column) =>
    element("th", { scope: "col", class: alignment(column) }, name),
  );
  const rows = table.rows.map((row) =>
    element(
      "tr",
      {},
      row.map((cell, column) => element("td", { class: `${alignment(column)} ${verdict(cell)}` }, cell)),
    ),
  );
  return element(
    "figure",
    { class: "card" },
    table.title && element("figcaption", {}, element("h3", {}, table.title)),
    element(
      "div",
      { class: "table-frame" },
      element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)),
    ),
    table.note && element("div", { class: "note" }, paragraphs(table.note)),
  );
}

function isNumeric(cells) {
  const filled = cells.map((cell) => cell.replace(/^[✓✗]\s*/, "")).filter((cell) => !empty.test(cell));
  return filled.length > 0 && filled.every((cell) => number.test(cell));
}

export function verdict(cell) {
  if (cell.startsWith("✓")) return "passes";
  return cell.startsWith("✗") ? "fails" : "";
}
