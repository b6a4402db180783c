import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../../src/lib/base/errors.ts';
import { readMachineZone } from '../../../../src/lib/base/input/time-zone.ts';
import { resolveWhen } from '../../../../src/lib/base/input/when.ts';

const wednesday = '2026-11-25T09:15:30Z';

function read(text: string, now = wednesday, timeZone = 'Europe/Berlin') {
  const options = { now: Date.parse(now), timeZone, flag: '--at' };
  return resolveWhen(text, options).date.toISOString().replace('.000', '');
}

function errorOf(text: string, now = wednesday): UsageError {
  try {
    read(text, now);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

describe('next and a weekday', () => {
  test.each([
    'next friday 9am',
    'next fri 9am',
    'Next Friday at 9am',
    'on next friday 9am',
    '9am next friday',
    'next friday 9am Europe/Berlin',
    'next friday 9am [Europe/Berlin]',
  ])('%s on a Wednesday may be in this week or the next: an error names both', (text) => {
    const { message, details } = errorOf(text);
    expect(message).toBe(
      `--at: "${text}" is ambiguous: Fri 27 Nov 2026, 09:00 GMT+1 (2026-11-27T08:00:00Z), or Fri 4 Dec 2026, 09:00 GMT+1 (2026-12-04T08:00:00Z)`,
    );
    expect(details.hint).toBe('Write the date: 2026-11-27T09:00+01:00 or 2026-12-04T09:00+01:00.');
  });

  test.each([
    ['next thursday', '2026-11-25T22:59:00Z'],
    ['next sunday', '2026-11-25T09:00:00Z'],
    ['next sunday', '2026-11-28T09:00:00Z'],
    ['2 days after next friday', '2026-11-25T09:00:00Z'],
  ])('%s at %s is ambiguous, too', (text, now) => {
    expect(errorOf(text, now).message).toContain('is ambiguous: ');
  });

  test.each([
    ['next monday 10:30', wednesday, '2026-11-30T09:30:00Z'],
    ['next tuesday 9am', wednesday, '2026-12-01T08:00:00Z'],
    ['next wednesday 9am', wednesday, '2026-12-02T08:00:00Z'],
    ['next wednesday 11pm', wednesday, '2026-12-02T22:00:00Z'],
    ['next friday 9am', '2026-11-28T09:00:00Z', '2026-12-04T08:00:00Z'],
    ['next friday 9am', '2026-11-29T09:00:00Z', '2026-12-04T08:00:00Z'],
    ['next monday 9am', '2026-11-29T09:00:00Z', '2026-11-30T08:00:00Z'],
    ['friday 9am', wednesday, '2026-11-27T08:00:00Z'],
    ['this friday 9am', wednesday, '2026-11-27T08:00:00Z'],
    ['next week', wednesday, '2026-12-02T09:15:30Z'],
  ])('%s at %s is %s, the coming one', (text, now, expected) => {
    expect(read(text, now)).toBe(expected);
  });
});

describe('a zone in brackets', () => {
  test.each([
    ['2027-01-01T09:00[Europe/Paris]', '2027-01-01T08:00:00Z'],
    ['2027-01-01T09:00+01:00[Europe/Paris]', '2027-01-01T08:00:00Z'],
    ['2027-01-01T09:00:00+01:00 [Europe/Paris]', '2027-01-01T08:00:00Z'],
    ['2027-01-01T08:00Z[Europe/Paris]', '2027-01-01T08:00:00Z'],
    ['2027-01-01T09:00[!Europe/Paris]', '2027-01-01T08:00:00Z'],
    ['2027-01-01T09:00[UTC]', '2027-01-01T09:00:00Z'],
    ['tomorrow 9am [America/New_York]', '2026-11-26T14:00:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test('with another offset than the zone has then is an error', () => {
    const { message, details } = errorOf('2027-01-01T09:00+02:00[Europe/Paris]');
    expect(message).toBe('--at: "2027-01-01T09:00+02:00[Europe/Paris]" contradicts itself');
    expect(details.hint).toContain('In Europe/Paris, this is 2027-01-01T08:00+01:00.');
  });

  test.each(['2027-01-01T09:00[CET]', '2027-01-01T09:00+01:00[Nope/Bad]'])(
    '%s is an error that names the zone',
    (text) => {
      expect(errorOf(text).message).toMatch(/"(CET|Nope\/Bad)" is not a time zone$/);
    },
  );
});

test.each([
  ['JST-9', '+09:00'],
  ['EST5', '-05:00'],
  ['IST-5:30', '+05:30'],
  ['<+0330>-3:30', '+03:30'],
  ['UTC0', 'UTC'],
  ['UTC+3', '-03:00'],
  ['Europe/Berlin', 'Europe/Berlin'],
  [':Europe/Berlin', 'Europe/Berlin'],
  ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
  ['/usr/share/zoneinfo/posix/Europe/Berlin', 'Europe/Berlin'],
  ['EST5EDT', 'EST5EDT'],
])('TZ=%s is %s', (variable, timeZone) => {
  expect(readMachineZone(variable)).toEqual({ timeZone });
});

test.each(['CET-1CEST', 'EST5EDT,M3.2.0,M11.1.0', 'Nope/Bad', 'Bogus', 'JST-99', '+09:00', ':'])(
  'TZ=%s is unknown',
  (variable) => {
    expect(readMachineZone(variable)).toEqual({ isUnknown: true });
  },
);
