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
 * of a terminal, or kept in a file, cannot hold a part of it then. A key that could be a number is
 * left to `redact` what is printed, as JSON would be none any more without its numbers.
 */
export function withoutKey(reply: WireReply, key: string): WireReply {
  if (/^[-+.\de]*$/i.test(key)) return reply;
  const hide = (text: string) => redact(text, [key]);
  const headers = Object.fromEntries(
    Object.entries(reply.headers).map(([name, value]) => [hide(name), hide(value)]),
  );
  return { ...reply, headers, body: hide(reply.body) };
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
