import { isJson } from './text/is-json.ts';
import type { WireReply } from './wire.ts';

/** A word shorter than this stands in many texts by chance, and is no key that anybody issues. */
const shortestSecret = 6;

/** Stands where a key was. */
const mark = '***';

/** A text without these keys, in upper or lower case and however their characters are escaped. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length >= shortestSecret) redacted = redacted.replace(patternOf(secret), mark);
  }
  return redacted;
}

/**
 * An answer without the key of its request, before anything is made of it: what is cut to the width
 * of a terminal, or kept in a file, cannot hold a part of it then. A body that is JSON stays JSON.
 */
export function withoutKey(reply: WireReply, key: string): WireReply {
  const hide = (text: string) => redact(text, [key]);
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [hide(name), hide(value)]),
  );
  return { ...reply, headers, body: bodyWithout(reply.body, hide) };
}

function bodyWithout(body: string, hide: (text: string) => string): string {
  const hidden = hide(body);
  return hidden === body || !isJson(body) ? hidden : withStrings(body, hide);
}

/** JSON text with all its strings, names of properties too, changed by `change`. */
function withStrings(json: string, change: (text: string) => string): string {
  const pieces: string[] = [];
  let at = 0;
  for (;;) {
    const start = json.indexOf('"', at);
    if (start === -1) return [...pieces, json.slice(at)].join('');
    const end = endOfString(json, start);
    const literal = json.slice(start, end);
    const text = String(JSON.parse(literal));
    const changed = change(text);
    pieces.push(json.slice(at, start), changed === text ? literal : JSON.stringify(changed));
    at = end;
  }
}

/** Where a string of JSON that begins at `start` is over. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); ; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json[before - 1] === '\\') before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
}

const patterns = new Map<string, RegExp>();

/** Made once for each key: output is looked through page by page. */
function patternOf(secret: string): RegExp {
  const known = patterns.get(secret);
  if (known !== undefined) return known;
  const parts = secret.match(/\\+|[^\\]/g) ?? [];
  const made = new RegExp(parts.map(escapes).join(''), 'gi');
  patterns.set(secret, made);
  return made;
}

/**
 * A pattern for one character, or several backslashes, as it is and as JSON, URLs and HTML write it,
 * twice over too. What it repeats is bounded, or the time for a hostile text would not be.
 */
function escapes(part: string): string {
  const code = part.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const escaped = `\\\\{1,4}(?:u00${hex}|x${hex}|u\\{0*${hex}\\})|%(?:25)*${hex}|&#(?:x0*${hex}|0*${code});?`;
  if (part.startsWith('\\')) {
    const { length } = part;
    return `(?:\\\\{${length},${4 * length}}|(?:${escaped}){${length}})`;
  }
  const plain = part.replace(/[$()*+./?[\]^{|}]/g, '\\$&');
  const mayBeEscaped = /["'/]/.test(part) ? '\\\\{0,4}' : '';
  const inHtml = named[part] === undefined ? '' : `|&${named[part]};`;
  return `(?:${mayBeEscaped}${plain}|${escaped}${inHtml})`;
}

/** What HTML has a name for. */
const named: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};
