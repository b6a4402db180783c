import { createPerson, type Seat, type Step } from './person.ts';
import type { Outcome, RunOptions, World } from './run.ts';

/** How a command line ended, and what was on the terminal. */
export interface Seen extends Outcome {
  /** The rows of the screen. */
  readonly rows: readonly string[];
  /** The same as one text. */
  readonly text: string;
  /** Everything that was written to the terminal. */
  readonly output: string;
}

/** Runs a command line at a terminal with a person who does these steps. */
export async function atTerminal(
  run: World['run'],
  words: string | readonly string[],
  steps: readonly Step[] = [],
  { columns, redirected, ...options }: Seat & Omit<RunOptions, 'terminal' | 'person'> = {},
): Promise<Seen> {
  const person = createPerson(steps, { columns, redirected });
  const outcome = await run(words, { ...options, person });
  const { rows } = person.screen();
  return { ...outcome, rows, text: rows.join('\n'), output: person.output() };
}
