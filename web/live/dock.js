// The dock below the view: reset, play, steps, the time, the speed; the slider over a finished run, or over the past of a live
// one; the button that records.

import { element } from "../report/element.js";
import { icon } from "./icons.js";
import { onKey } from "./keys.js";
import { iconButton } from "./layout.js";

const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

// As many as a step has.
function digitsOf(step) {
  return step > 0 ? Math.max(2, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
}

export function buildDock(parent, { send, player, stage, help, isRun, modes = [] }) {
  let playing = false;
  let recording = false;
  let steering = true;
  let digits = 2;  // of the clock
  let past = null;  // of a live run, as the status tells
  let isDragged = false;  // the slider
  const reset = iconButton("reset", "Back to the beginning (R)", () => (isRun() ? player.seek(player.start) : send("reset")));
  const play = iconButton("play", "Play or pause (space)", togglePlay);
  const back = iconButton("back", "Step back (,)", () => (isRun() ? player.stepBy(-1) : send("back")));
  const step = iconButton("step", "One step (.)", () => (isRun() ? player.stepBy(1) : send("step")));
  // no live region: nobody wants to hear the time 60 times a second
  const time = element("span", { class: "time", role: "timer", "aria-live": "off" }, "0.00 s");
  const slider = element("input", { type: "range", class: "scrub", min: 0, max: 1, step: "any", "aria-label": "Time" });
  const speed = element(
    "select",
    { class: "speed", title: "Speed", "aria-label": "Speed" },
    speeds.map((factor) => element("option", { value: factor }, `${factor} ×`)),
  );
  speed.value = 1;
  const loop = iconButton("loop", "Again from the beginning when it is over (L)", () => {
    player.loops = !player.loops;
    loop.setAttribute("aria-pressed", player.loops);
  });
  loop.classList.add("run-only");
  loop.setAttribute("aria-pressed", player.loops);
  const record = iconButton("record", "Record what happens", () => send("record", recording ? "off" : "on"));
  record.classList.add("record", "live-only");
  const home = iconButton("home", "See everything (F)", () => stage.mechanism && stage.lookAtAll());
  parent.append(reset, back, play, step, time, slider, speed, loop, ...modes, record, home);
  play.classList.add("play");
  back.classList.add("back");

  function togglePlay() {
    if (isRun()) player.play(!player.playing);
    else send(playing ? "pause" : "play");
  }

  function showPlaying(now) {
    playing = now;
    play.replaceChildren(icon(now ? "pause" : "play"));
    play.setAttribute("aria-pressed", now);
  }

  slider.addEventListener("input", () => {
    isDragged = true;
    if (!isRun()) return send("seek", slider.value);
    player.playing = false;
    player.seek(Number(slider.value));
  });
  slider.addEventListener("change", () => (isDragged = false));
  speed.addEventListener("change", () => {
    player.speed = Number(speed.value);
    if (!isRun()) send("speed", speed.value);
  });
  player.onTime = () => {
    slider.value = player.time;
    showPlaying(player.playing);
  };

  // The slider over a live run goes from what is kept of it up to where it has come to.
  function showPast(end) {
    if (past) slider.min = past.from;
    if (end !== null && end !== undefined) slider.max = end;
  }

  function enable() {
    for (const part of [reset, play, step, speed, record, ...modes]) part.disabled = !steering && !isRun();
    for (const part of [back, slider]) part.disabled = !isRun() && (!steering || Boolean(past?.why));
  }

  // a button that was clicked does not keep the keys; one that was reached by them does
  addEventListener("click", (event) => event.detail > 0 && event.target.closest?.("button, a")?.blur());

  const keys = {
    "?": help.toggle,
    " ": togglePlay,
    ".": () => step.click(),
    ",": () => back.click(),
    r: () => reset.click(),
    f: () => home.click(),
    l: () => isRun() && loop.click(),
  };
  for (const [key, act] of Object.entries(keys)) onKey(key, act);

  return {
    showScene() {
      showPlaying(false);
      speed.value = 1;
      past = null;
      isDragged = false;
      slider.title = "";
    },
    showStatus(status) {
      if (isRun()) return;
      showPlaying(status.playing);
      if (![...speed.options].some((option) => Number(option.value) === status.speed))
        speed.append(element("option", { value: status.speed }, `${status.speed} ×`));
      speed.value = status.speed;
      recording = status.recording;
      record.classList.toggle("on", recording);
      record.replaceChildren(icon(recording ? "stop" : "record"));
      record.title = recording ? "Stop recording" : "Record what happens";
      digits = digitsOf(status.step);
      ({ past } = status);
      slider.title = past?.why || "The past of this run; play goes on from there, and what came after is discarded";
      showPast(status.playing ? null : past?.to);
      enable();
    },
    // Who watches a simulation cannot steer it; a finished run belongs to everybody.
    showSeat(seat) {
      ({ steering } = seat);
      enable();
    },
    showRun(run) {
      enable();
      slider.min = run.start;
      slider.max = run.end;
      digits = digitsOf((run.end - run.start) / Math.max(1, run.rows - 1));
      run.onTime();
    },
    showFrame(frame) {
      time.textContent = `${frame.time.toFixed(digits)} s`;
      if (!playing) slider.setAttribute("aria-valuetext", time.textContent);  // while it plays nobody wants to hear every picture
      if (isRun()) return;
      if (!past?.isLookedAt) showPast(frame.time);
      if (!isDragged) slider.value = frame.time;
    },
  };
}
