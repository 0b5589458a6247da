// In the place of the stage where the browser cannot draw in three dimensions: says so, and lets all the rest work.

import { element } from "../report/element.js";
import { Stage } from "./stage.js";

export function makeStage(view, panel) {
  if (canDraw()) return new Stage(view, panel);
  return new NoGraphics(view);
}

// Asked before three.js tries, which would write an error to the console.
function canDraw() {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

class NoGraphics {
  isBlind = true;
  shown = { trails: false, joints: false, forces: false, glass: false, jointScale: 1, scale: false, ghosts: false, ghostsEvery: 0.25 };
  hidden = new Set();

  constructor(view) {
    document.body.classList.add("without-graphics");
    view.append(
      element(
        "p",
        { class: "no-graphics", role: "alert" },
        "This browser draws nothing in three dimensions here, because WebGL is switched off or missing. " +
          "Allow hardware acceleration in its settings, or open this page in another one. " +
          "Charts, controls and recordings work as they are.",
      ),
    );
  }

  show() {}
  showChanged() {}
  showReach() {}
  choose(shown) {
    Object.assign(this.shown, shown);
  }
  follow() {}
  place() {}
  lookAtAll() {}
  hide() {}
  highlight() {}
  takeColours() {}

  start(onPicture) {
    let last = performance.now();
    const turn = (now) => {
      onPicture(Math.min(0.1, Math.max(0, (now - last) / 1000)));
      last = now;
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }
}
