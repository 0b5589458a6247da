// Lays out what Doxygen reads, in the folder that is given: the manual, a page of each example, the installed headers.
//
// The manual is written as people read it in the repository. Doxygen wants a name on each page and heading, and links by
// these names; both are put in here. A link of the manual or of the README that leads nowhere is an error.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';

const target = process.argv[2];
const problems = [];
const read = (path) => readFileSync(path, 'utf8');
const write = (path, text) => {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
};

/// All files below a folder with that ending.
const filesBelow = (folder, ending) =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path, ending) : path.endsWith(ending) ? [path] : [];
    });

/// "docs/integrators/radau5.md" is the page "integrators_radau5".
const pageOf = (path) => relative('docs', path).replace(/\.md$/, '').replace(/[^A-Za-z0-9]+/g, '_');

/// The name of a heading within its page, as GitHub makes it.
const slug = (heading) =>
  heading.replace(/[`*]/g, '').trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-');

/// Calls `change` for what stands between blocks of code, and leaves these as they are.
const mapText = (text, change) => {
  const pieces = [];
  let fence = false;
  for (const line of text.split('\n')) {
    const isFence = line.startsWith('```');
    const isCode = fence || isFence || line.startsWith('    ');
    if (isFence) fence = !fence;
    if (pieces.at(-1)?.isCode === isCode) pieces.at(-1).lines.push(line);
    else pieces.push({ isCode, lines: [line] });
  }
  return pieces.map(({ isCode, lines }) => (isCode ? lines.join('\n') : change(lines.join('\n')))).join('\n');
};

const headings = new Map();
for (const path of [...filesBelow('docs', '.md'), 'README.md']) {
  const found = new Set();
  mapText(read(path), (piece) => {
    for (const [, heading] of piece.matchAll(/^#+ (.*)$/gm)) found.add(slug(heading));
    return piece;
  });
  headings.set(path, found);
}

/// Where a link of a page leads, as Doxygen writes it.
const linked = (path, link) => {
  if (/^[a-z]+:/.test(link)) return link;
  const [file, anchor] = link.split('#');
  const to = file ? normalize(join(dirname(path), file)) : path;
  if (!existsSync(to) || (anchor && !headings.get(to)?.has(anchor))) {
    problems.push(`${path}: the link to '${link}' leads nowhere`);
    return link;
  }
  if (to === 'examples') return '@ref examples';
  if (to.startsWith('examples/')) return `@ref example_${basename(to, '.toml').replace(/-/g, '_')}`;
  if (!headings.has(to) || to === 'README.md') return link;
  return `@ref ${pageOf(to)}${anchor ? `_${anchor.replace(/-/g, '_')}` : ''}`;
};

/// Doxygen wants the words of a link in one line.
const withLinks = (path, text) =>
  text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, picture, words, link) => {
    const to = linked(path, link);
    return picture ? `![${words}](${basename(to)})` : `[${words.replace(/\n/g, ' ')}](${to})`;
  });

mapText(read('README.md'), (piece) => withLinks('README.md', piece));
const subpages = new Set();
for (const path of filesBelow('docs', '.md')) {
  const page = pageOf(path);
  const named = (_, level, words) => {
    const name = level === '#' ? page : `${page}_${slug(words).replace(/-/g, '_')}`;
    return `${level} ${words.replace(/`/g, '')}${name === 'index' ? '' : ` {#${name}}`}`;
  };
  let text = mapText(read(path), (piece) =>
    withLinks(path, piece).replace(/^(#+) (.*)$/gm, named).replace(/&(?=\w+;)(?!(amp|lt|gt);)/g, '&amp;'));
  // What an index lists, or has first in the rows of its tables, becomes a tree beside the text.
  if (basename(path) === 'index.md')
    text = text.replace(/^([-|]) \[([^\]]*)\]\(@ref (\w+)\)/gm, (link, mark, title, name) => {
      if (subpages.has(name)) return link;
      subpages.add(name);
      return `${mark} @subpage ${name} "${title.replace(/`/g, '')}"`;
    });
  write(`${page}.md`, text.replace(/^```(toml|cmake|json|bash)$/gm, '```'));
}
for (const path of filesBelow('docs', '.md'))
  if (pageOf(path) !== 'index' && !subpages.has(pageOf(path)))
    problems.push(`no index.md lists ${path}; add it to one`);

// One page for each example: its name, what its own comment says, its file.
const examples = filesBelow('examples', '.toml').map((path) => {
  const text = read(path);
  const name = basename(path, '.toml');
  const title = /^name = "(.*)"$/m.exec(text)?.[1] ?? name;
  const page = `example_${name.replace(/-/g, '_')}`;
  const [comment] = /^(?:#.*\n)*/.exec(text);
  const words = comment.replace(/^# ?/gm, '');
  write(
    `${page}.md`,
    `# ${title} {#${page}}\n\n\`polhode live ${name}\` shows it, \`polhode run ${name}\` simulates it.\n\n${words}\n` +
      `\`\`\`\n${text.slice(comment.length).trimStart()}\`\`\`\n`,
  );
  return `| @subpage ${page} "${name}" | ${title} |`;
});
write('examples.md', `# Examples {#examples}\n\nModels that are inside the program, by name.\n\n| name | what it is |\n|---|---|\n${examples.join('\n')}\n`);

// What a comment in a header says in the words of the repository: a page of the manual, a product (not the end of a sentence).
const inComment = (header, line) =>
  line.replace(/ \. /g, ' \u00b7 ').replace(/\bdocs\/[\w/-]+\.md\b/g, (path) => {
    if (!headings.has(path)) problems.push(`include/${header}: there is no ${path}`);
    return `[${path}](@ref ${pageOf(path)})`;
  });

// The installed headers. A comment above the namespace speaks of the file; one behind a member, of the member.
for (const [header] of read('cmake/public_headers.cmake').matchAll(/polhode\/[\w/]+\.h/g)) {
  const text = read(join('include', header))
    .replace(/((?:^\/\/\/.*\n)+)(?=namespace polhode|\n*\/\/ Eigen|\n*#include)/m, '/// \\file\n$1\n')
    .replace(/^(\s+[^/\s].*[;,}]) +\/\/ (.*)$/gm, '$1  ///< $2')
    .replace(/^.*\/\/\/.*$/gm, (line) => inComment(header, line));
  write(join('include', header), text.includes('\\file') ? text : text.replace('#pragma once\n', '#pragma once\n\n/// \\file\n'));
}

if (problems.length) {
  console.error(problems.join('\n'));
  process.exit(1);
}
