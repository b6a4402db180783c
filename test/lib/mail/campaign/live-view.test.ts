import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createPalette, plainPalette } from '../../../../src/lib/command-line/output/palette.ts';
import { createLiveView } from '../../../../src/lib/mail/campaign/live-view.ts';
import { summary } from '../../../commands/campaign/draft.ts';

const second = 1000;
const minute = 60 * second;
const coloured = await createPalette(true);

/** A view, and a clock that `look` and `wait` advance. */
function watching({ color = false, offsets = false } = {}) {
  let now = Date.parse('2026-01-15T10:00:00Z');
  const live = createLiveView({
    now: () => now,
    monotonic: () => now,
    timeZone: 'Europe/Berlin',
    offsets,
    palette: color ? coloured : plainPalette,
  });
  return {
    look: (fields: Readonly<Record<string, unknown>>, seconds = 0) => {
      now += seconds * second;
      const campaign = summary('camp_1', { status: 'RUNNING', ...fields });
      live.show({ campaign, at: now, date: now, ending: undefined });
    },
    wait: (ms: number) => {
      now += ms;
    },
    lines: (columns: number) => live.view(columns),
  };
}

test('a line with status and rate, and a bar for each counter', () => {
  const { look, lines } = watching();
  look({ total: 10_000, sent: 2000, delivered: 1900 });
  look({ total: 10_000, sent: 6120, delivered: 5942, unsubscribed: 3 }, 10);
  expect(lines(78)).toEqual([
    'Spring news  RUNNING  0:10  412/s  less than 1 min left',
    'Sent          ██████████████████░░░░░░░░░░░░   61.2%  6,120 of 10,000',
    'Delivered     █████████████████████████████░   97.0%  5,942',
    'Unsubscribed  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0.0%      3',
  ]);
  expect(lines(38)).toEqual([
    'Spring news  RUNNING  0:10  412/s',
    'less than 1 min left',
    'Sent          █████░░░░   61.2%  6,120',
    'Delivered     ████████░   97.0%  5,942',
    'Unsubscribed  ░░░░░░░░░    0.0%      3',
  ]);
});

test('counters that only some servers return', () => {
  const { look, lines } = watching();
  look({
    ...{ total: 100, sent: 100, delivered: 50, opened: 25, clicked: 5, unsubscribed: null },
    ...{ bounced: 50, hardBounced: 10, complained: 1, novel: 7 },
  });
  expect(lines(78).slice(1)).toEqual([
    'Sent          ██████████████████████████████  100.0%  100 of 100',
    'Delivered     ███████████████░░░░░░░░░░░░░░░   50.0%   50',
    'Opened        ███████████████░░░░░░░░░░░░░░░   50.0%   25',
    'Clicked       ███░░░░░░░░░░░░░░░░░░░░░░░░░░░   10.0%    5',
    'Bounced       ███████████████░░░░░░░░░░░░░░░   50.0%   50',
    'Hard bounced  ███░░░░░░░░░░░░░░░░░░░░░░░░░░░   10.0%   10',
    'Complained    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    2.0%    1',
  ]);
});

test('inconsistent counters', () => {
  const { look, lines } = watching();
  look({ total: 0, sent: 3, delivered: 6, unsubscribed: -1 });
  expect(lines(60)).toEqual([
    'Spring news  RUNNING  0:00',
    'Sent       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░          3 of 0',
    'Delivered  ██████████████████████████████  200.0%  6',
  ]);
  look({ total: 'many', sent: null, delivered: undefined, unsubscribed: null });
  expect(lines(60)).toEqual(['Spring news  RUNNING  0:00']);
});

test('almost all is not 100 %', () => {
  const { look, lines } = watching();
  look({ total: 100_000, sent: 99_999 });
  expect(lines(78)[1]).toMatch(/^Sent +█{29}░ {3}99\.9% {2}99,999 of 100,000$/);
});

test.each([
  ['a second', 1_000_000, 12_344, 10, '1,234/s  about 13 min left'],
  ['a second, with a decimal', 100, 15, 10, '1.5/s  about 1 min left'],
  ['a minute', 10_000, 300, 600, '30/min  about 5 h left'],
  ['an hour', 100, 1, 3600, '1/h  about 4 days left'],
  ['a second, when all are sent', 100, 100, 10, '10/s'],
])('the rate per %s, and the time left', (_, total, sent, seconds, expected) => {
  const { look, lines } = watching();
  look({ total, sent: 0 });
  look({ total, sent }, seconds);
  expect(lines(78)[0]?.split('  ').slice(3).join('  ')).toBe(expected);
});

test('the rate of the last five minutes, not of the whole campaign', () => {
  const { look, lines } = watching();
  look({ sent: 0 });
  look({ sent: 9000 }, 100);
  look({ sent: 9300 }, 300);
  expect(lines(78)[0]).toMatch(/ 1\/s$/);
});

test('a counter that goes down starts the rate again', () => {
  const { look, lines } = watching();
  look({ sent: 100 });
  look({ sent: 50 }, 10);
  expect(lines(78)[0]).toMatch(/0:10$/);
  look({ sent: 60 }, 10);
  expect(lines(78)[0]).toMatch(/0:20 {2}1\/s$/);
});

test('the time without a change, instead of a rate', () => {
  const { look, lines, wait } = watching();
  look({ total: 100, sent: 10 });
  look({ total: 100, sent: 20 }, 10);
  wait(minute - 1);
  expect(lines(78)[0]).toBe('Spring news  RUNNING  1:09  1/s  about 1 min left');
  wait(1);
  look({ total: 100, sent: 20 });
  expect(lines(78)[0]).toBe('Spring news  RUNNING  1:10  no change for 1 min');
  look({ total: 100, sent: 20, unsubscribed: 1 }, 30);
  expect(lines(78)[0]).toBe('Spring news  RUNNING  1:40  6/min  about 13 min left');
});

test("the start of a scheduled one, in a zone other than the machine's", () => {
  const { look, lines } = watching({ offsets: true });
  look({ status: 'SCHEDULED', scheduledAt: '2026-01-15T12:00:00Z' });
  expect(lines(78)[0]).toMatch(/ {2}2026-01-15 13:00 GMT\+1$/);
});

test('the start of a scheduled one, in local time', () => {
  const { look, lines, wait } = watching();
  look({ status: 'SCHEDULED', scheduledAt: '2026-01-15T12:00:00Z' });
  expect(lines(78)[0]).toBe('Spring news  SCHEDULED  0:00  starts in 2 hours  2026-01-15 13:00');
  wait(121 * minute);
  expect(lines(78)[0]).toBe('Spring news  SCHEDULED  2:01:00  due since 2026-01-15 13:00');
  look({ status: 'SCHEDULED', scheduledAt: 'soon' });
  expect(lines(78)[0]).toBe('Spring news  SCHEDULED  2:01:00');
});

test.each([118, 78, 58, 38, 28, 18])('nothing is wider than %d columns', (columns) => {
  const { look, lines } = watching({ color: true });
  const counts = { delivered: 12_000_000, opened: 9, bounced: 8, hardBounced: 7, complained: 6 };
  const name = `Neuigkeiten 日本語 ${'und mehr '.repeat(20)}`;
  for (const status of ['RUNNING', 'A_STATUS_OF_TOMORROW_THAT_IS_LONGER_THAN_MOST', 'SCHEDULED']) {
    const scheduledAt = '2026-03-01T10:00:00Z';
    look({ name, status, scheduledAt, total: 99_999_999, sent: 1000, ...counts });
    look({ name, status, scheduledAt, total: 99_999_999, sent: 12_345_678, ...counts }, 90_000);
    for (const line of lines(columns)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  }
});

test('colour changes nothing else', () => {
  const plain = watching();
  const coloured = watching({ color: true });
  for (const { look } of [plain, coloured]) look({ total: 10, sent: 5, delivered: 4, bounced: 1 });
  const shown = coloured.lines(78).join('\n');
  expect(shown).toContain('\x1b[1m\x1b[35mRUNNING\x1b[39m\x1b[22m');
  expect(shown).toContain('\x1b[31m██████\x1b[39m');
  expect(stripVTControlCharacters(shown)).toBe(plain.lines(78).join('\n'));
});

test('names from the service cannot control the terminal', () => {
  const { look, lines } = watching();
  look({ name: 'a\x1b[2Jb\nc', status: 'X\x1b]0;owned\x07' });
  expect(lines(78)[0]).toBe('a\\x1b[2Jb\\nc  X\\x1b]0;owned\\x07  0:00');
});
