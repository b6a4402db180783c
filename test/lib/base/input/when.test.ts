import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { UsageError } from '../../../../src/lib/base/errors.ts';
import { parseDuration } from '../../../../src/lib/base/input/duration.ts';
import { assertTimeZone } from '../../../../src/lib/base/input/time-zone.ts';
import { resolveWhen, type WhenOptions } from '../../../../src/lib/base/input/when.ts';
import { formatInstant, toUtcSeconds } from '../../../../src/lib/base/text/local-time.ts';

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';
const kolkata = 'Asia/Kolkata';
const auckland = 'Pacific/Auckland';

/** A Sunday: 10:15:30 in Berlin. */
const sunday = '2026-11-22T09:15:30Z';

function resolve(text: string, now: string, timeZone: string, more: Partial<WhenOptions> = {}) {
  const options = { now: Date.parse(now), timeZone, flag: '--scheduled-at', ...more };
  return toUtcSeconds(resolveWhen(text, options).date);
}

function usageError(action: () => unknown): UsageError {
  try {
    action();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

describe('ISO 8601', () => {
  test.each([
    ['2026-11-22T11:00:00Z', berlin, '2026-11-22T11:00:00Z'],
    ['2026-11-22t11:00z', berlin, '2026-11-22T11:00:00Z'],
    ['2026-11-22 11:00 UTC', berlin, '2026-11-22T11:00:00Z'],
    ['2026-11-22T11:00:00+01:00', newYork, '2026-11-22T10:00:00Z'],
    ['2026-11-22T11:00-0500', berlin, '2026-11-22T16:00:00Z'],
    ['2026-11-22T23:00-05', berlin, '2026-11-23T04:00:00Z'],
    ['2026-11-23T00:30+05:30', berlin, '2026-11-22T19:00:00Z'],
    ['2026-11-23T00:30+14:00', berlin, '2026-11-22T10:30:00Z'],
    ['2026-11-22T11:00:00.5Z', berlin, '2026-11-22T11:00:00.500Z'],
    ['2026-11-22T11:00:00,123456789Z', berlin, '2026-11-22T11:00:00.123Z'],
    ['2026-11-22T11:00', berlin, '2026-11-22T10:00:00Z'],
    ['2026-11-22 11:00', newYork, '2026-11-22T16:00:00Z'],
    ['  2026-11-22T18:00:59  ', kolkata, '2026-11-22T12:30:59Z'],
    ['2026-11-23', berlin, '2026-11-22T23:00:00Z'],
    ['2026-11-23', auckland, '2026-11-22T11:00:00Z'],
    ['2027-07-01', auckland, '2027-06-30T12:00:00Z'],
    ['2028-02-29', kolkata, '2028-02-28T18:30:00Z'],
    ['2096-02-29T00:00Z', berlin, '2096-02-29T00:00:00Z'],
    ['9999-12-29T00:00Z', berlin, '9999-12-29T00:00:00Z'],
  ])('%s in %s is %s', (text, timeZone, expected) => {
    expect(resolve(text, sunday, timeZone)).toBe(expected);
  });

  test('a past bound may be as old as 1970', () => {
    expect(resolve('1970-01-01T00:00Z', sunday, berlin, { direction: 'past' })).toBe(
      '1970-01-01T00:00:00Z',
    );
  });
});

describe('daylight saving time', () => {
  test.each([
    // Berlin: 02:00 to 03:00 is skipped on 2026-03-29, and occurs twice on 2026-10-25.
    ['2026-03-29T01:59:59', berlin, '2026-03-29T00:59:59Z'],
    ['2026-03-29T02:00', berlin, '2026-03-29T01:00:00Z'],
    ['2026-03-29T02:30', berlin, '2026-03-29T01:30:00Z'],
    ['2026-03-29T03:00', berlin, '2026-03-29T01:00:00Z'],
    ['2026-10-25T01:59', berlin, '2026-10-24T23:59:00Z'],
    ['2026-10-25T02:00', berlin, '2026-10-25T00:00:00Z'],
    ['2026-10-25T02:30', berlin, '2026-10-25T00:30:00Z'],
    ['2026-10-25T03:00', berlin, '2026-10-25T02:00:00Z'],
    // New York: 2026-03-08 and 2026-11-01.
    ['2026-03-08T02:30', newYork, '2026-03-08T07:30:00Z'],
    ['2026-11-01T01:30', newYork, '2026-11-01T05:30:00Z'],
    ['2026-11-01T02:00', newYork, '2026-11-01T07:00:00Z'],
    // Auckland: 2026-04-05 and 2026-09-27.
    ['2026-04-05T02:30', auckland, '2026-04-04T13:30:00Z'],
    ['2026-04-05T03:00', auckland, '2026-04-04T15:00:00Z'],
    ['2026-09-27T02:30', auckland, '2026-09-26T14:30:00Z'],
    // Half an hour on Lord Howe, midnight in Beirut, a whole day in Samoa.
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00Z'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00Z'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00Z'],
    ['2026-03-29T02:30', kolkata, '2026-03-28T21:00:00Z'],
  ])('%s in %s is %s', (text, timeZone, expected) => {
    expect(resolve(text, '2011-01-01T00:00:00Z', timeZone)).toBe(expected);
  });

  test.each([
    ['tomorrow 9am', '2026-03-28T09:00:00Z', berlin, '2026-03-29T07:00:00Z'],
    ['tomorrow 9am', '2026-10-24T09:00:00Z', berlin, '2026-10-25T08:00:00Z'],
    ['tomorrow 9am', '2026-03-07T15:00:00Z', newYork, '2026-03-08T13:00:00Z'],
    ['tomorrow 9am', '2026-10-31T15:00:00Z', newYork, '2026-11-01T14:00:00Z'],
    ['tomorrow 9am', '2026-04-03T22:00:00Z', auckland, '2026-04-04T21:00:00Z'],
    ['tomorrow 9am', '2026-09-25T22:00:00Z', auckland, '2026-09-26T20:00:00Z'],
    ['tomorrow 9am', '2026-03-28T09:00:00Z', kolkata, '2026-03-29T03:30:00Z'],
    ['tomorrow 2:30', '2026-03-28T09:00:00Z', berlin, '2026-03-29T01:30:00Z'],
    ['tomorrow 2:30', '2026-10-24T09:00:00Z', berlin, '2026-10-25T00:30:00Z'],
    ['in 1 day', '2026-03-28T01:30:00Z', berlin, '2026-03-29T01:30:00Z'],
    ['in 1 day', '2026-03-28T09:00:00Z', berlin, '2026-03-29T08:00:00Z'],
    ['in 1 day and 2 hours', '2026-03-28T09:00:00Z', berlin, '2026-03-29T10:00:00Z'],
    ['in 1 month', '2026-03-01T09:00:00Z', berlin, '2026-04-01T08:00:00Z'],
    ['in 24 hours', '2026-03-28T09:00:00Z', berlin, '2026-03-29T09:00:00Z'],
    ['in 24 hours', '2026-10-24T09:00:00Z', berlin, '2026-10-25T09:00:00Z'],
    ['in 26 hours', '2026-03-27T23:30:00Z', berlin, '2026-03-29T01:30:00Z'],
    ['in 2 hours', '2026-03-29T00:30:00Z', berlin, '2026-03-29T02:30:00Z'],
    ['in 2 hours', '2026-10-25T00:30:00Z', berlin, '2026-10-25T02:30:00Z'],
    ['in 90 minutes', '2026-11-01T05:30:00Z', newYork, '2026-11-01T07:00:00Z'],
    ['in 48 hours', '2026-04-03T22:00:00Z', auckland, '2026-04-05T22:00:00Z'],
  ])('%s at %s in %s is %s', (text, now, timeZone, expected) => {
    expect(resolve(text, now, timeZone)).toBe(expected);
  });
});

describe('English, forward', () => {
  test.each([
    ['now', '2026-11-22T09:15:30Z'],
    ['tomorrow 9am', '2026-11-23T08:00:00Z'],
    ['tomorrow at 9am', '2026-11-23T08:00:00Z'],
    ['Tomorrow,  9am', '2026-11-23T08:00:00Z'],
    ['9am tomorrow', '2026-11-23T08:00:00Z'],
    ['tomorrow', '2026-11-22T23:00:00Z'],
    ['tomorrow noon', '2026-11-23T11:00:00Z'],
    ['tomorrow morning', '2026-11-23T05:00:00Z'],
    ['tomorrow at 17', '2026-11-23T16:00:00Z'],
    ['tomorrow 9am UTC', '2026-11-23T09:00:00Z'],
    ['tomorrow 9am Z', '2026-11-23T09:00:00Z'],
    ['tomorrow 9am UTC+2', '2026-11-23T07:00:00Z'],
    ['tomorrow 9am utc-05:30', '2026-11-23T14:30:00Z'],
    ['tomorrow 9am GMT +0530', '2026-11-23T03:30:00Z'],
    ['tomorrow 9am +02:00', '2026-11-23T07:00:00Z'],
    ['tomorrow 21:00 -0500', '2026-11-24T02:00:00Z'],
    ['tomorrow noon -05:00', '2026-11-23T17:00:00Z'],
    ['tomorrow 9am Europe/Berlin', '2026-11-23T08:00:00Z'],
    ['tomorrow 9am asia/kolkata', '2026-11-23T03:30:00Z'],
    ['july 1 9am America/New_York', '2027-07-01T13:00:00Z'],
    ['monday 9am America/Argentina/Buenos_Aires', '2026-11-23T12:00:00Z'],
    // There, it is already Sunday night.
    ['tomorrow 9am Pacific/Auckland', '2026-11-22T20:00:00Z'],
    ['2026-11-25T09:00 Europe/Berlin', '2026-11-25T08:00:00Z'],
    ['2026-11-25 09:00 America/New_York', '2026-11-25T14:00:00Z'],
    ['2026-11-25T09:00 UTC-3', '2026-11-25T12:00:00Z'],
    ['day after tomorrow 9am', '2026-11-24T08:00:00Z'],
    ['the day after tomorrow', '2026-11-23T23:00:00Z'],
    ['today 5pm', '2026-11-22T16:00:00Z'],
    ['tonight', '2026-11-22T21:00:00Z'],
    ['in 2 hours', '2026-11-22T11:15:30Z'],
    ['2h', '2026-11-22T11:15:30Z'],
    ['2 hours', '2026-11-22T11:15:30Z'],
    ['3 days', '2026-11-25T09:15:30Z'],
    ['90m', '2026-11-22T10:45:30Z'],
    ['1h30m', '2026-11-22T10:45:30Z'],
    ['45s', '2026-11-22T09:16:15Z'],
    ['2d', '2026-11-24T09:15:30Z'],
    ['1d12h', '2026-11-23T21:15:30Z'],
    ['in an hour', '2026-11-22T10:15:30Z'],
    ['in half an hour', '2026-11-22T09:45:30Z'],
    ['in 1h30m', '2026-11-22T10:45:30Z'],
    ['in 1626 minutes', '2026-11-23T12:21:30Z'],
    ['in five minutes', '2026-11-22T09:20:30Z'],
    ['2 hours from now', '2026-11-22T11:15:30Z'],
    ['in 3 days', '2026-11-25T09:15:30Z'],
    ['in 3 days at 9am', '2026-11-25T08:00:00Z'],
    ['next week', '2026-11-29T09:15:30Z'],
    ['next monday 10:30', '2026-11-23T09:30:00Z'],
    ['monday', '2026-11-22T23:00:00Z'],
    ['on monday at 9', '2026-11-23T08:00:00Z'],
    ['10:30 on friday', '2026-11-27T09:30:00Z'],
    ['saturday 9am', '2026-11-28T08:00:00Z'],
    ['sunday', '2026-11-28T23:00:00Z'],
    ['sunday 9am', '2026-11-29T08:00:00Z'],
    ['sunday 11am', '2026-11-22T10:00:00Z'],
    ['9am', '2026-11-23T08:00:00Z'],
    ['11am', '2026-11-22T10:00:00Z'],
    ['noon', '2026-11-22T11:00:00Z'],
    ['midnight', '2026-11-22T23:00:00Z'],
    ['march 5', '2027-03-04T23:00:00Z'],
    ['5 march at 3pm', '2027-03-05T14:00:00Z'],
    ['december 5', '2026-12-04T23:00:00Z'],
    ['november 22', '2027-11-21T23:00:00Z'],
    ['november 22 9am', '2027-11-22T08:00:00Z'],
    ['november 22 11am', '2026-11-22T10:00:00Z'],
    ['march 5 2028 9am', '2028-03-05T08:00:00Z'],
    ['feb 29', '2028-02-28T23:00:00Z'],
    ['29 february 9am', '2028-02-29T08:00:00Z'],
    ['monday 23 november 2026', '2026-11-22T23:00:00Z'],
    ['2026-11-25 9am', '2026-11-25T08:00:00Z'],
    ['2027/1/5', '2027-01-04T23:00:00Z'],
    ['2027.12.24 at 18', '2027-12-24T17:00:00Z'],
    ['july 4th 9:30pm', '2027-07-04T19:30:00Z'],
    ['9.30pm july 4 2027', '2027-07-04T19:30:00Z'],
    ['tomorrow morning at 9', '2026-11-23T08:00:00Z'],
    ['tomorrow night at 11', '2026-11-23T22:00:00Z'],
    ["9 o'clock", '2026-11-23T08:00:00Z'],
    ['monday - 9am', '2026-11-23T08:00:00Z'],
    ['tomorrow - 9:30', '2026-11-23T08:30:00Z'],
    ['this evening at 4:30', '2026-11-22T15:30:00Z'],
    ['this evening at 4:30pm', '2026-11-22T15:30:00Z'],
    ['friday evening at 16:30', '2026-11-27T15:30:00Z'],
    ['in 1.5 hours', '2026-11-22T10:45:30Z'],
    ['in 1 month 5 minutes', '2026-12-22T09:20:30Z'],
    ['10 minutes before midnight', '2026-11-22T22:50:00Z'],
    ['3 days after monday', '2026-11-25T23:00:00Z'],
    ['in 10 years', '2036-11-22T09:15:30Z'],
    ['2126-11-22', '2126-11-21T23:00:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(resolve(text, sunday, berlin)).toBe(expected);
  });

  test.each([
    ['february 29', '2028-02-29T12:00:00Z', '2032-02-29T00:00:00Z'],
    ['february 29', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00Z'],
    ['february 29 2028', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['in 1 year', '2028-02-29T12:00:00Z', '2029-02-28T12:00:00Z'],
    ['in 1 month', '2027-01-15T12:00:00Z', '2027-02-15T12:00:00Z'],
    ['tomorrow', '2028-02-28T12:00:00Z', '2028-02-29T00:00:00Z'],
    ['tomorrow', '2026-02-28T12:00:00Z', '2026-03-01T00:00:00Z'],
    ['january 1', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
  ])('%s at %s is %s in UTC', (text, now, expected) => {
    expect(resolve(text, now, 'UTC')).toBe(expected);
  });

  test('tomorrow depends on the time zone', () => {
    const now = '2026-11-22T20:00:00Z';
    expect(resolve('tomorrow 9am', now, newYork)).toBe('2026-11-23T14:00:00Z');
    expect(resolve('tomorrow 9am', now, kolkata)).toBe('2026-11-24T03:30:00Z');
    expect(resolve('tomorrow 9am', now, auckland)).toBe('2026-11-23T20:00:00Z');
    expect(resolve('tomorrow 9am UTC', now, auckland)).toBe('2026-11-23T09:00:00Z');
  });

  test('a result is in whole seconds and not before now', () => {
    expect(resolve('now', '2026-11-22T09:15:30.250Z', berlin)).toBe('2026-11-22T09:15:31Z');
    expect(resolve('in 2 hours', '2026-11-22T09:15:30.250Z', berlin)).toBe('2026-11-22T11:15:31Z');
  });
});

describe('English, backward', () => {
  test.each([
    ['yesterday', '2026-11-20T23:00:00Z'],
    ['today', '2026-11-21T23:00:00Z'],
    ['now', '2026-11-22T09:15:30Z'],
    ['tomorrow', '2026-11-22T23:00:00Z'],
    ['2 days ago', '2026-11-20T09:15:30Z'],
    ['2 hours ago', '2026-11-22T07:15:30Z'],
    ['2h', '2026-11-22T07:15:30Z'],
    ['7d', '2026-11-15T09:15:30Z'],
    ['90 minutes', '2026-11-22T07:45:30Z'],
    ['90m', '2026-11-22T07:45:30Z'],
    ['1h30m', '2026-11-22T07:45:30Z'],
    ['45s', '2026-11-22T09:14:45Z'],
    ['30 days', '2026-10-23T08:15:30Z'],
    ['last week', '2026-11-15T09:15:30Z'],
    ['this month', '2026-10-31T23:00:00Z'],
    ['last monday', '2026-11-15T23:00:00Z'],
    ['last night at 11pm', '2026-11-21T22:00:00Z'],
    ['last night 23:00', '2026-11-21T22:00:00Z'],
    ['monday', '2026-11-15T23:00:00Z'],
    ['sunday', '2026-11-21T23:00:00Z'],
    ['9am', '2026-11-22T08:00:00Z'],
    ['11am', '2026-11-21T10:00:00Z'],
    ['march 5', '2026-03-04T23:00:00Z'],
    ['december 5', '2025-12-04T23:00:00Z'],
    ['november 22', '2026-11-21T23:00:00Z'],
    ['feb 29', '2024-02-28T23:00:00Z'],
    ['2026-11-01', '2026-10-31T23:00:00Z'],
    ['2026-11-01T00:00Z', '2026-11-01T00:00:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(resolve(text, sunday, berlin, { direction: 'past' })).toBe(expected);
  });
});

describe('errors', () => {
  test.each([
    'banana',
    '2 tomorrows',
    'tomorrow 9am foo',
    'foo tomorrow 9am',
    'tomorrow 9am to 10am',
    'tomorrow 25:00',
    'tomorrow 13pm',
    'tuesday 23 november 2026',
    'february 30',
    'feb 29 2027',
    'march 5 1850',
    '9',
    '2026',
    '20261122',
    '1780000000',
    '2026-02-30',
    '2026-02-29T09:00',
    '2026-02-30 9am',
    '2026-13-01',
    '2026-00-10',
    '2026-11-31T09:00Z',
    '2026-11-25T25:00',
    '2026-11-25T24:00',
    '2026-11-25T23:60',
    '2026-11-25T23:59:60Z',
    '2026-11-25T09:00+15:00',
    '2026-11-25T09:00+01:60',
    '2026-11-25T09',
    '2026-11-25Z',
    '2026-11-25T09:00+01:00 UTC',
    'in -2 hours',
    ...['0h', '0d', '0', '0 hours', 'in 0 hours', 'in 0 days'],
    'noon 5pm',
    'tomorrow -9am',
    'tomorrow - 9',
    '8.nov.2027 9am',
    'in 99999999 years',
    `in 2 hours${' '.repeat(5)}${'x'.repeat(5000)}`,
  ])('%s is not a time', (text) => {
    for (const direction of ['future', 'past'] as const) {
      const error = usageError(() => resolve(text, sunday, berlin, { direction }));
      expect(error.message).toBe(`--scheduled-at: "${text}" is not a time`);
      const [example, day] =
        direction === 'past' ? ['"yesterday 9am"', '21'] : ['"tomorrow 9am"', '23'];
      expect(error.details.hint).toContain(example);
      expect(error.details.hint).toContain(`2026-11-${day}T09:00 or 2026-11-${day}T09:00+01:00`);
    }
  });

  // Chrono reads each of these as a time, mostly as a wrong one.
  test.each([
    'lastfriday',
    'nextfriday',
    'thismonday',
    'nextweek',
    'friday 13',
    'monday 18',
    'tomorrow 18',
    '9 p',
    '22.nov.2027',
    'jan 32',
    'november 49',
    '24 dec 30',
    '24 dec 27',
    '5 jan 49',
    '2027/13/5',
    '2027.13.05 9am',
    'in a few hours',
    'in several days',
    'in 1.000 hours',
    'in 2 hours 3 hours',
    'in 1h and 1h',
    'an hour before tomorrow',
    '2 hours after friday',
    'tomorrow +2h',
    'tomorrow - 2 hours',
    'tomorrow night at 3',
    'tonight at 3',
    'tomorrow evening 9am',
    'tomorrow morning 3pm',
    'tonight at midnight',
    'last night at 11',
    'last night at 3',
    'last night at 3am',
  ])('%s is ambiguous', (text) => {
    const error = usageError(() => resolve(text, sunday, berlin, { allowPast: true }));
    expect(error.message).toBe(`--scheduled-at: "${text}" is ambiguous`);
    expect(error.details.hint).toContain('"next monday 10:30"');
  });

  // Whoever writes "at 5" rarely means the morning.
  test.each([
    ['next friday at 5', 'is ambiguous'],
    ['at 1', 'is ambiguous'],
    ['tomorrow 11', 'is ambiguous'],
    ['monday 9', 'is not a time'],
  ])('%s needs am or pm', (text, problem) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe(`--scheduled-at: "${text}" ${problem}`);
    expect(error.details.hint).toMatch(
      new RegExp(`^Write am or pm, such as "${text}pm"\\. Write ISO`),
    );
  });

  test.each(["tomorrow 7 o'clock", 'tomorrow night at 3'])('%s has no such hint', (text) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe(`--scheduled-at: "${text}" is ambiguous`);
    expect(error.details.hint).toMatch(/^Write ISO/);
  });

  test.each([
    ['on monday at 9', true],
    ["9 o'clock", true],
    ['tomorrow at 11', true],
    ['tomorrow at 12', false],
    ['tomorrow at 17', false],
    ['tomorrow at 05:00', false],
    ['tomorrow at 9am', false],
    ['tomorrow at 9 am', false],
    ['tomorrow at 9.30', false],
  ])('whether the half of the day was chosen for %s: %j', (text, chosen) => {
    const options = { now: Date.parse(sunday), timeZone: berlin, flag: '--scheduled-at' };
    expect(resolveWhen(text, options).hourChosen).toBe(chosen);
  });

  test.each([
    ['in 11 years', '22 Nov 2037'],
    ['in 100 years', '22 Nov 2126'],
    // Chrono is also asked from 400 years ago, so these must not result in about now.
    ['in 400 years', '22 Nov 2426'],
    ['in 4801 months', '22 Dec 2426'],
    ['in 146098 days', '23 Nov 2426'],
    ['in 3506328 hours', '22 Nov 2426'],
    ['in 1000000 days', '19 Oct 4764'],
    ['5 march 2126', '5 Mar 2126'],
  ])('%s is too far away', (text, date) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toContain(`--scheduled-at: "${text}" is more than 10 years away: `);
    expect(error.message).toContain(` ${date}, `);
    expect(error.details.hint).toContain('ISO 8601');
  });

  test.each(['', '   '])('%j is missing', (text) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe('--scheduled-at: a time is missing');
    expect(error.details.hint).toContain('"tomorrow 9am"');
  });

  test.each([
    ...['03/04/2026', '3/4', '3/4/26', '3.4.2026', '03-04-2026', '13/04/2026 9am', '9am 3/4'],
    ...['8.11-2028', '17/1-49', '8/11.2028', '8-11/2028', '5/2027', '12/49', '26-12-25'],
  ])('%s is ambiguous', (text) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe(`--scheduled-at: "${text}" is ambiguous`);
    expect(error.details.hint).toContain('2026-11-23');
  });

  test.each(['1969-12-31T00:00Z', '0001-01-01', '9999-12-31T00:00Z', 'in 99999999 hours'])(
    '%s is out of range',
    (text) => {
      const error = usageError(() => resolve(text, sunday, berlin, { direction: 'past' }));
      expect(error.message).toBe(
        `--scheduled-at: "${text}" is not a time from 1970-01-01 to 9999-12-29`,
      );
    },
  );

  test('control characters of the text are escaped', () => {
    const error = usageError(() => resolve('\x1b[2J', sunday, berlin));
    expect(error.message).toBe('--scheduled-at: "\\x1b[2J" is not a time');
  });

  test.each([
    ['2 hours ago', 'Sun 22 Nov 2026, 08:15 GMT+1 (2026-11-22T07:15:30Z)'],
    ['yesterday', 'Sat 21 Nov 2026, 00:00 GMT+1 (2026-11-20T23:00:00Z)'],
    ['today', 'Sun 22 Nov 2026, 00:00 GMT+1 (2026-11-21T23:00:00Z)'],
    ['today 9am', 'Sun 22 Nov 2026, 09:00 GMT+1 (2026-11-22T08:00:00Z)'],
    ['this morning', 'Sun 22 Nov 2026, 06:00 GMT+1 (2026-11-22T05:00:00Z)'],
    ['last monday', 'Mon 16 Nov 2026, 00:00 GMT+1 (2026-11-15T23:00:00Z)'],
    ['march 5 2026', 'Thu 5 Mar 2026, 00:00 GMT+1 (2026-03-04T23:00:00Z)'],
    ['2026-11-22', 'Sun 22 Nov 2026, 00:00 GMT+1 (2026-11-21T23:00:00Z)'],
    ['2026-11-22T10:15:29', 'Sun 22 Nov 2026, 10:15 GMT+1 (2026-11-22T09:15:29Z)'],
  ])('%s is in the past', (text, shown) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe(`--scheduled-at: "${text}" is in the past: ${shown}`);
    expect(error.details.hint).toBeUndefined();

    const withFlag = usageError(() => resolve(text, sunday, berlin, { allowPastFlag: true }));
    expect(withFlag.details.hint).toContain('--allow-past');

    expect(shown).toContain(resolve(text, sunday, berlin, { allowPast: true }));
  });

  test('now is not in the past', () => {
    expect(resolve('2026-11-22T09:15:30Z', sunday, berlin)).toBe('2026-11-22T09:15:30Z');
  });
});

test("the process's own time zone does not matter", () => {
  // Each result, as shown in UTC or Berlin, is the time of a clock change in one of the zones below.
  const cases = [
    ['in 1 day', '2026-03-28T02:30:00Z', 'UTC', '2026-03-29T02:30:00.000Z'],
    ['in 26 hours', '2026-03-28T00:30:00Z', 'UTC', '2026-03-29T02:30:00.000Z'],
    ['tomorrow 2:30', '2026-03-07T12:00:00Z', 'UTC', '2026-03-08T02:30:00.000Z'],
    ['in 26 hours', '2026-03-07T00:30:00Z', 'UTC', '2026-03-08T02:30:00.000Z'],
    ['sunday 2:15', '2026-09-28T12:00:00Z', berlin, '2026-10-04T00:15:00.000Z'],
    ['march 5', '2026-11-22T09:15:30Z', berlin, '2027-03-04T23:00:00.000Z'],
  ] as const;
  const zones = [
    'UTC',
    berlin,
    newYork,
    auckland,
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Asia/Manila',
  ];
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const zone of zones) {
    vi.stubEnv('TZ', zone);
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    for (const [text, now, timeZone, expected] of cases) {
      const { date } = resolveWhen(text, { now: Date.parse(now), timeZone, flag: '--at' });
      expect({ zone, text, date: date.toISOString() }).toEqual({ zone, text, date: expected });
    }
  }
});

describe('time zones', () => {
  test.each([berlin, newYork, kolkata, 'UTC', 'America/Argentina/Buenos_Aires'])('%s', (name) => {
    expect(assertTimeZone(name, '--timezone')).toBe(name);
  });

  test.each([
    ['UTC+2', '+02:00'],
    ['gmt-3:30', '-03:30'],
    ['+0530', '+05:30'],
    ['Z', 'UTC'],
  ])('%s is %s', (name, expected) => {
    expect(assertTimeZone(name, '--timezone')).toBe(expected);
  });

  test.each([
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['US/new_york', 'America/New_York'],
    ['KOLKATA', 'Asia/Kolkata'],
    ['ushuaia', 'America/Argentina/Ushuaia'],
    ['CET', 'Europe/Berlin'],
    ['est', 'America/New_York'],
    ['IST', 'Asia/Kolkata, Asia/Jerusalem, or Europe/Dublin'],
    ['CST', 'America/Chicago, Asia/Shanghai, or America/Havana'],
    ['BST', 'Europe/London or Asia/Dhaka'],
  ])('instead of %s, %s is suggested', (name, suggested) => {
    const error = usageError(() => assertTimeZone(name, '--timezone'));
    expect(error.message).toBe(`--timezone: "${name}" is not a time zone`);
    expect(error.details.hint).toBe(`Use ${suggested}. Or use an offset, such as UTC+2.`);
  });

  test.each([
    ['tomorrow 9am CET', 'CET', 'Europe/Berlin'],
    ['tomorrow 9am PST', 'PST', 'America/Los_Angeles or Asia/Manila'],
    ['tomorrow 9am et', 'et', 'America/New_York'],
    ['2026-11-25T09:00 IST', 'IST', 'Asia/Kolkata, Asia/Jerusalem, or Europe/Dublin'],
    ['tomorrow 9am Berlin', 'Berlin', 'Europe/Berlin'],
    ['monday 10:30 new york', 'new york', 'America/New_York'],
    ['tomorrow 9am Germany/Berlin', 'Germany/Berlin', 'Europe/Berlin'],
    ['tomorrow 9am Mars/Base', 'Mars/Base', 'an IANA name, such as Europe/Berlin'],
    ['tomorrow 9am UTC+25', 'UTC+25', 'an IANA name, such as Europe/Berlin'],
  ])('of %s, %s is no zone', (text, name, suggested) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe(`--scheduled-at: "${name}" is not a time zone`);
    expect(error.details.hint).toContain(`Use ${suggested}`);
    expect(error.details.hint).toContain('as --timezone');
  });

  test.each(['next christmas', 'foo Berlin', 'CET'])('%s is not a time', (text) => {
    const error = usageError(() => resolve(text, sunday, berlin));
    expect(error.message).toBe(`--scheduled-at: "${text}" is not a time`);
  });

  // Each may also mean two hours later.
  test.each(['tomorrow +02:00', 'tomorrow -0200', 'march 5 +02:00'])('%s is not a time', (text) => {
    expect(() => resolve(text, sunday, berlin)).toThrow(UsageError);
  });

  test.each(['', 'Berlin', 'Europe/Berlim', 'CEST', '../etc/passwd', 'Europe/Berlin '])(
    '%j is invalid',
    (name) => {
      const error = usageError(() => assertTimeZone(name, '--timezone'));
      expect(error.message).toBe(`--timezone: "${name}" is not a time zone`);
      expect(error.details.hint).toContain('Europe/Berlin');
    },
  );
});

test.each([
  ['2026-11-22T08:00:00Z', berlin, 'Sun 22 Nov 2026, 09:00 GMT+1 (2026-11-22T08:00:00Z)'],
  ['2026-07-01T08:00:00Z', berlin, 'Wed 1 Jul 2026, 10:00 GMT+2 (2026-07-01T08:00:00Z)'],
  ['2026-09-05T22:15:00Z', kolkata, 'Sun 6 Sep 2026, 03:45 GMT+5:30 (2026-09-05T22:15:00Z)'],
  ['2026-11-22T05:00:00.250Z', newYork, 'Sun 22 Nov 2026, 00:00 GMT-5 (2026-11-22T05:00:00.250Z)'],
  ['2026-11-22T05:00:00Z', 'UTC', 'Sun 22 Nov 2026, 05:00 GMT (2026-11-22T05:00:00Z)'],
])('%s in %s reads %s', (iso, timeZone, expected) => {
  expect(formatInstant(new Date(iso), timeZone)).toBe(expected);
});

describe('durations', () => {
  test.each([
    ['30m', 1_800_000],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['500ms', 500],
    ['1d2h3m4s5ms', 93_784_005],
    ['1m5ms', 60_005],
    ['90', 90_000],
    ['0.5', 500],
    ['1.5h', 5_400_000],
    ['0.0001', 1],
    ['24d', 2_073_600_000],
  ])('%s is %d ms', (text, expected) => {
    expect(parseDuration('--interval')(text)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    '0',
    '0s',
    '0h0m',
    '-5',
    '-5m',
    '+5',
    '5 m',
    ' 5m',
    '5m ',
    '10abc',
    '1e3',
    '5M',
    'm',
    '.5',
    '5.',
    '30m1h',
    '1h1h',
    '1,5h',
    '1.5.5s',
    '25d',
    '99999999999999999999',
    'Infinity',
    'NaN',
    '0x10',
    '５m',
  ])('%j is invalid', (text) => {
    const error = usageError(() => parseDuration('--interval')(text));
    expect(error.message).toBe(`--interval: "${text}" is not a duration`);
    expect(error.details.hint).toContain('above 0');
  });
});
