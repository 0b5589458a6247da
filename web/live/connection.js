// The line to the server: text out, JSON and frames in. A lost line is taken up again.

import { readFrame, unpackFrame } from "./frame.js";

const firstPause = 500;
const longestPause = 5000;

export function connect({ onText, onFrame, onOpen, onClose }) {
  if (window.polhodeRun) return showAlone({ onText, onOpen });
  let socket = null;
  let pause = firstPause;

  function open() {
    socket = new WebSocket(`ws://${location.host}/live`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      pause = firstPause;
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") onText(JSON.parse(data));
      else onFrame(readFrame(unpackFrame(data)));
    };
    socket.onclose = () => {
      onClose();
      setTimeout(open, pause);
      pause = Math.min(2 * pause, longestPause);
    };
  }
  open();

  return {
    // One line of words and numbers (src/server/command.h).
    send(...words) {
      if (socket.readyState === WebSocket.OPEN) socket.send(words.join(" "));
    },
  };
}

// A page that carries its run inside, { scene, frames }, needs no server; nothing but the run can be steered there.
function showAlone({ onText, onOpen }) {
  setTimeout(() => {
    onOpen();
    onText({ ...window.polhodeRun.scene, examples: [] });
    onText({ type: "seat", page: 1, steering: true, pages: 1 });
  });
  return { send() {} };
}
