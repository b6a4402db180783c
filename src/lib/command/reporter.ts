import { type Format, isJson } from '../output/format.ts';
import type { Notes } from '../terminal/notes.ts';
import type { Progress } from '../terminal/progress.ts';

interface ReporterOptions {
  readonly progress: Progress;
  readonly notes: Notes;
  readonly format: () => Format;
}

/**
 * Reports progress: `text` in the spinner if there is one, else `line`, if it is not the last one again.
 * An empty line is not shown, and allows a repetition. JSON and `--quiet` have no lines.
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
