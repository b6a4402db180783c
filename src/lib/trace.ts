import type { OutputStream } from './system.ts';
import { visible } from './text/visible.ts';

/** Longest line of a trace: bodies with attachments would bury the rest. */
const longestLine = 4000;

/** A text without the keys that may have got into it. */
export function redact(text: string, secrets: ReadonlySet<string>): string {
  let redacted = text;
  for (const secret of secrets) redacted = redacted.replaceAll(secret, '***');
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
    const cut = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
    stderr.write(`${visible(redact(cut, secrets))}\n`);
  };
}
