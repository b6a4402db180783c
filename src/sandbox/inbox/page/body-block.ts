import { html } from 'hono/html';
import { attempt } from '../../../shared/attempt.ts';
import type { Html } from './html.ts';
import { count } from './paging.ts';

/** The most characters shown of a text, and of a binary body. */
const shownAtMost = 20_000;
const shownOfBinary = 400;

/** Not text: invalid UTF-8, and control characters except line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const notText = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/g;

/** A body, of which `kept` is the beginning of its `length` characters; `whose` is the subject of a sentence. */
export function bodyBlock(whose: string, kept: string, length = kept.length): Html {
  if (length === 0) return html`<p class="muted">${whose} has no body.</p>`;
  const { text, note } = shownBody(kept, length);
  return html`${note === '' ? '' : html`<p class="muted">${note}</p>`}<pre class="wrap" tabindex="0">${text}</pre>`;
}

/** A body as a page shows it. `kept` is the beginning of its `length` characters. */
function shownBody(kept: string, length: number) {
  const isBinary = kept.search(notText) !== -1;
  const whole = indented(kept, kept.length === length);
  const most = isBinary ? shownOfBinary : shownAtMost;
  const text = whole.slice(0, most).replace(notText, '\ufffd');
  const missing = whole.length - text.length + (length - kept.length);
  return {
    text,
    /** What is left out, or empty. */
    note: [isBinary ? binaryNote : '', missingNote(missing, length)].join(' ').trim(),
  };
}

const binaryNote = 'It is not text; unprintable bytes appear as \ufffd.';

function missingNote(missing: number, length: number): string {
  if (missing === 0) return '';
  return `It had ${count(length)} characters; ${count(missing)} are not shown.`;
}

/** The most levels of indentation; thousands would create gigabytes of spaces. */
const deepest = 30;

const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** JSON with one line per value, its numbers and strings unmodified; other text unchanged. */
function indented(text: string, isWhole: boolean): string {
  if (isWhole ? attempt(() => JSON.parse(text), undefined) === undefined : !/^\s*[{[]/.test(text))
    return text;
  let depth = 0;
  let result = '';
  let before = '';
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']';
    if (closes) depth--;
    const opened = before === '{' || before === '[';
    if ((opened && !closes) || before === ',' || (closes && !opened)) {
      result += `\n${'  '.repeat(Math.min(Math.max(depth, 0), deepest))}`;
    }
    result += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth++;
    before = part;
  }
  return result;
}
