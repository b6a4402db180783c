import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { defects } from './defects.ts';
import type { History } from './history.ts';

// In separate processes: the simulation replaces the disk beneath everything in its process.

const simulate = (...args: readonly string[]) =>
  execa(process.execPath, ['--no-warnings', 'test/simulation/prove.ts', ...args], {
    reject: false,
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/simulation' },
  });
const prove = (...args: readonly string[]) =>
  execa(process.execPath, ['scripts/prove.js', ...args], { reject: false });

/** `npm run prove` tries more. */
const histories = 120;

test('no history breaks what the program promises', async () => {
  const { stdout, exitCode } = await prove('--histories', String(histories), '--processes', '1');
  expect(stdout).toMatch(
    /^\d+ of \d+ small histories with one trouble, \d+ with two, \d+ random ones; \d+ states /,
  );
  expect(stdout).not.toContain('A promise is broken');
  expect(exitCode).toBe(0);
});

/** Histories that once broke a promise, with the defect that caused it. */
const kept: readonly (readonly [defect: string, history: History])[] = [
  [
    'the name of a run is not flushed to the disk',
    {
      ...{ seed: 0, rows: ['plain'], names: 'each alone', concurrency: 1, retries: 0 },
      ...{ troubles: [[90, 'kill']], requests: [] },
    },
  ],
  [
    'results have their name before they are on the disk',
    {
      ...{ seed: 1, rows: ['template a', 'template a', 'plain', 'alone'], names: 'in order' },
      ...{ concurrency: 1, retries: 1, troubles: [[150, 'power, a day']], requests: [] },
    },
  ],
];

test.each(kept)('a history that found a defect: %s', async (what, history) => {
  const planted = ['--defect', String(defects.findIndex((defect) => defect.what === what))];
  const [sound, defective] = await Promise.all(
    [[], planted].map((more) => simulate('--history', JSON.stringify(history), ...more)),
  );
  expect(sound?.stdout).toMatch(/"violations":\[\]/);
  expect(defective?.stdout).toMatch(/"violations":\["/);
});

test('a history happens the same way each time', async () => {
  const history = {
    ...{ seed: 5, rows: ['plain', 'alone', 'template a'], names: 'each alone', concurrency: 2 },
    ...{ retries: 1, troubles: [[95, 'power, some lost']], requests: [[3, 'lost']] },
  };
  const [one, other] = await Promise.all(
    [1, 2].map(() => prove('--history', JSON.stringify(history))),
  );
  expect(one?.stdout).toMatch(/!! power, some lost/);
  expect(one?.stdout).toMatch(/"violations":\[\]/);
  expect(other?.stdout).toBe(one?.stdout);
});

test('a run leaves the same bytes on the simulated disk as on a real one', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mailer-disk-'));
  const { stdout } = await simulate('--compare', directory);
  expect(JSON.parse(stdout)).toEqual({ differences: [] });
});
