import type { OutputStream } from './system.ts';
import { visible } from './text/visible.ts';

/** Longest line of a trace: bodies with attachments would bury the rest. */
const longestLine = 4000;

/** A text without the keys that may have got into it, as they are or as JSON writes them. */
export function redact(text: string, secrets: ReadonlySet<string>): string {
  let redacted = text;
  for (const secret of secrets) {
    // A word this short stands in many texts by chance, and is no key that anybody issues.
    if (secret.length < 6) continue;
    const inJson = JSON.stringify(secret).slice(1, -1);
    redacted = redacted.replaceAll(secret, '***').replaceAll(inJson, '***');
  }
  return redacted;
}

/** Takes a line of what goes over the wire; as a function where making it takes time. */
export type Trace = (line: string | (() => string)) => void;

/** Writes what goes over the wire to stderr, keys redacted, when it is wanted. */
export function createTrace(
  stderr: OutputStream,
  secrets: ReadonlySet<string>,
  wanted: () => boolean,
): Trace {
  return (given) => {
    if (!wanted()) return;
    const line = typeof given === 'string' ? given : given();
    // Before the cut, which might leave a part of a key.
    const safe = redact(line, secrets);
    const cut = safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
    stderr.write(`${visible(cut)}\n`);
  };
}
