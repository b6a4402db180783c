import { type Format, isJson } from '../output/format.ts';
import type { Notes } from '../terminal/notes.ts';
import type { Progress } from '../terminal/progress.ts';

interface ReporterOptions {
  readonly progress: Progress;
  readonly notes: Notes;
  readonly format: () => Format;
}

/**
 * Tells how something goes that takes a while: `text` in the spinner where one is at work, else
 * `line`, which is the same when absent, if it is another one than the last. An empty line is not
 * said, and lets the next be said whatever it is. JSON and `--quiet` have no lines.
 */
export type Report = (text: string, line?: string) => void;

export function createReporter({ progress, notes, format }: ReporterOptions): Report {
  let last = '';
  return (text, line = text) => {
    if (progress.update(text) || line === last) return;
    last = line;
    if (line !== '' && !isJson(format())) notes.say(line);
  };
}
