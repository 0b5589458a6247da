// The browser in which tests open pages: without a window, and fetching nothing by itself.

import { chromium } from "playwright-core";

// `drawing`: whether pictures in 3D are drawn, by software; all else as playwright has it.
export function openBrowser(profile, { drawing, ...options }) {
  const software = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
  return chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--headless",
      ...(drawing ? software : ["--disable-gpu"]),
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
    ...options,
  });
}
