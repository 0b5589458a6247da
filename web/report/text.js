import { element } from "./element.js";

// Text with light markup: a blank line begins a paragraph, `backquotes` set code.
export function paragraphs(text) {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => element("p", {}, inline(paragraph.trim())));
}

// A line of text; every second part between backquotes is code.
export function inline(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? element("code", {}, part) : part));
}

// The name of a heading in an address.
export function anchor(title, number) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [number + 1, ...words].join("-");
}
