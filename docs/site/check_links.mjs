// Looks whether every link within the site leads to a page that is there, and to a place on it.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const site = process.argv[2];
const pages = readdirSync(site).filter((name) => name.endsWith('.html'));
const texts = new Map(pages.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
const places = new Map(
  [...texts].map(([name, text]) => [name, new Set([...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map((m) => m[1]))]));

let links = 0;
const problems = new Set();
for (const [page, text] of texts)
  for (const [, raw] of text.matchAll(/\b(?:href|src)="([^"]+)"/g)) {
    const link = decodeURIComponent(raw.replace(/&amp;/g, '&'));
    if (/^[a-z]+:/.test(link)) continue;
    const [file, anchor] = link.split('#');
    const to = file || page;
    ++links;
    if (!existsSync(join(site, to))) problems.add(`${page}: the link to '${link}' leads nowhere`);
    else if (anchor && places.has(to) && !places.get(to).has(anchor))
      problems.add(`${page}: '${to}' has no place '${anchor}'`);
  }
if (problems.size) {
  console.error([...problems].join('\n'));
  process.exit(1);
}
console.log(`${pages.length} pages, ${links} links, all lead somewhere`);
