import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOncePerGroup } from '../../../../../src/lib/runs/bulk/prepare/read-once-per-group.ts';

/** Reads a number, and fails for other words. */
async function read(words: string): Promise<number> {
  if (!/^\d+$/.test(words)) throw new Error(`no number: ${words}`);
  return Number(words);
}

/** The values and errors from reading each of these in turn. */
async function outcomes(all: readonly string[], reader: typeof read): Promise<string[]> {
  const found: string[] = [];
  for (const words of all) {
    found.push(await reader(words).then(String, (error: Error) => error.message));
  }
  return found;
}

describe('reading consecutive equal words once', () => {
  const words = fc.array(fc.constantFrom('1', '2', '03', '', 'monday'), { maxLength: 30 });

  test('gives the same results as reading each of them', async () => {
    await fc.assert(
      fc.asyncProperty(words, async (all) => {
        expect(await outcomes(all, readOncePerGroup(read))).toEqual(await outcomes(all, read));
      }),
    );
  });

  test('reads once per group', async () => {
    const asked: string[] = [];
    const reader = readOncePerGroup(async (one) => {
      asked.push(one);
      return await read(one);
    });
    expect(await outcomes(['1', '1', '2', '1'], reader)).toEqual(['1', '1', '2', '1']);
    expect(asked).toEqual(['1', '2', '1']);
  });
});
