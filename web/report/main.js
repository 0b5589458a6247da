// The report page: reads the data that stands in the document and builds the page from it.

import "uplot/dist/uPlot.min.css";
import "./colours.css";
import "./page.css";
import "./chart.css";
import "./ensemble.css";
import "./print.css";

import { buildPage } from "./page.js";
import { followTheme } from "./theme.js";

followTheme();
const report = JSON.parse(document.getElementById("report").textContent);
document.body.append(...buildPage(report));
