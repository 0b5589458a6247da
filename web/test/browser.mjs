// The browser in which tests open pages: without a window, and fetching nothing by itself.

import { chromium } from "playwright-core";

// Milliseconds until a page has failed to do what is asked of it: pictures are drawn without a graphics card, on a machine that
// may be busy.
export const patience = 90_000;

// `drawing`: whether pictures in 3D are drawn, by software; all else as playwright has it.
export async function openBrowser(profile, { drawing, ...options }) {
  const software = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
  const browser = await chromium.launchPersistentContext(profile, {
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
  browser.setDefaultTimeout(patience);
  return browser;
}
