import type { Candidate } from './offer.ts';

/** A command line up to the cursor, without quotes and without the program's name. */
export interface Typed {
  /** The words before the one that is being typed. */
  readonly words: readonly string[];
  /** The word that is being typed, up to the cursor; empty where none has begun. */
  readonly current: string;
  /** What the shell needs in response: the candidates, and what of `current` goes before each. */
  answer(
    candidates: readonly Candidate[],
    prefix: string,
  ): readonly string[] | Promise<readonly string[]>;
}

/** One shell: how its script and this program talk. */
export interface Shell {
  /** Reads the words after the shell's name; undefined when nothing can be completed there. */
  read(args: readonly string[]): Typed | undefined;
}
