// The report of a run: the motion as a player, and the charts of the report, which follow its time.

import "uplot/dist/uPlot.min.css";
import "../report/colours.css";
import "../report/page.css";
import "../report/chart.css";
import "../report/print.css";
import "../live/stage.css";
import "./player.css";

import { Player } from "../live/player.js";
import { buildPage } from "../report/page.js";
import { followTheme, onThemeChange } from "../report/theme.js";
import { Clock } from "./clock.js";
import { unpackCharts, unpackMotion } from "./packed.js";
import { buildTheatre } from "./theatre.js";

followTheme();
const report = JSON.parse(document.getElementById("report").textContent);
unpackCharts(report);
// what measures the motion is told by charts
const scene = { ...report.motion.scene, sensors: [] };
const player = new Player();
const clock = new Clock((time) => {
  player.playing = false;
  player.seek(time);
});
const theatre = buildTheatre(scene, player);
document.body.append(...buildPage(report, { above: theatre.node, clock }));

const stage = theatre.open();
stage.show(scene);
player.onFrame = (frame) => {
  stage.place(frame);
  theatre.showTime(frame.time);
};
player.show(scene, unpackMotion(report.motion));
stage.showReach(player.someFrames());
player.seek(player.time);
theatre.begin();

// charts are told 15 times a second, which eyes can follow
let told = 0;
stage.start((seconds) => {
  player.advance(seconds);
  if (clock.time === player.time || (player.playing && performance.now() - told < 66)) return;
  told = performance.now();
  clock.show(player.time);
});
onThemeChange(() => stage.takeColours());

// For tests, and for people who look behind the scenes.
window.polhode = { player, stage, report, clock };
