import type { WireReply } from '../../base/system/wire.ts';

/** Shorter words occur in text by chance, and no service issues such short keys. */
const shortestSecret = 6;

/** Replaces a key. */
const mark = '***';

/** Removes these keys from a text, in upper or lower case and however they are escaped. */
export function redact(text: string, secrets: Iterable<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    const { plain, ending, whole } = patternsOf(secret);
    const first = /[\\%&]/.test(redacted) ? ending() : plain;
    if (first.test(redacted)) redacted = redacted.replace(whole(), mark);
  }
  return redacted;
}

/** Shorter keys may be a field name or a part of a domain. */
const shortestUnlikely = 12;

/**
 * Removes the key from the response to its own request. This comes first, so that text that is cut
 * or saved later has no part of the key. A key that could be a word or a number is only redacted on
 * output: without it, the response would be unreadable.
 */
export function withoutKey(reply: WireReply, key: string): WireReply {
  if (key.length < shortestUnlikely || /^(?:[a-z]+|[-+.\de]+)$/i.test(key)) return reply;
  return { ...reply, body: redact(reply.body, [key]) };
}

/** The first search in a text is for this many characters at the end of a key. */
const endingLength = 4;

interface Patterns {
  /** Finds the key as it is. A text without escapes can have it in no other form. */
  readonly plain: RegExp;
  /** Finds the last characters of the key. If they are missing, so is the key. */
  readonly ending: () => RegExp;
  /** Finds the key. Takes up to 20 ms to compile. */
  readonly whole: () => RegExp;
}

const patterns = new Map<string, Patterns>();

/** Compiled once per key, because output is searched page by page. */
function patternsOf(secret: string): Patterns {
  const known = patterns.get(secret);
  if (known !== undefined) return known;
  const parts = secret.match(/\\+|[^\\]/g) ?? [];
  let ending: RegExp | undefined;
  let whole: RegExp | undefined;
  const made: Patterns = {
    plain: new RegExp(secret.replace(special, '\\$&'), 'i'),
    ending: () => {
      ending ??= new RegExp(parts.slice(-endingLength).map(escapes).join(''), 'i');
      return ending;
    },
    whole: () => {
      whole ??= new RegExp(parts.map(escapes).join(''), 'gi');
      return whole;
    },
  };
  patterns.set(secret, made);
  return made;
}

/** Characters that a pattern would not take as they are. */
const special = /[$()*+./?[\\\]^{|}]/g;

/**
 * A pattern for one character, or for several backslashes: plain, or escaped once or twice as in
 * JSON, URLs and HTML. Repetitions are bounded, so hostile text cannot make it slow.
 */
function escapes(part: string): string {
  const code = part.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const escaped = `\\\\{1,4}(?:u00${hex}|x${hex}|u\\{0*${hex}\\})|%(?:25)*${hex}|&#(?:x0*${hex}|0*${code});?`;
  if (part.startsWith('\\')) {
    const { length } = part;
    return `(?:\\\\{${length},${4 * length}}|(?:${escaped}){${length}})`;
  }
  const plain = part.replace(special, '\\$&');
  const mayBeEscaped = /["'/]/.test(part) ? '\\\\{0,4}' : '';
  const inHtml = named[part] === undefined ? '' : `|&${named[part]};`;
  return `(?:${mayBeEscaped}${plain}|${escaped}${inHtml})`;
}

/** Characters with a named HTML entity. */
const named: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};
