import type { Ask } from '../../src/lib/domains/mail-authentication/ask.ts';
import { pick } from './seeded.ts';

/**
 * How many records mailauth (in its strict mode) and this program judge. Where they differ on purpose,
 * docs/decisions/mail-authentication.md says why.
 */
export const judged = 1000;

type Type = Parameters<Ask>[1];

/** A resolver as mailauth takes it, over the same DNS. Its types leave out the objects of MX records. */
export function resolverOf(
  ask: Ask,
): (name: string, type: string) => Promise<string[] | string[][]> {
  return async (name, type) => {
    const answer = await ask(name, type as Type);
    if (answer.kind === 'failed') throw Object.assign(new Error(), { code: 'ETIMEOUT' });
    if (answer.kind === 'none') {
      throw Object.assign(new Error(), { code: answer.exists ? 'ENODATA' : 'ENOTFOUND' });
    }
    if (type === 'TXT') return answer.values.map((one) => [one]);
    if (type !== 'MX') return [...answer.values];
    const servers = answer.values.map((one) => one.split(' '));
    return servers.map(([priority, exchange]) => ({ priority, exchange }) as unknown as string[]);
  };
}

/** Usually one of the good ones. */
export function mostly(
  random: () => number,
  good: readonly [string, ...string[]],
  bad: readonly [string, ...string[]],
): string {
  return pick(random, random() < 0.9 ? good : bad);
}

/** Up to `most` of what `make` makes. */
export function several(random: () => number, most: number, make: () => string): string[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, make);
}

/** Counts what was judged, so that a test can see that its records are of all kinds. */
export function tally(): {
  readonly count: (word: string) => void;
  readonly of: (word: string) => number;
} {
  const counts = new Map<string, number>();
  return {
    count: (word) => counts.set(word, (counts.get(word) ?? 0) + 1),
    of: (word) => counts.get(word) ?? 0,
  };
}
