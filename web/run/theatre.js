// The stage of a report and what is below it: play, the slider of time, speed, what the camera follows and what is seen.

import { buildDock } from "../live/dock.js";
import { buildHelp } from "../live/help.js";
import { makeStage } from "../live/no_graphics.js";
import { buildView } from "../live/view_settings.js";
import { element } from "../report/element.js";

export function buildTheatre(scene, player) {
  const view = element("div", { class: "view" });
  const dock = element("div", { class: "dock" });
  const settings = element("div", { class: "view-settings" });
  const node = element("div", { class: "card theatre", role: "group", "aria-label": "The motion" }, view, dock, settings);
  let controls = null;

  return {
    node,
    // When the page has its parts, and with them their sizes.
    open() {
      const stage = makeStage(view, null);
      // the wheel belongs to the page, and to the camera with the control key
      const byWheel = ({ ctrlKey, metaKey }) => stage.orbit && (stage.orbit.enableZoom = ctrlKey || metaKey);
      view.addEventListener("wheel", byWheel, { capture: true, passive: true });
      const shown = buildView(stage);
      shown.showScene(scene);
      settings.append(shown.node);
      controls = buildDock(dock, { send() {}, player, stage, help: buildHelp(), isRun: () => true });
      controls.showScene(scene);
      return stage;
    },
    begin: () => controls.showRun(player),
    showTime: (time) => controls?.showFrame({ time }),
  };
}
