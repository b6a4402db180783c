import type { Component, ParsedComponents } from 'chrono-node';
import { casual } from 'chrono-node/en';
import { durationOf } from '../../shared/duration.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import { isAmbiguousDate, mayBeMisread } from './ambiguous-times.ts';

export interface WhenOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** IANA name; times without a zone are read in it. */
  timeZone: string;
  /** The flag the text is the value of, for messages. */
  flag: string;
  /** Whether the result may be before `now`. */
  allowPast?: boolean;
  /** Whether the command has `--allow-past`, so that messages may mention it. */
  allowPastFlag?: boolean;
  /** Where a time that names no year, or no day, is looked for. `past` reads `7d` as `7d ago`. */
  direction?: 'future' | 'past';
}

const timeHint =
  'Write ISO 8601, such as 2026-11-22T09:00 or 2026-11-22T09:00+01:00, or English, such as "tomorrow 9am", "in 2 hours" or "next monday 10:30".';
const dateHint = 'Day and month cannot be told apart. Write year, month and day, as in 2026-04-03.';

/** Chrono tries many patterns on every position; no time that people write is longer. */
const longestText = 100;
const millisecondsPerDay = 24 * 60 * 60 * 1000;
/** Two days before years have five digits, whatever the zone. */
const endOfTime = Date.UTC(9999, 11, 30);
/** Ten years: an English time further ahead is a slip, or misread by chrono. */
const farthest = 10 * 366 * millisecondsPerDay;
const isoForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Chrono calculates in the process's own time zone, whose changes of the clock would move some results
 * by an hour. 400 years ago weekdays were the same and no clock was changed: so that is its "now".
 */
const calendarCycle = 400;
/** Years, weeks or days to look for a time in the right direction; February 29 may be 8 years off. */
const longestSearch = 9;
const timeComponents = ['hour', 'minute', 'second', 'millisecond'] as const;
/** Tags of words that are a time of day. */
const timeOfDay = /^casualReference\/(?:morning|afternoon|evening|tonight|noon|midnight)$/;
/** Units whose length depends on the calendar: `in 1 day and 2 hours` is on the wall clock. */
const calendarUnit =
  /(?<![a-z])(?:d|days?|w|wks?|weeks?|mos?|months?|qtrs?|quarters?|y|yrs?|years?)(?![a-z])/i;

/**
 * The instant that `text` means: ISO 8601, or English as chrono reads it. A date without a time is
 * its first moment; `in 3 days` keeps the time of day; `in 2 hours` is elapsed time. A wall clock time
 * that a zone skips moves forward by the gap; of one that comes twice it is the first. English may end
 * in UTC or GMT, other zones need ISO. Throws a `UsageError` for a text that is not understood as a
 * whole or is ambiguous, and for a past one that is not allowed.
 */
export function resolveWhen(text: string, options: WhenOptions): Date {
  const { now, timeZone, flag, direction = 'future' } = options;
  const shown = `${flag}: "${visible(text)}"`;
  const words = text.trim().replace(/\s+/g, ' ');
  if (words === '') throw new UsageError(`${flag}: a time is missing`, { hint: timeHint });
  if (isAmbiguousDate(words)) throw new UsageError(`${shown} is ambiguous`, { hint: dateHint });
  const instant = words.length > longestText ? undefined : read(words, now, timeZone, direction);
  if (instant === undefined) throw new UsageError(`${shown} is not a time`, { hint: timeHint });
  if (instant === 'unclear') {
    throw new UsageError(`${shown} may mean several times`, { hint: timeHint });
  }
  if (!(instant >= 0 && instant < endOfTime)) {
    throw new UsageError(`${shown} is not a time from 1970-01-01 to 9999-12-29`);
  }
  const date = new Date(instant);
  if (instant - now > farthest && !isoForm.test(words)) {
    throw new UsageError(`${shown} is more than 10 years away: ${formatInstant(date, timeZone)}`, {
      hint: 'Write a time this far ahead as ISO 8601, such as 2040-11-22T09:00.',
    });
  }
  if (instant < now && options.allowPast !== true && direction === 'future') {
    throw new UsageError(`${shown} is in the past: ${formatInstant(date, timeZone)}`, {
      hint: options.allowPastFlag === true ? 'To use it anyway, add --allow-past.' : undefined,
    });
  }
  return date;
}

/** `date` for people, local and UTC: `Sun 22 Nov 2026, 09:00 GMT+1 (2026-11-22T08:00:00Z)`. */
export function formatInstant(date: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  }).formatToParts(date);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? '';
  const day = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`;
  // Newer versions of Node say GMT+0.
  const zone = part('timeZoneName').replace(/\+0$/, '');
  const time = `${part('hour')}:${part('minute')} ${zone}`;
  return `${day}, ${time} (${toUtcSeconds(date)})`;
}

/** ISO 8601 in UTC: `2026-11-22T08:00:00Z`, with milliseconds only where there are any. */
export function toUtcSeconds(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z');
}

/** Milliseconds of `30m`, `1h30m`, `2d`, `500ms`, or seconds: more than 0, and at most 24 days. */
export function parseDuration(text: string, flag: string): number {
  const milliseconds = durationOf(text) ?? Number.NaN;
  // setTimeout fires at once past 2^31 - 1 ms.
  if (!(milliseconds >= 1 && milliseconds <= 2 ** 31 - 1)) {
    throw new UsageError(`${flag}: "${visible(text)}" is not a duration`, {
      hint: `Write 90s, 30m, 1h30m or a number of seconds, above 0 and at most 24 days.`,
    });
  }
  return milliseconds;
}

/** Milliseconds since 1970; undefined when not understood, `unclear` if ambiguous, NaN out of range. */
function read(
  words: string,
  now: number,
  timeZone: string,
  direction: 'future' | 'past',
): number | 'unclear' | undefined {
  const iso = isoForm.exec(words);
  if (iso !== null) return readIso(iso, timeZone);
  const utc = / (?:UTC|GMT)$/i;
  const zone = utc.test(words) ? 'UTC' : timeZone;
  const english = words.replace(utc, '').replace(/^(?:the )?day after tomorrow\b/i, 'overmorrow');
  return readEnglish(english, now, zone, direction);
}

function readIso(match: RegExpExecArray, timeZone: string): number | undefined {
  const [, day, time = '00:00', seconds = '00', fraction = '', offset] = match;
  const written = `${day}T${time}:${seconds}`;
  const wall = Date.parse(`${written}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date.parse makes March 2 of February 30, and knows an hour 24.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(written)) return undefined;
  if (offset === undefined) return toInstant(wall, timeZone);
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  return wall - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function readEnglish(
  words: string,
  now: number,
  timeZone: string,
  direction: 'future' | 'past',
): number | 'unclear' | undefined {
  const past = direction === 'past';
  const reference = wallClock(now, timeZone);
  const english =
    (past && /^\d/.test(words) ? parseEnglish(`${words} ago`, reference) : undefined) ??
    parseEnglish(words, reference);
  if (english === undefined || english === 'unclear') return english;
  const whole = (instant: number) => (past ? Math.floor : Math.ceil)(instant / 1000) * 1000;
  if (english.elapsed) return whole(now + english.wall(0) - reference);

  const instants = Array.from({ length: longestSearch }, (_, step) =>
    toInstant(english.wall(past ? -step : step), timeZone),
  ).filter((instant) => !Number.isNaN(instant));
  const instant = instants.find((each) => (past ? each <= now : each >= now)) ?? instants[0];
  if (instant === undefined) return undefined;
  const weekday = new Date(wallClock(instant, timeZone)).getUTCDay();
  return weekday === (english.weekday ?? weekday) ? whole(instant) : undefined;
}

/** What an English text says. */
interface English {
  /** Whether it is a time span from now, and not a time on the wall clock. */
  elapsed: boolean;
  /** 0 is Sunday; only where the text names the day too, so that both have to agree. */
  weekday: number | undefined;
  /** The wall clock time, `steps` open units later; NaN if there is none, or no unit is open. */
  wall(steps: number): number;
}

function parseEnglish(words: string, reference: number): English | 'unclear' | undefined {
  const found = ask(words, reference) ?? askInLeapYear(words);
  if (found === undefined) return undefined;
  const named = (component: Component) => found.isCertain(component);
  const get = (component: Component) => found.get(component) ?? 0;
  const tags = [...found.tags()];
  const relative = tags.includes('result/relativeDate');
  const elapsed =
    tags.includes('casualReference/now') ||
    (tags.includes('result/relativeDateAndTime') && !calendarUnit.test(words));
  const zoneInText = named('timezoneOffset') && !relative && !elapsed;
  // Most abbreviations of time zones stand for several.
  if (zoneInText) return undefined;

  const year = get('year');
  // A year that chrono calculated is another one when it is asked as of another time.
  const hasYear = ask(words, reference, 2 * calendarCycle)?.get('year') === year;
  const reading = { hasYear, month: get('month'), hour: get('hour'), hasHour: named('hour'), tags };
  if (mayBeMisread(words, reading)) return 'unclear';

  const hasTime =
    named('hour') ||
    tags.some((tag) => timeOfDay.test(tag)) ||
    (relative && !/\b(?:after|before|today|tomorrow|yesterday)\b/i.test(words));
  const time = hasTime ? timeComponents.map(get) : [];
  const date = (ofYear: number) => calendarTime([ofYear, get('month'), get('day'), ...time]);
  const open = /\b(?:this|next|last|past)\b/i.test(words) ? 'nothing' : openUnit(named);

  return {
    elapsed,
    weekday: named('weekday') && named('day') ? get('weekday') : undefined,
    wall: (steps) => {
      if (open === 'year') return date(new Date(reference).getUTCFullYear() + steps);
      if (open === 'nothing' && steps !== 0) return Number.NaN;
      const days = steps * (open === 'week' ? 7 : 1);
      return date(hasYear ? year : year + calendarCycle) + days * millisecondsPerDay;
    },
  };
}

function openUnit(named: (component: Component) => boolean): 'year' | 'week' | 'day' | 'nothing' {
  if (named('year')) return 'nothing';
  if (named('month')) return 'year';
  if (named('day')) return 'nothing';
  return named('weekday') ? 'week' : 'day';
}

/** Chrono's reading of `words`, if it understands all of them as one point in time. */
function ask(
  words: string,
  reference: number,
  yearsBefore = calendarCycle,
): ParsedComponents | undefined {
  const then = new Date(reference);
  const results = casual.parse(
    words,
    new Date(
      then.getUTCFullYear() - yearsBefore,
      then.getUTCMonth(),
      then.getUTCDate(),
      then.getUTCHours(),
      then.getUTCMinutes(),
      then.getUTCSeconds(),
      then.getUTCMilliseconds(),
    ),
  );
  const [result] = results;
  if (result === undefined || results.length > 1 || result.end) return undefined;
  return result.text === words ? result.start : undefined;
}

/** Chrono does not find a February 29 that names no year from another than a leap year. */
function askInLeapYear(words: string): ParsedComponents | undefined {
  const found = ask(words, Date.UTC(2024, 1, 28));
  return found?.isCertain('month') && !found.isCertain('year') ? found : undefined;
}

/** The wall clock time of a year, a month from 1, a day and so on; NaN if there is no such day. */
function calendarTime([year = 0, month = 0, day = 0, ...time]: readonly number[]): number {
  const [hour = 0, minute = 0, second = 0, millisecond = 0] = time;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  return new Date(wall).getUTCDate() === day ? wall : Number.NaN;
}

/** What the clock on the wall in `timeZone` shows at `instant`, as if that were UTC. */
function wallClock(instant: number, timeZone: string): number {
  return instant + zoneOffset(instant, timeZone);
}

/** The instant at which the clock on the wall shows `wall`; NaN when it is out of range. */
function toInstant(wall: number, timeZone: string): number {
  if (!(wall >= 0 && wall < endOfTime)) return Number.NaN;
  const before = zoneOffset(wall - millisecondsPerDay, timeZone);
  const after = zoneOffset(wall + millisecondsPerDay, timeZone);
  const first = wall - before;
  const second = wall - after;
  // When neither is right the time is skipped, and the old offset moves it past the gap.
  return zoneOffset(first, timeZone) !== before && zoneOffset(second, timeZone) === after
    ? second
    : first;
}

/** Milliseconds that `timeZone` is ahead of UTC at `instant`. */
function zoneOffset(instant: number, timeZone: string): number {
  // Sweden writes dates as ISO 8601 does.
  const wall = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant);
  return Date.parse(`${wall.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
