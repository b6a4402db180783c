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

/** Writes what goes over the wire to stderr, keys redacted, when it is wanted. */
export function createTrace(
  stderr: OutputStream,
  secrets: ReadonlySet<string>,
  wanted: () => boolean,
): (line: string) => void {
  return (line) => {
    if (!wanted()) return;
    // Before the cut, which might leave a part of a key.
    const safe = redact(line, secrets);
    const cut = safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
    stderr.write(`${visible(cut)}\n`);
  };
}
