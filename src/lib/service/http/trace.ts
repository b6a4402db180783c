import { visible } from '../../base/text/visible.ts';
import { redact } from './redact.ts';

/** Longest line of a trace: bodies with attachments would bury the rest. */
const longestLine = 4000;

/** Takes a line about requests and responses; as a function if the line is slow to make. */
export type Trace = (line: string | (() => string)) => void;

/** Writes requests and responses to stderr if enabled, with keys redacted. */
export function createTrace(
  write: (text: string) => void,
  secrets: ReadonlySet<string>,
  wanted: () => boolean,
): Trace {
  return (given) => {
    if (!wanted()) return;
    const line = typeof given === 'string' ? given : given();
    // Redact before cutting: a cut could leave a part of a key.
    const safe = redact(line, secrets);
    const cut = safe.length > longestLine ? `${safe.slice(0, longestLine)}…` : safe;
    write(`${visible(cut)}\n`);
  };
}
