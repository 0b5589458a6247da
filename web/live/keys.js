// Keys that do something wherever the focus is, except where people write or choose.

const acts = new Map();

// `act` is called for the key, a letter or a sign without Ctrl and Alt.
export function onKey(key, act) {
  acts.set(key, act);
}

addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea, dialog *") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && event.target.matches("button, a")) return;
  const act = acts.get(event.key.toLowerCase());
  if (!act) return;
  event.preventDefault();
  act();
});
