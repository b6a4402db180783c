import type { Fault } from './fault.ts';
import { matchesRoute } from './matches-route.ts';

export class TooManyFaults extends Error {}

/** Beyond this number, used-up faults are removed, then new ones are rejected. */
const most = 1000;

interface FaultUse {
  readonly fault: Fault;
  /** How many more requests it applies to; null for all. */
  left: number | null;
  /** How many requests it has applied to. */
  used: number;
}

export type Faults = ReturnType<typeof createFaults>;

/** The faults of this process. */
export function createFaults(first: readonly Fault[] = []) {
  let entries = first.map(unused);
  return {
    /** In order, used-up ones included. */
    list: () => entries.map((entry) => ({ ...entry })),
    /** Adds faults after the others, or none if it throws `TooManyFaults`. */
    add(faults: readonly Fault[]): void {
      const all = [...entries, ...faults.map(unused)];
      const kept = all.length > most ? all.filter(({ left }) => left !== 0) : all;
      if (kept.length > most) throw new TooManyFaults(`There can be at most ${most} faults.`);
      entries = kept;
    },
    clear(): void {
      entries = [];
    },
    /** Restores the initial faults, unused. */
    reset(): void {
      entries = first.map(unused);
    },
    /**
     * Uses up and returns the faults of a request: all delays, and the first other one. `path` is that
     * of the API, without a query.
     */
    take(method: string, path: string): readonly Fault[] {
      const taken: Fault[] = [];
      for (const entry of entries) {
        if (entry.left === 0 || !matchesRoute(entry.fault, method, path)) continue;
        const isDelay = entry.fault.effect.kind === 'delay';
        if (!isDelay && taken.some(({ effect }) => effect.kind !== 'delay')) continue;
        if (entry.left !== null) entry.left--;
        entry.used++;
        taken.push(entry.fault);
      }
      return taken;
    },
  };
}

function unused(fault: Fault): FaultUse {
  return { fault, left: fault.times ?? null, used: 0 };
}
