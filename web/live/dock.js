// The dock below the view: reset, play, step, the time, the speed; the slider of a finished run; the recording.

import { element } from "../report/element.js";
import { icon } from "./icons.js";
import { iconButton } from "./layout.js";

const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export function buildDock(parent, { send, player, stage, isRun }) {
  let playing = false;
  let recording = false;
  const reset = iconButton("reset", "Back to the beginning (R)", () => (isRun() ? player.seek(player.start) : send("reset")));
  const play = iconButton("play", "Play or pause (space)", togglePlay);
  const step = iconButton("step", "One step (.)", () => (isRun() ? player.stepBy(1) : send("step")));
  const time = element("output", { class: "time" }, "0.00 s");
  const slider = element("input", { type: "range", class: "scrub run-only", min: 0, max: 1, step: "any", "aria-label": "Time" });
  const speed = element(
    "select",
    { class: "speed", title: "Speed", "aria-label": "Speed" },
    speeds.map((factor) => element("option", { value: factor }, `${factor} ×`)),
  );
  speed.value = 1;
  const record = iconButton("record", "Record what happens", () => send("record", recording ? "off" : "on"));
  record.classList.add("record", "live-only");
  const download = element(
    "a",
    { class: "icon live-only", href: "/recording.csv", download: "polhode.csv", title: "Download the recording (CSV)", hidden: true },
    icon("download"),
  );
  const home = iconButton("home", "See everything (F)", () => stage.mechanism && stage.lookAtAll());
  parent.append(reset, play, step, time, slider, speed, record, download, home);
  play.classList.add("play");

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
    player.playing = false;
    player.seek(Number(slider.value));
  });
  speed.addEventListener("change", () => {
    player.speed = Number(speed.value);
    if (!isRun()) send("speed", speed.value);
  });
  player.onTime = () => {
    slider.value = player.time;
    showPlaying(player.playing);
  };

  // a button that was clicked does not keep the keys; one that was reached by them does
  addEventListener("click", (event) => event.detail > 0 && event.target.closest?.("button, a")?.blur());

  const keys = { " ": togglePlay, ".": () => step.click(), r: () => reset.click(), f: () => home.click() };
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.matches("button, a")) return;
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });

  return {
    showScene() {
      showPlaying(false);
      speed.value = 1;
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
      download.hidden = recording || status.recordedRows === 0;
    },
    showRun(run) {
      slider.min = run.start;
      slider.max = run.end;
      run.onTime();
    },
    showFrame(frame) {
      time.textContent = `${frame.time.toFixed(2)} s`;
    },
  };
}
