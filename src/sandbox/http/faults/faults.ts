import { concerns } from './concerns.ts';
import type { Fault } from './fault.ts';

interface FaultUse {
  readonly fault: Fault;
  /** How many more requests it applies to; null for all. */
  readonly left: number | null;
  /** How many requests it has applied to. */
  readonly used: number;
}

export interface Faults {
  /** In order, used-up ones included. */
  list(): readonly FaultUse[];
  /** Adds faults after the others, or none if it throws `TooManyFaults`. */
  add(faults: readonly Fault[]): void;
  clear(): void;
  /** Restores the initial faults, unused. */
  reset(): void;
  /**
   * Uses up and returns the faults of a request: all delays, and the first other one. `path` is that
   * of the API, without a query.
   */
  take(method: string, path: string): readonly Fault[];
}

export class TooManyFaults extends Error {}

/** Beyond this number, used-up faults are removed, then new ones are rejected. */
const most = 1000;

interface Entry {
  readonly fault: Fault;
  left: number | null;
  used: number;
}

/** The faults of this process. */
export function createFaults(first: readonly Fault[] = []): Faults {
  let entries = first.map(unused);
  return {
    list: () => entries.map((entry) => ({ ...entry })),
    add(faults) {
      const all = [...entries, ...faults.map(unused)];
      const kept = all.length > most ? all.filter(({ left }) => left !== 0) : all;
      if (kept.length > most) throw new TooManyFaults(`There can be at most ${most} faults.`);
      entries = kept;
    },
    clear() {
      entries = [];
    },
    reset() {
      entries = first.map(unused);
    },
    take(method, path) {
      const taken: Fault[] = [];
      for (const entry of entries) {
        if (entry.left === 0 || !concerns(entry.fault, method, path)) continue;
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

function unused(fault: Fault): Entry {
  return { fault, left: fault.times ?? null, used: 0 };
}
