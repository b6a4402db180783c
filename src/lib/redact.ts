import type { WireReply } from './wire.ts';

/** Shorter words occur in text by chance, and no service issues such keys. */
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
 * A response without the key of its request. Removed before anything else, so that text which is later
 * cut, or kept in a file, has no part of the key. A key that looks like a number is only redacted when
 * printed, because replacing numbers would break the JSON.
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
 * A pattern for one character, or for several backslashes: plain, and as JSON, URLs and HTML escape it,
 * once or twice. Repetitions are bounded, so that the time for hostile text is too.
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
