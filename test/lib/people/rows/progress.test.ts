import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { createInputFiles } from '../../../../src/lib/base/input/input-files.ts';
import { openInput } from '../../../../src/lib/people/rows/open-input.ts';
import {
  createCheckingProgress,
  createSendingProgress,
} from '../../../../src/lib/people/rows/progress.ts';
import { temporaryDirectory } from '../../../support/process.ts';

/** A run with this much done before this process, and a clock that the test advances. */
async function sending({ total = 1_000_000, done = 0, rejected = 0 } = {}) {
  let now = Date.parse('2026-01-15T10:00:00Z');
  const system = { env: {}, stderr: new PassThrough(), monotonic: () => now };
  const { decided, view: loadView } = createSendingProgress(
    { system, flags: {}, progress: { update: () => true }, report: () => false },
    { accepted: done - rejected, refused: rejected, unknown: 0 },
    total,
  );
  const view = await loadView();
  return {
    view,
    /** Emails per second; undefined if the view shows none. */
    rate: () => / ([\d,]+)\/s/.exec(view(116).join(' '))?.[1],
    wait: (seconds: number) => {
      now += seconds * 1000;
    },
    /** Ten responses per second. */
    send: (seconds: number, perSecond: number) => {
      for (let tenth = 1; tenth <= seconds * 10; tenth++) {
        now += 100;
        decided(perSecond / 10, 0);
      }
    },
  };
}

describe('a million rows, half of them sent', () => {
  const bar = 'Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000';
  test.each<[number, string[]]>([
    [116, [`${bar}  900/s  about 9 min left  2 rejected`]],
    [76, [bar, '900/s  about 9 min left  2 rejected']],
    [
      54,
      [
        'Sending  ██████░░░░░░░   50.0%    500,000 of 1,000,000',
        '900/s  about 9 min left  2 rejected',
      ],
    ],
    [
      36,
      [
        'Sending  █████████░░░░░░░░░░   50.0%',
        '500,000 of 1,000,000  900/s',
        'about 9 min left  2 rejected',
      ],
    ],
    [18, ['Sending   50.0%', '500,000 of 1,000,…', '900/s', 'about 9 min left', '2 rejected']],
  ])('in %d columns', async (columns, expected) => {
    const { view, send } = await sending({ done: 498_200, rejected: 2 });
    send(2, 900);
    expect(view(columns)).toEqual(expected);
  });
});

test('almost all is not 100 %', async () => {
  const { view } = await sending({ done: 999_999 });
  expect(view(76)).toEqual([
    'Sending  █████████████████████████████░   99.9%    999,999 of 1,000,000',
  ]);
});

test('the last minute and a half is shown in seconds', async () => {
  const { view, send } = await sending({ done: 910_000 });
  send(9, 1000);
  expect(view(116).join()).toMatch(/about 81 s left$/);
});

test('nothing is wider than the terminal', async () => {
  const { view, send } = await sending({
    total: 99_999_999,
    done: 12_345_678,
    rejected: 9_876_543,
  });
  send(2, 123_450);
  for (const columns of [116, 76, 56, 36, 16, 6, 1]) {
    for (const line of view(columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  }
});

describe('the rate', () => {
  test('is unknown in the first second, and before the first response', async () => {
    const { rate, send, wait } = await sending({ done: 400_000 });
    wait(30);
    expect(rate()).toBeUndefined();
    send(0.9, 1000);
    expect(rate()).toBeUndefined();
    send(0.5, 1000);
    expect(rate()).toBe('1,000');
  });

  test('is that of the last 15 seconds, not of the whole run', async () => {
    const { rate, send } = await sending();
    send(600, 100);
    expect(rate()).toBe('100');
    send(16, 2000);
    expect(rate()).toBe('2,000');
  });

  test('falls to zero in a pause, and is correct again after it', async () => {
    const { rate, send, wait } = await sending();
    send(60, 1000);
    wait(5);
    expect(rate()).toBe('667');
    wait(11);
    expect(rate()).toBe('0');
    send(2, 1000);
    expect(rate()).toBe('1,000');
    wait(10);
    send(16, 1000);
    expect(rate()).toBe('1,000');
  });
});

test.each<[string, number | undefined, number, number, string[]]>([
  [
    'a file',
    0.372,
    372_000,
    76,
    ['Checking the rows  ███████████░░░░░░░░░░░░░░░░░░░   37.2%  372,000'],
  ],
  ['a file of few rows yet', 0.1, 0, 76, [`Checking the rows  ███${'░'.repeat(27)}   10.0%`]],
  ['a narrow terminal', 0.5, 372_000, 36, ['Checking the rows  ████░░░░░   50.0%', '372,000']],
  ['a pipe that nothing has come from', undefined, 0, 76, ['Checking the rows']],
])('the checking of %s', async (_, share, rows, columns, expected) => {
  const system = { env: {}, stderr: new PassThrough() };
  const { checked, view } = createCheckingProgress({ system, flags: {} }, () => share);
  checked(rows);
  expect((await view())(columns)).toEqual(expected);
});

async function open(path: string, cwd: string, stdin = '') {
  const signal = new AbortController().signal;
  const system = {
    env: {},
    platform: 'linux' as const,
    cwd,
    stdin: Readable.from([stdin]),
    signal,
    sleep: async () => {},
  };
  const report = () => false;
  return await openInput(path, { system, report, files: createInputFiles(system, report) });
}

test('the part of a file that has been read', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'rows.csv'), 'x'.repeat(1_000_000));
  const { text, share } = await open('rows.csv', cwd);
  expect(share()).toBe(0);
  const seen: unknown[] = [];
  for await (const _ of text) seen.push(share());
  expect(seen.at(0)).toBeGreaterThan(0);
  expect(seen.at(0)).toBeLessThan(0.5);
  expect(seen.at(-1)).toBe(1);
});

test('the size of standard input, or of a file without a size, is unknown', async () => {
  const cwd = temporaryDirectory();
  for (const path of ['-', '/proc/self/status']) {
    const { text, share } = await open(path, cwd, 'some');
    for await (const _ of text) expect(share()).toBeUndefined();
  }
});
