// A picture of the view, and a video of it while it is looked at: files of what is seen, without the panel.

import { fileName, offer } from "../report/download.js";
import { element } from "../report/element.js";
import { onKey } from "./keys.js";

// What browsers can write, the best one first.
const videoKinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

const nothingSeen = "There is no view to be saved, because WebGL is switched off; allow hardware acceleration in the browser's settings";

export function buildCapture(stage) {
  let name = "view";
  let video = null;  // the recorder, while it records
  const kind = globalThis.MediaRecorder && videoKinds.find((each) => MediaRecorder.isTypeSupported(each));
  const pictureButton = element("button", { type: "button", class: "text-button picture", click: takePicture }, "Picture");
  pictureButton.title = stage.isBlind ? nothingSeen : "Save a picture of the view as PNG (P)";
  pictureButton.disabled = Boolean(stage.isBlind);
  const videoButton = element("button", { type: "button", class: "text-button video", "aria-pressed": "false", click: toggleVideo }, "Video");
  videoButton.title = stage.isBlind
    ? nothingSeen
    : kind
      ? "Record a video of the view, which is saved when it is stopped (V)"
      : "This browser cannot record videos; open the page in Chromium or Firefox";
  videoButton.disabled = !kind || Boolean(stage.isBlind);
  const message = element("p", { class: "hint", role: "status", hidden: true });
  const node = element("div", { class: "capture" }, element("div", { class: "buttons" }, pictureButton, videoButton), message);
  onKey("p", () => pictureButton.click());
  onKey("v", () => videoButton.click());

  function say(text) {
    message.hidden = !text;
    message.textContent = text;
  }

  const named = (ending) => fileName({ title: `${name} ${(stage.placedTime ?? 0).toFixed(2)} s` }, ending);

  function takePicture() {
    const canvas = element("canvas");
    stage.draw();
    stage.copyTo(canvas);
    canvas.toBlob((blob) => offer(blob, named("png")));
  }

  function toggleVideo() {
    if (video) video.stop();
    else beginVideo();
  }

  // The view is copied into a canvas of its own, whose size stays as the video asks for.
  function beginVideo() {
    const canvas = element("canvas");
    stage.draw();
    stage.copyTo(canvas);
    const pieces = [];
    const file = named("webm");
    try {
      video = new MediaRecorder(canvas.captureStream(60), { mimeType: kind, videoBitsPerSecond: 8e6 });
    } catch (error) {
      return say(`The video cannot be recorded: ${error.message}`);
    }
    video.ondataavailable = ({ data }) => data.size > 0 && pieces.push(data);
    video.onerror = ({ error }) => say(`The video ended by itself: ${error.message}`);
    video.onstop = () => {
      stage.onDrawn = null;
      video = null;
      show();
      if (pieces.length > 0) offer(new Blob(pieces, { type: "video/webm" }), file);
    };
    stage.onDrawn = () => stage.copyTo(canvas, { keepsSize: true });
    video.start(1000);
    say("");
    show();
  }

  function show() {
    videoButton.textContent = video ? "Stop video" : "Video";
    videoButton.setAttribute("aria-pressed", String(Boolean(video)));
  }

  return {
    node,
    showScene(scene) {
      name = scene.name;
    },
  };
}
