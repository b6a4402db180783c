import { visible } from '../text/visible.ts';
import { redact } from './redact.ts';

/** Longest line of a trace: bodies with attachments would bury the rest. */
const longestLine = 4000;

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
