// The parts of the page and where they are: the view over everything, the bar above, the panel beside, the dock below.

import { element } from "../report/element.js";
import { toggleTheme } from "../report/theme.js";
import { buildHelp } from "./help.js";
import { icon } from "./icons.js";

const noticeSeconds = 6;

export function buildLayout() {
  const view = element("div", { class: "view" });
  const help = buildHelp();
  const bar = {
    models: element("select", { class: "models", title: "What is simulated", "aria-label": "Example" }),
    open: iconButton("open", "Open a finished run (.h5 or .csv); it may also be dropped on the page"),
    headset: iconButton("headset", "Show in the headset"),
    theme: iconButton("theme", "Dark or light", toggleTheme),
    help: iconButton("help", "Keys and gestures (?)", () => help.toggle()),
    panel: iconButton("panel", "Show or hide the panel", () => document.body.classList.toggle("without-panel")),
    seat: element("span", { class: "seat" }),
  };
  bar.headset.hidden = true;

  const dock = element("div", { class: "dock" });
  const settings = element("div", { class: "settings" });
  const charts = element("div", { class: "charts" });
  const facts = element("div", { class: "facts" });
  const panel = element("aside", { "aria-label": "Settings and charts" }, facts, settings, charts);
  const label = element("div", { class: "body-label", hidden: true });
  const banner = element("div", { class: "banner", role: "status", hidden: true });
  const notices = element("div", { class: "notices", role: "status" });

  document.body.append(
    view,
    label,
    element(
      "header",
      {},
      element("span", { class: "brand" }, "polhode"),
      bar.models,
      bar.open,
      element("span", { class: "space" }),
      bar.seat,
      bar.headset,
      bar.help,
      bar.theme,
      bar.panel,
    ),
    panel,
    dock,
    banner,
    notices,
  );

  if (matchMedia("(max-width: 639px)").matches) document.body.classList.add("without-panel");
  return {
    view,
    bar,
    help,
    dock,
    panel,
    settings,
    charts,
    facts,
    label,
    notices,
    banner,
    setConnected(connected) {
      banner.hidden = connected;
      banner.textContent = "The server does not answer; trying again …";
    },
  };
}

export function iconButton(name, title, onClick) {
  return element("button", { type: "button", class: "icon", title, "aria-label": title, click: onClick }, icon(name));
}

export function showNotice(layout, text) {
  const notice = element("div", { class: "notice" }, text);
  layout.notices.append(notice);
  while (layout.notices.children.length > 3) layout.notices.firstChild.remove();
  setTimeout(() => notice.remove(), 1000 * noticeSeconds);
}
