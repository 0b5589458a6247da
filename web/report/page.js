// The page: head, table of contents, summary and sections.

import { buildBars } from "./bars.js";
import { buildChart } from "./chart.js";
import { element } from "./element.js";
import { buildMembers } from "./members.js";
import { buildParallel } from "./parallel.js";
import { buildTable, verdict } from "./table.js";
import { anchor, inline, paragraphs } from "./text.js";
import { toggleTheme } from "./theme.js";

// `above` is shown between the summary and the sections; charts over the time are linked with `clock` (run/clock.js).
export function buildPage(report, { above = null, clock = null } = {}) {
  const members = buildMembers(report.members);
  const sections = report.sections.map((section, i) => buildSection(section, i, { clock, members }));
  const contents = buildContents(report.sections);
  followReading(sections, contents);
  return [
    element(
      "div",
      { class: "page" },
      buildHead(report),
      contents,
      element("main", {}, buildSummary(report), above, sections),
      element(
        "footer",
        {},
        "Drag over a chart to zoom, double click to see everything again. Written by polhode.",
      ),
    ),
    members?.node,
  ].filter(Boolean);
}

function buildHead(report) {
  return element(
    "header",
    {},
    element(
      "div",
      {},
      element("h1", {}, report.title),
      report.subtitle && element("p", { class: "subtitle" }, inline(report.subtitle)),
    ),
    element(
      "button",
      { type: "button", class: "button theme-toggle", title: "Light or dark", click: toggleTheme },
      "◐",
    ),
  );
}

function buildContents(sections) {
  const links = sections.map((section, i) =>
    element("li", {}, element("a", { href: `#${anchor(section.title, i)}` }, section.title)),
  );
  return element("nav", { "aria-label": "Contents" }, element("ol", {}, links));
}

// The summary, and how many cells of all tables pass and fail.
function buildSummary(report) {
  const cells = report.sections.flatMap((section) => section.tables.flatMap((table) => table.rows.flat()));
  const count = (kind) => cells.filter((cell) => verdict(cell) === kind).length;
  const verdicts = [
    count("passes") > 0 && element("span", { class: "badge passes" }, `✓ ${count("passes")} hold`),
    count("fails") > 0 &&
      element(
        "button",
        { type: "button", class: "badge fails", click: showFailure },
        `✗ ${count("fails")} do not hold`,
      ),
  ];
  return element(
    "div",
    { class: "summary" },
    paragraphs(report.summary),
    element("p", { class: "badges" }, verdicts),
  );
}

function showFailure() {
  document.querySelector("td.fails").scrollIntoView({ behavior: "smooth", block: "center" });
}

function buildSection(section, i, { clock, members }) {
  return element(
    "section",
    { id: anchor(section.title, i) },
    element("h2", {}, section.title),
    element("div", { class: "text" }, paragraphs(section.text)),
    section.tables.map(buildTable),
    section.parallels?.map((parallel) => buildParallel(parallel, members)),
    element(
      "div",
      { class: "charts" },
      section.bars?.map(buildBars),
      section.charts.map((chart) => buildChart(chart, { clock, members })),
    ),
  );
}

// Marks the entry of the section that is being read: the last one whose head has passed the top of the window.
function followReading(sections, contents) {
  const links = [...contents.querySelectorAll("a")];
  const mark = () => {
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = sections.filter(
      (section) => section.getBoundingClientRect().top < 0.3 * innerHeight,
    ).length;
    const current = atEnd && scrollY > 0 ? sections.length - 1 : Math.max(passed - 1, 0);
    links.forEach((link, i) => link.classList.toggle("current", i === current));
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("load", mark);
}
