import { expect, test } from 'vitest';
import { localTime } from '../../../../src/lib/base/text/local-time.ts';
import { relativeTime } from '../../../../src/lib/base/text/time-in-words.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [0, 'just now', 'just now'],
  [4999, 'just now', 'just now'],
  [5 * second, '5 seconds ago', 'in 5 seconds'],
  [59_999, '59 seconds ago', 'in 59 seconds'],
  [minute, '1 minute ago', 'in 1 minute'],
  [hour - 1, '59 minutes ago', 'in 59 minutes'],
  [hour, '1 hour ago', 'in 1 hour'],
  [2 * hour + 59 * minute, '2 hours ago', 'in 2 hours'],
  [day - 1, '23 hours ago', 'in 23 hours'],
  [day, '1 day ago', 'in 1 day'],
  [3 * day, '3 days ago', 'in 3 days'],
  [30 * day, '30 days ago', 'in 30 days'],
  [31 * day, '1 month ago', 'in 1 month'],
  [365 * day, '11 months ago', 'in 11 months'],
  [366 * day, '1 year ago', 'in 1 year'],
  [3000 * day, '8 years ago', 'in 8 years'],
])('%d ms', (distance, ago, ahead) => {
  const now = Date.parse('2026-11-22T09:15:30Z');
  expect(relativeTime(now - distance, now)).toBe(ago);
  expect(relativeTime(now + distance, now)).toBe(ahead);
});

test.each([
  ['2026-11-21T08:12:59Z', 'Europe/Berlin', '2026-11-21 09:12'],
  ['2026-07-01T22:00:00Z', 'Europe/Berlin', '2026-07-02 00:00'],
  ['2026-01-01T04:59:00Z', 'America/New_York', '2025-12-31 23:59'],
  ['2026-11-21T18:30:00Z', 'Asia/Kolkata', '2026-11-22 00:00'],
  ['2026-11-21T11:05:00Z', 'Pacific/Auckland', '2026-11-22 00:05'],
  ['2026-11-21T11:05:00Z', 'UTC', '2026-11-21 11:05'],
])('%s in %s', (iso, timeZone, expected) => {
  expect(localTime(new Date(iso), timeZone)).toBe(expected);
});

test('with seconds, for times within one minute', () => {
  const date = new Date('2026-11-21T09:12:05Z');
  expect(localTime(date, 'UTC', { seconds: true })).toBe('2026-11-21 09:12:05');
});
