import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import {
  createSendProgress,
  type SendProgress,
  sendProgressInWords,
  sendProgressLines,
} from '../../../../src/lib/bulk/show/progress.ts';
import { createPalette, plainPalette } from '../../../../src/lib/output/palette.ts';

const plain = plainPalette;
const coloured = await createPalette(true);

/** Half of a million at 900 a second, or what the test says. */
function sending(state: Partial<SendProgress> = {}): SendProgress {
  return { total: 1_000_000, done: 500_000, rejected: 0, rate: 900, ...state };
}

describe('a million rows, half of them sent', () => {
  test.each<[number, string[]]>([
    [
      116,
      [
        'Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000  900/s  about 9 min left',
      ],
    ],
    [
      76,
      [
        'Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000',
        '900/s  about 9 min left',
      ],
    ],
    [54, ['Sending  ██████░░░░░░░   50.0%    500,000 of 1,000,000', '900/s  about 9 min left']],
    [
      36,
      ['Sending  █████████░░░░░░░░░░   50.0%', '500,000 of 1,000,000  900/s', 'about 9 min left'],
    ],
    [18, ['Sending   50.0%', '500,000 of 1,000,…', '900/s', 'about 9 min left']],
  ])('in %d columns', (columns, expected) => {
    expect(sendProgressLines(sending(), columns, plain)).toEqual(expected);
  });
});

test.each<[string, Partial<SendProgress>, string[]]>([
  [
    'just begun, without a rate yet',
    { done: 0, rate: undefined },
    ['Sending  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0%          0 of 1,000,000'],
  ],
  [
    'with some rejected',
    { rejected: 1234 },
    [
      'Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000',
      '900/s  about 9 min left  1,234 rejected',
    ],
  ],
  [
    'almost done, which is not done',
    { done: 999_999 },
    [
      'Sending  █████████████████████████████░   99.9%    999,999 of 1,000,000',
      '900/s  about 1 s left',
    ],
  ],
  [
    'done',
    { done: 1_000_000 },
    ['Sending  ██████████████████████████████  100.0%  1,000,000 of 1,000,000', '900/s'],
  ],
  [
    'after a pause',
    { rate: 0 },
    ['Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000', '0/s'],
  ],
  [
    'with hours left',
    { rate: 20 },
    [
      'Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000',
      '20/s  about 7 h left',
    ],
  ],
  [
    'with days left',
    { rate: 0.5 },
    [
      'Sending  ███████████████░░░░░░░░░░░░░░░   50.0%    500,000 of 1,000,000',
      '30/min  about 12 days left',
    ],
  ],
  [
    'of more than a million',
    { total: 12_345_678, done: 1_234_567, rate: 12_345 },
    [
      'Sending  ██░░░░░░░░░░░░░░░░░░░░░░░░░░░░    9.9%   1,234,567 of 12,345,678',
      '12,345/s  about 15 min left',
    ],
  ],
  ['without emails', { total: 0, done: 0, rate: undefined }, ['Sending  0 of 0']],
])('%s', (_, state, expected) => {
  expect(sendProgressLines(sending(state), 76, plain)).toEqual(expected);
});

test.each([116, 76, 56, 36, 16, 6, 1])('nothing is wider than %d columns', (columns) => {
  const states = [
    sending({ total: 99_999_999, done: 12_345_678, rejected: 9_876_543, rate: 123_456 }),
    sending({ total: 99_999_999, rejected: 1, rate: 0.0001 }),
    sending({ done: 0, rate: undefined }),
    sending({ total: 0, done: 0 }),
  ];
  for (const state of states) {
    for (const line of sendProgressLines(state, columns, coloured)) {
      expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
  }
});

test('colour is only added', () => {
  const state = sending({ rejected: 3 });
  const lines = sendProgressLines(state, 76, coloured).join('\n');
  expect(lines).toContain('\x1b[32m███████████████\x1b[39m\x1b[2m░░░░░░░░░░░░░░░\x1b[22m');
  expect(lines).toContain('\x1b[31m3 rejected\x1b[39m');
  expect(stripVTControlCharacters(lines)).toBe(sendProgressLines(state, 76, plain).join('\n'));
});

test.each<[Partial<SendProgress>, string]>([
  [{}, '500,000 of 1,000,000, 900/s, about 9 min left'],
  [{ done: 920_000 }, '920,000 of 1,000,000, 900/s, about 89 s left'],
  [{ done: 919_000 }, '919,000 of 1,000,000, 900/s, about 2 min left'],
  [{ rejected: 3 }, '500,000 of 1,000,000, 900/s, about 9 min left, 3 rejected'],
  [{ rate: undefined }, '500,000 of 1,000,000'],
])('in words, with %j', (state, expected) => {
  expect(sendProgressInWords(sending(state))).toBe(expected);
});

/** A run of a million of which so many are done already, and a clock that the test moves on. */
function counting({ done = 0, rejected = 0 } = {}) {
  let now = Date.parse('2026-01-15T10:00:00Z');
  const run = createSendProgress({ total: 1_000_000, done, rejected }, () => now);
  return {
    /** An answer each tenth of a second, and somebody who looks twice a second. */
    send: (seconds: number, perSecond: number) => {
      for (let tenth = 1; tenth <= seconds * 10; tenth++) {
        now += 100;
        run.add(perSecond / 10, 0);
        if (tenth % 5 === 0) run.now();
      }
    },
    wait: (seconds: number) => {
      for (let half = 0; half < seconds * 2; half++) {
        now += 500;
        run.now();
      }
    },
    jump: (seconds: number) => {
      now += seconds * 1000;
    },
    run,
  };
}

describe('the rate', () => {
  test('is not known before there has been time for one, nor before the first answer', () => {
    const { run, send, wait } = counting();
    expect(run.now().rate).toBeUndefined();
    wait(30);
    expect(run.now().rate).toBeUndefined();
    send(0.9, 1000);
    expect(run.now().rate).toBeUndefined();
    send(0.5, 1000);
    expect(run.now().rate).toBeDefined();
  });

  test('is that of the last while, not of the whole run', () => {
    const { run, send } = counting();
    send(600, 100);
    expect(run.now().rate).toBe(100);
    send(16, 2000);
    expect(run.now().rate).toBe(2000);
  });

  test('sinks in a pause, down to nothing', () => {
    const { run, send, wait } = counting();
    send(60, 1000);
    wait(5);
    expect(run.now().rate).toBeCloseTo(667, 0);
    wait(11);
    expect(run.now().rate).toBe(0);
  });

  test('is true again soon after a long pause', () => {
    const { run, send, wait } = counting();
    send(60, 1000);
    wait(120);
    send(2, 1000);
    expect(run.now().rate).toBe(1000);
  });

  test('is true again after a short pause, once that is out of sight', () => {
    const { run, send, wait } = counting();
    send(60, 1000);
    wait(10);
    send(16, 1000);
    expect(run.now().rate).toBe(1000);
  });

  test('counts only what this process has done', () => {
    const { run, send } = counting({ done: 400_000, rejected: 7 });
    expect(run.now()).toEqual({ total: 1e6, done: 400_000, rejected: 7, rate: undefined });
    send(2, 1000);
    expect(run.now()).toEqual({ total: 1e6, done: 402_000, rejected: 7, rate: 1000 });
  });

  test('is there for who looks rarely, too', () => {
    const { run, jump } = counting();
    for (let answer = 0; answer < 30; answer++) {
      jump(10);
      run.add(100, 0);
    }
    expect(run.now().rate).toBe(10);
  });
});

test('what is rejected is done, and counted apart', () => {
  const { run } = counting({ done: 100, rejected: 1 });
  run.add(98, 2);
  expect(run.now()).toMatchObject({ done: 200, rejected: 3 });
});
