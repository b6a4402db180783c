import type { Command, Sample } from './measure.ts';

/** Each file in bench/ exports one of these as `bench`. */
export interface Bench {
  /** What it measures, in one line; a quick run does less. */
  summary(quick: boolean): string;
  run(tools: Tools): Promise<readonly Figure[]>;
}

export interface Tools {
  /** Whether this run only checks that the bench works, with as little work as possible. */
  readonly quick: boolean;
  /** How often to measure each thing. */
  readonly runs: number;
  /**
   * Runs all commands in turn, `runs` times after one warm-up round. Samples are by name.
   */
  samples(commands: Readonly<Record<string, Command>>): Promise<Samples>;
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** A measured value and its baselines. Less is better. */
export interface Figure {
  readonly what: string;
  /** Milliseconds, KiB or a number of something, one for each run. */
  readonly measured: readonly number[];
  readonly unit: 'ms' | 'KiB' | 'requests' | 'pieces';
  /** The number of rows processed in that time, where relevant. */
  readonly amount?: number;
  readonly baselines: readonly Baseline[];
}

export interface Baseline {
  readonly name: string;
  readonly measured: readonly number[];
  /** The goal: the largest acceptable ratio of the two medians. */
  readonly atMost?: number;
}

/** The figures of one bench. */
export interface Section {
  readonly name: string;
  readonly summary: string;
  readonly figures: readonly Figure[];
}
