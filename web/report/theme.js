// Light or dark: as the system has it, until the reader chooses; the choice is remembered.

const key = "polhode-theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = [];

// Storage may be forbidden, as for files in some browsers; then the choice lasts as long as the page.
function remembered() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // nothing is lost but the choice
  }
}

function show(theme) {
  document.documentElement.dataset.theme = theme;
  listeners.forEach((listener) => listener());
}

function chosenTheme() {
  return remembered() ?? (systemIsDark.matches ? "dark" : "light");
}

export function onThemeChange(listener) {
  listeners.push(listener);
}

export function toggleTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  remember(theme);
  show(theme);
}

// Shows the theme, now and when the system changes it; paper is always light.
export function followTheme() {
  let screenTheme = chosenTheme();
  show(screenTheme);
  systemIsDark.addEventListener("change", () => show(chosenTheme()));
  addEventListener("beforeprint", () => {
    screenTheme = document.documentElement.dataset.theme;
    show("light");
  });
  addEventListener("afterprint", () => show(screenTheme));
}
