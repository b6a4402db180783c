import type { Figure, Tools } from './bench.ts';
import { type Process, timeOf } from './time-of.ts';

/** A process to start, and its baselines. */
export interface Candidate extends Process {
  /**
   * Names of other candidates, each with the largest acceptable ratio, if there is a goal. Names that are
   * not among the candidates are left out.
   */
  readonly beside?: Readonly<Record<string, number | undefined>>;
}

/** The fewest runs that give a reliable median of such short times. */
const fewest = 20;

/**
 * Starts all candidates in turn, so that other load on the machine affects all of them, and compares their
 * times.
 */
export async function timeInTurn(
  candidates: Readonly<Record<string, Candidate>>,
  { quick, runs }: Pick<Tools, 'quick' | 'runs'>,
): Promise<Figure[]> {
  const taken = new Map<string, number[]>();
  const rounds = quick ? 1 : Math.max(runs, fewest);
  // The first two rounds compile, and fill the compile cache.
  for (let round = -1; round <= rounds; round++) {
    for (const [name, candidate] of Object.entries(candidates)) {
      const ms = await timeOf(candidate);
      if (round > 0) taken.set(name, [...(taken.get(name) ?? []), ms]);
    }
  }
  return Object.entries(candidates).flatMap(([what, { beside = {} }]): Figure[] => {
    const baselines = Object.entries(beside).flatMap(([name, atMost]) => {
      const measured = taken.get(name);
      if (measured === undefined) return [];
      // A single run says nothing about a goal.
      return [{ name, measured, ...(quick || atMost === undefined ? {} : { atMost }) }];
    });
    const measured = taken.get(what) ?? [];
    return baselines.length === 0 ? [] : [{ what, measured, unit: 'ms', baselines }];
  });
}
