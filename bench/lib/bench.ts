import type { Command, Sample } from './measure.ts';

/** A bench is a file of its own in bench/, which exports one of these as `bench`. */
export interface Bench {
  /** What it finds out, in one line; a quick run does less of it. */
  summary(quick: boolean): string;
  run(tools: Tools): Promise<readonly Figure[]>;
}

export interface Tools {
  /** Whether this run is only to see that the bench works: with as little work as that needs. */
  readonly quick: boolean;
  /** How often each thing is to be measured. */
  readonly runs: number;
  /**
   * Runs all commands in turn, as many times as was asked for, after once to warm up. What they
   * took comes under their names.
   */
  samples(commands: Readonly<Record<string, Command>>): Promise<Samples>;
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** What was measured, and what it is compared with. Less is better. */
export interface Figure {
  readonly what: string;
  /** Milliseconds, KiB or a number of requests, one for each run. */
  readonly measured: readonly number[];
  readonly unit: 'ms' | 'KiB' | 'requests';
  /** How many rows were done in that time, where that says something. */
  readonly amount?: number;
  readonly baselines: readonly Baseline[];
}

export interface Baseline {
  readonly name: string;
  readonly measured: readonly number[];
  /** The largest ratio of the two medians that is still good. */
  readonly atMost?: number;
}

/** The figures of one bench. */
export interface Section {
  readonly name: string;
  readonly summary: string;
  readonly figures: readonly Figure[];
}
