import type { Component, ParsedComponents } from 'chrono-node';
import { casual } from 'chrono-node/en';
import { isSpokenHour, mayBeMisread } from './ambiguous-times.ts';
import { type LocalTime, localTimeAt, millisecondsPerDay, wallClock } from './wall-clock.ts';
import { withDatesOfWeeks } from './weeks.ts';

/**
 * Chrono calculates in the process's own time zone, whose clock changes would shift some results by
 * an hour. 400 years ago weekdays were the same and no clocks were changed, so that is chrono's
 * "now".
 */
const calendarCycle = 400;
/**
 * Years, weeks or days to search for a time in the right direction. February 29 may be 8 years
 * away.
 */
const longestSearch = 9;
const timeComponents = ['hour', 'minute', 'second', 'millisecond'] as const;
/** Chrono's tags for times of day. */
const timeOfDay = /^casualReference\/(?:morning|afternoon|evening|tonight|noon|midnight)$/;
/**
 * Units whose length depends on the calendar: `in 1 day and 2 hours` is a time on the wall clock.
 */
const calendarUnit =
  /(?<![a-z])(?:d|days?|w|wks?|weeks?|mos?|months?|qtrs?|quarters?|y|yrs?|years?)(?![a-z])/i;

/** Those whose days are not always as many. */
const monthUnit = /(?<![a-z])(?:mos?|months?|qtrs?|quarters?|y|yrs?|years?)(?![a-z])/i;

/** A time read from a text. */
export interface ReadTime {
  readonly local: LocalTime;
  /** Whether the text names the hour, implies it (`morning`), or neither. */
  readonly hour: 'named' | 'implied' | 'none';
  /** Whether the text names a week, a month or a year without a day. */
  readonly isLonger?: boolean;
  /** Whether the text names a day of the year without the year. */
  readonly lacksYear?: boolean;
  /** Whether the month has no such day, so that its last one is taken. */
  readonly isShortened?: boolean;
}

/** Which way to search for a time without a year or a day. */
export type Direction = 'future' | 'past';

/**
 * Reads an English text, or a duration such as `2h`. `now` is in milliseconds. `unclear` if
 * ambiguous.
 */
export function readEnglish(
  text: string,
  now: number,
  timeZone: string,
  direction: Direction,
): ReadTime | 'unclear' | undefined {
  const past = direction === 'past';
  const reference = wallClock(now, timeZone);
  const isLonger = /\b(?:week|month|year|quarter)s?\b|\bweekend\b/i.test(text);
  const words = withDatesOfWeeks(text, reference);
  if (words === undefined) return 'unclear';
  // `2h`, and also `2 hours`.
  const english =
    (/^\d/.test(words)
      ? parseEnglish(past ? `${words} ago` : `in ${words}`, reference)
      : undefined) ?? parseEnglish(words, reference);
  if (english === undefined || english === 'unclear') return english;
  // `0h` more likely comes from an empty variable than means now.
  if (english.relative && english.wall(0) === reference && /\d/.test(words)) return undefined;
  const { elapsed, hour, lacksYear, isShortened } = english;
  const whole = (instant: number) => (past ? Math.floor : Math.ceil)(instant / 1000) * 1000;
  if (elapsed) {
    const instant = whole(now + english.wall(0) - reference);
    return { local: { instant, shown: 'once', other: instant }, hour };
  }
  const found = Array.from({ length: longestSearch }, (_, step) =>
    localTimeAt(english.wall(past ? -step : step), timeZone),
  ).filter(({ instant }) => !Number.isNaN(instant));
  const local = found.find(({ instant }) => (past ? instant <= now : instant >= now)) ?? found[0];
  if (local === undefined) return undefined;
  const weekday = new Date(wallClock(local.instant, timeZone)).getUTCDay();
  if (weekday !== (english.weekday ?? weekday)) return undefined;
  return {
    local: { ...local, instant: whole(local.instant), other: whole(local.other) },
    ...{ hour, lacksYear, isShortened },
    isLonger: english.isLonger || (isLonger && (words === text || /^this week$/i.test(text))),
  };
}

/** What an English text says. */
interface English extends Required<Omit<ReadTime, 'local'>> {
  /** Whether it is elapsed time from now, and not a time on the wall clock. */
  elapsed: boolean;
  /** Whether it is relative to now. */
  relative: boolean;
  /** 0 is Sunday. Set only if the text names the date, too, so that both must agree. */
  weekday: number | undefined;
  /**
   * The wall clock time after `steps` of the open unit; NaN if there is none, or no unit is open.
   */
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
  // Most abbreviations of time zones are ambiguous.
  if (zoneInText) return undefined;

  const year = get('year');
  // A year that chrono calculated changes with the reference time.
  const hasYear = ask(words, reference, 2 * calendarCycle)?.get('year') === year;
  const reading = { hasYear, month: get('month'), hour: get('hour'), hasHour: named('hour'), tags };
  if (mayBeMisread(words, reading)) return 'unclear';

  const hasTime =
    named('hour') ||
    tags.some((tag) => timeOfDay.test(tag)) ||
    (relative && !/\b(?:after|before|today|tomorrow|yesterday)\b/i.test(words));
  const time = hasTime ? timeComponents.map(get) : [];
  const excess = daysBeyondMonth(words, found, reference);
  if (excess === 'unclear') return 'unclear';
  const date = (ofYear: number) =>
    calendarTime([ofYear, get('month'), get('day'), ...time]) - excess * millisecondsPerDay;
  const open = /\b(?:this|next|last|past)\b/i.test(words) ? 'nothing' : openUnit(named);

  return {
    elapsed,
    relative: relative || elapsed,
    hour: named('hour') && !isSpokenHour(words) ? 'named' : hasTime ? 'implied' : 'none',
    isLonger: named('month') && !named('day') && !named('weekday'),
    lacksYear: open === 'year',
    isShortened: excess > 0,
    weekday: named('weekday') && named('day') ? get('weekday') : undefined,
    wall: (steps) => {
      if (open === 'year') return date(new Date(reference).getUTCFullYear() + steps);
      if (open === 'nothing' && steps !== 0) return Number.NaN;
      const days = steps * { week: 7, day: 1, nothing: 0 }[open];
      return date(hasYear ? year : year + calendarCycle) + days * millisecondsPerDay;
    },
  };
}

/**
 * By how many days chrono goes beyond the month that is meant: a month after January 31, it has March 3. `unclear` if the
 * month is not known, as with days beside the months.
 */
function daysBeyondMonth(words: string, found: ParsedComponents, reference: number) {
  const get = (component: Component) => found.get(component) ?? 0;
  if (!monthUnit.test(words)) return 0;
  if (/\b(?:before|after|from (?!now\b))/i.test(words)) return get('day') <= 3 ? 'unclear' : 0;
  const since1 = new Date(reference).getUTCDate() - 1;
  if (since1 < 28) return 0;
  const first = ask(words, reference - since1 * millisecondsPerDay);
  const [year = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map(
    (component) => first?.get(component) ?? 0,
  );
  const apart =
    Date.UTC(get('year'), get('month') - 1, get('day')) - Date.UTC(year, month - 1, day);
  // `this month` is the same on each day.
  if (apart !== since1 * millisecondsPerDay) return 0;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day === 1 ? Math.max(since1 + 1 - lastDay, 0) : 'unclear';
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

/** Without a year, chrono finds February 29 only from a leap year. */
function askInLeapYear(words: string): ParsedComponents | undefined {
  const found = ask(words, Date.UTC(2024, 1, 28));
  return found?.isCertain('month') && !found.isCertain('year') ? found : undefined;
}

/**
 * The wall clock time of a year, a month (from 1), a day and so on; NaN if there is no such day.
 */
function calendarTime([year = 0, month = 0, day = 0, ...time]: readonly number[]): number {
  const [hour = 0, minute = 0, second = 0, millisecond = 0] = time;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  return new Date(wall).getUTCDate() === day ? wall : Number.NaN;
}
