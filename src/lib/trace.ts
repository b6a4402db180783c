import { cutMark } from './text/shortened.ts';
import { visible } from './text/visible.ts';

/** Longest line of a trace: bodies with attachments would bury the rest. */
const longestLine = 4000;

/** A word shorter than this stands in many texts by chance, and is no key that anybody issues. */
const shortestSecret = 6;

/**
 * A text without the keys that may have got into it, as they are or as JSON writes them, nor the
 * beginning of one where a part of the text was cut.
 */
export function redact(text: string, secrets: ReadonlySet<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    for (const word of new Set([secret, JSON.stringify(secret).slice(1, -1)])) {
      redacted = withoutBeginning(redacted.replaceAll(word, '***'), word);
    }
  }
  return redacted;
}

function withoutBeginning(text: string, word: string): string {
  if (!text.includes(cutMark)) return text;
  const parts = text.split(cutMark);
  const last = parts.pop();
  const clean = parts.map((part) => {
    for (let length = word.length - 1; length >= shortestSecret; length--) {
      if (part.endsWith(word.slice(0, length))) return `${part.slice(0, -length)}***`;
    }
    return part;
  });
  return [...clean, last].join(cutMark);
}

/** Takes a line of what goes over the wire; as a function where making it takes time. */
export type Trace = (line: string | (() => string)) => void;

/** Writes what goes over the wire to stderr, keys redacted, when it is wanted. */
export function createTrace(
  write: (text: string) => void,
  secrets: ReadonlySet<string>,
  wanted: () => boolean,
): Trace {
  return (given) => {
    if (!wanted()) return;
    const line = typeof given === 'string' ? given : given();
    // Before the cut, which might leave a part of a key.
    const safe = redact(line, secrets);
    const cut = safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
    write(`${visible(cut)}\n`);
  };
}
