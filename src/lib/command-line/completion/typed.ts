import type { Candidate } from './offer.ts';

/** A command line up to the cursor, without quotes and without the program's name. */
export interface Typed {
  /** The words before the one that is being typed. */
  readonly words: readonly string[];
  /** The word that is being typed, up to the cursor; empty if none has begun. */
  readonly current: string;
  /** The output for the shell: the candidates, and the part of `current` that precedes each. */
  answer(
    candidates: readonly Candidate[],
    prefix: string,
  ): readonly string[] | Promise<readonly string[]>;
}

/** The protocol between a shell's script and this program. */
export interface Shell {
  /** Reads the words after the shell's name; undefined if nothing can be completed at the cursor. */
  read(args: readonly string[]): Typed | undefined;
}
