import type { Context } from '../context.ts';
import type { Counts } from './journal.ts';
import type { RunMeta } from './run-meta.ts';
import { count } from './summary.ts';

/** Milliseconds between two lines where there is no terminal. */
const lineInterval = 15_000;

/** Tells how far a run is: in the spinner's text, else in a line now and then. */
export function createReport(
  { system, progress, report }: Pick<Context, 'system' | 'progress' | 'report'>,
  before: Counts,
  { emails }: RunMeta,
): (accepted: number, refused: number) => void {
  const started = system.now();
  let decided = before.accepted + before.refused + before.unknown;
  const earlier = decided;
  let lastLine = started;
  return (accepted, refused) => {
    decided += accepted + refused;
    const seconds = (system.now() - started) / 1000;
    const perSecond = seconds > 0 ? (decided - earlier) / seconds : 0;
    const text = [
      `${count(decided)} of ${count(emails)}`,
      ...(perSecond > 0
        ? [`${count(Math.round(perSecond))}/s`, timeLeft((emails - decided) / perSecond)]
        : []),
    ].join(', ');
    if (system.now() - lastLine < lineInterval) {
      progress.update(`Sending: ${text}`);
      return;
    }
    lastLine = system.now();
    report(`Sending: ${text}`, text);
  };
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `about ${Math.ceil(seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}
