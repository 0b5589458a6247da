// Whether the hand pulls bodies or turns them: a button, for fingers, and `T`. With a mouse Shift does so for one drag.

import { onKey } from "./keys.js";
import { iconButton } from "./layout.js";

export function buildHandMode() {
  let turns = false;
  const button = iconButton("turn", "Turn bodies in place of pulling them (T, or Shift while dragging)", () => {
    turns = !turns;
    button.setAttribute("aria-pressed", turns);
  });
  button.classList.add("turn-mode", "live-only");
  button.setAttribute("aria-pressed", turns);
  onKey("t", () => button.click());
  return { button, turns: () => turns };
}
