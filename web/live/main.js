// The live page: a simulation, or a finished run, in three dimensions, with its controls and charts.

import "uplot/dist/uPlot.min.css";
import "../report/colours.css";
import "./stage.css";
import "./live.css";
import "./panel.css";

import { followTheme, onThemeChange } from "../report/theme.js";
import { connect } from "./connection.js";
import { buildControls } from "./controls.js";
import { buildCharts } from "./charts.js";
import { Grip } from "./grip.js";
import { KeyGrip } from "./key_grip.js";
import { buildLayout, showNotice } from "./layout.js";
import { makeStage } from "./no_graphics.js";
import { Player } from "./player.js";
import { offerHeadset } from "./headset.js";
import { acceptRuns } from "./run_files.js";

followTheme();
const layout = buildLayout();
const stage = makeStage(layout.view, layout.panel);
const player = new Player();
const charts = buildCharts(layout.charts, (time) => {
  if (page.scene?.mode === "live") {
    if (page.seat.steering) connection.send("seek", time);
    return;
  }
  player.playing = false;
  player.seek(time);
});
const page = { scene: null, status: {}, seat: { page: 0, steering: false, pages: 0 }, frame: null };

const connection = connect({
  onText: (message) => messageHandlers[message.type]?.(message),
  onFrame: (frame) => page.scene?.mode === "live" && showFrame(frame),
  onOpen: () => layout.setConnected(true),
  onClose: () => layout.setConnected(false),
});
const said = [];  // all notices, which go after a while
const say = (text) => {
  said.push(text);
  showNotice(layout, text);
};
const controls = buildControls(layout, { send: connection.send, player, stage, charts, say });
const hand = { send: connection.send, page: () => page, turns: controls.turns, say };
const grip = stage.isBlind ? null : new Grip(stage, layout, { ...hand, onClick: controls.select });
if (!stage.isBlind) new KeyGrip(stage, { ...hand, selected: controls.selectedBody });

const messageHandlers = {
  scene: showScene,
  status(status) {
    page.status = status;
    controls.showStatus(status);
  },
  seat(seat) {
    page.seat = seat;
    controls.showSeat(seat);
    chooseMember();
  },
  notice: ({ text }) => say(text),
};

// The page of a sweep leads here with the number of a member that is to be seen: "/?member=17".
function chooseMember() {
  const address = new URL(location.href);
  const number = address.searchParams.get("member");
  if (number === null) return;
  if (!page.seat.steering) {
    connection.send("steer");
    return;
  }
  address.searchParams.delete("member");
  history.replaceState(null, "", address);  // once: who loads the page again does not begin anew
  connection.send("member", number);
}

async function showScene(scene) {
  const isKnown = scene.changed && page.scene?.mode === "live" && page.scene.source === scene.source;
  page.scene = scene;
  if (isKnown) {
    stage.showChanged(scene);
    controls.showChanged(scene);
    return;
  }
  page.frame = null;
  stage.show(scene);
  charts.begin(scene);
  controls.showScene(scene);
  player.close();
  if (scene.mode !== "run") return;
  try {
    await player.open(scene);
    stage.showReach(player.someFrames());
    player.seek(player.time);
    charts.showRun(player);
    controls.showRun(player);
  } catch (error) {
    say(`The run cannot be shown: ${error.message}`);
  }
}

function showFrame(frame) {
  page.frame = frame;
  stage.place(frame);
  if (page.scene.mode === "live") {
    if (page.status.past?.isLookedAt) charts.showFrame(frame);
    else charts.add(frame);
  }
  controls.showFrame(frame);
}

player.onFrame = (frame) => {
  showFrame(frame);
  charts.showFrame(frame);
};

if (window.polhodeRun) {
  layout.bar.open.hidden = true;
  document.body.classList.add("without-panel");  // in a notebook there is little room
} else {
  acceptRuns(layout, () => page.seat, say);
}
if (!stage.isBlind) offerHeadset(stage, layout, connection.send, () => page);
onThemeChange(() => {
  stage.takeColours();
  charts.redraw();
});
stage.start((seconds) => {
  player.advance(seconds);
  grip?.follow();
  charts.draw();
});

// For tests, and for people who look behind the scenes.
window.polhode = {
  page,
  player,
  stage,
  charts,
  said,
};
