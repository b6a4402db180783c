// node scripts/release/release-notes.js VERSION [FILE [PAGE]]: prints the part of CHANGELOG.md, or FILE,
// about a version as release notes: without its heading, and with each paragraph on one line, because
// GitHub shows line breaks in notes as such. Fails while docs/performance.md, or PAGE, lacks numbers.
import { existsSync, readFileSync } from 'node:fs';

const changelog = new URL('../../CHANGELOG.md', import.meta.url);
const performancePage = new URL('../../docs/performance.md', import.meta.url);
const [tag = '', file = changelog, page = performancePage] = process.argv.slice(2);
const version = tag.replace(/^v/, '');

const sections = readFileSync(file, 'utf8').split(/^## /m).slice(1);
const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
const [title = '', ...lines] = (section ?? '').split('\n');
const notes = unwrapped(lines).trim();
const unmeasured = partsUnmeasured();

if (section === undefined) fail(`There is no "## ${version}" in the change log`);
else if (title.includes('unreleased')) fail(`The change log calls it unreleased: "## ${title}"`);
else if (notes === '') fail(`The change log says nothing about ${version}`);
else if (unmeasured.length > 0)
  fail(`docs/performance.md says "Not measured yet" of: ${unmeasured.join(', ')}`);
else console.log(notes);

/**
 * Parts of the page about performance without numbers: the names for `npm run bench -- NAME… --write`, else
 * their headings. None if there is no page; tests check that it exists.
 */
function partsUnmeasured() {
  if (!existsSync(page)) return [];
  return readFileSync(page, 'utf8')
    .split(/^##? /m)
    .filter((part) => /not measured yet/i.test(part))
    .map((part) => {
      const [title = ''] = part.split(/\r?\n/);
      return /`npm run bench -- ([^`]+)`/.exec(title)?.[1] ?? title;
    });
}

/** Joins the lines of each paragraph and list item; code blocks stay. */
function unwrapped(lines) {
  const joined = [];
  let inCode = false;
  // Whether the previous line is text that this line may continue.
  let isOpen = false;
  for (const line of lines) {
    const isFence = /^\s*```/.test(line);
    const begins = inCode || isFence || /^\s*([-*+] |\d+\. |[#|>]|$)/.test(line);
    if (isOpen && !begins) joined.push(`${joined.pop()} ${line.trim()}`);
    else joined.push(line);
    if (isFence) inCode = !inCode;
    isOpen = !inCode && !isFence && !/^\s*([#|]|$)/.test(line);
  }
  return joined.join('\n');
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
