// The members of an ensemble that a page shows: one of them may be chosen, by a click on its point or its line, and is told
// at the foot of the window with the command that runs it alone. Where there is a server that click opens its run as well.

import { element } from "./element.js";

// { pick(i), listen(heard), chosen(), node }, where pick is what a click does; null where the report has no members.
export function buildMembers(members) {
  if (!members) return null;
  const listeners = [];
  let chosen = null;
  const name = element("strong", {});
  const command = element("code", { tabindex: "0", "aria-label": "The command that runs it" });  // it may be wider than its place
  const copy = element("button", { type: "button", class: "button", click: copyCommand }, "Copy");
  const open = element("a", { class: "button", target: "polhode-member", title: "Open its run in the live page" }, "Open");
  const close = element("button", { type: "button", class: "button", title: "Choose none", click: () => choose(null) }, "×");
  const node = element("div", { class: "member", role: "status", hidden: "" }, name, command, members.openBy && open, copy, close);

  function choose(i) {
    chosen = i;
    node.hidden = i === null;
    copy.textContent = "Copy";
    if (i !== null) {
      name.textContent = `member ${members.numbers[i]}`;
      command.textContent = members.commands[i];
      open.href = `${members.openBy}${members.numbers[i]}`;
    }
    listeners.forEach((heard) => heard(i));
  }

  function pick(i) {
    choose(i);
    if (members.openBy) open.click(); // as a person would: in the window that is there already
  }

  async function copyCommand() {
    try {
      await navigator.clipboard.writeText(command.textContent);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command); // at least it is marked
    }
  }

  return { node, pick, chosen: () => chosen, listen: (heard) => listeners.push(heard) };
}

// A click on a chart whose points are members chooses the nearest one; a ring marks the one that is chosen.
export function linkWithMembers({ chart, members, frame, plotOf }) {
  const series = chart.series.find((each) => each.members);
  if (!members || !series) return;
  const ring = element("div", { class: "member-ring" });
  let down = null;

  function mark() {
    const plot = plotOf();
    const i = members.chosen();
    const place = plot && i !== null ? plot.placeOf(series.x[i], series.y[i]) : null;
    ring.hidden = place === null;
    if (place === null) return;
    if (ring.parentNode !== plot.over) plot.over.append(ring);
    ring.style.transform = `translate(${place[0]}px, ${place[1]}px)`;
  }
  members.listen(mark);

  // a click, but not the end of a drag, which zooms
  frame.addEventListener("pointerdown", ({ clientX, clientY }) => (down = [clientX, clientY]));
  frame.addEventListener("click", ({ clientX, clientY }) => {
    const plot = plotOf();
    if (!plot || !down || Math.hypot(clientX - down[0], clientY - down[1]) > 3) return;
    const area = plot.over.getBoundingClientRect();
    const found = nearest(series, plot, clientX - area.left, clientY - area.top);
    if (found !== null) members.pick(found);
  });
  return mark;
}

function nearest(series, plot, left, top) {
  let best = 20; // pixels
  let found = null;
  series.x.forEach((x, i) => {
    const place = plot.placeOf(x, series.y[i]);
    const distance = place ? Math.hypot(place[0] - left, place[1] - top) : Infinity;
    if (distance < best) [best, found] = [distance, i];
  });
  return found;
}
