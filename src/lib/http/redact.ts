import type { WireReply } from '../system/wire.ts';

/** Shorter words occur in text by chance, and no service issues such keys. */
const shortestSecret = 6;

/** Stands where a key was. */
const mark = '***';

/** A text without these keys, in upper or lower case and however their characters are escaped. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    const { ending, whole } = patternsOf(secret);
    if (ending.test(redacted)) redacted = redacted.replace(whole(), mark);
  }
  return redacted;
}

/** Shorter keys may be a field name or a part of a domain. */
const shortestUnlikely = 12;

/**
 * A response whose body is without the key of its request. Removed before anything else, so that text
 * which is later cut, or kept in a file, has no part of the key. A key that could be a word or a number
 * is only redacted where it is printed or kept, because the response could not be read without it.
 */
export function withoutKey(reply: WireReply, key: string): WireReply {
  if (key.length < shortestUnlikely || /^(?:[a-z]+|[-+.\de]+)$/i.test(key)) return reply;
  return { ...reply, body: redact(reply.body, [key]) };
}

/** Characters of its ending by which a text is first looked through for a key. */
const endingLength = 4;

interface Patterns {
  /** Finds the last characters of the key. Where they are not, the key is not. */
  readonly ending: RegExp;
  /** Finds the key. Takes long to make, up to 20 ms. */
  readonly whole: () => RegExp;
}

const patterns = new Map<string, Patterns>();

/** Made once for each key: output is looked through page by page. */
function patternsOf(secret: string): Patterns {
  const known = patterns.get(secret);
  if (known !== undefined) return known;
  const parts = secret.match(/\\+|[^\\]/g) ?? [];
  let whole: RegExp | undefined;
  const made: Patterns = {
    ending: new RegExp(parts.slice(-endingLength).map(escapes).join(''), 'i'),
    whole: () => {
      whole ??= new RegExp(parts.map(escapes).join(''), 'gi');
      return whole;
    },
  };
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
