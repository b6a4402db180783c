import { UsageError } from '../errors.ts';
import { formatInstant } from '../text/local-time.ts';
import { visible } from '../text/visible.ts';
import { isAmbiguousDate } from './ambiguous-times.ts';
import { type Direction, type ReadTime, readEnglish } from './english-time.ts';
import {
  assertTimeZone,
  readZone,
  refuseZone,
  splitMisnamedZone,
  splitZone,
  zoneInBrackets,
} from './time-zone.ts';
import {
  dayOf,
  endOfTime,
  isoWithOffset,
  type LocalTime,
  localTimeAt,
  millisecondsPerDay,
  wallClock,
} from './wall-clock.ts';

export interface WhenOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** As `Intl` takes it. The zone of times without one. */
  readonly timeZone: string;
  /** The flag with this value, for messages. */
  readonly flag: string;
  /** Whether the time may be before `now`. */
  readonly allowPast?: boolean;
  /** Whether messages may mention `--allow-past`, because the command has it. */
  readonly allowPastFlag?: boolean;
  /** Where to search for a time without a year or a day. `past` reads `7d` as `7d ago`. */
  readonly direction?: Direction;
  /**
   * Which end of a past period it is. Nothing is found after a start in the future, so that is an error; an end that names
   * a day without an hour includes that day.
   */
  readonly bound?: 'start' | 'end';
}

/** An example of a day for messages: tomorrow, or yesterday for a past time. */
function exampleOf({ now, timeZone, direction }: WhenOptions): string {
  const day = dayOf(now, timeZone) + (direction === 'past' ? -1 : 1) * millisecondsPerDay;
  return isoWithOffset(localTimeAt(day + 9 * 60 * 60 * 1000, timeZone).instant, timeZone);
}

function timeHint(options: WhenOptions): string {
  const example = exampleOf(options);
  const english =
    options.direction === 'past'
      ? '"yesterday 9am" or "7 days ago"'
      : '"tomorrow 9am" or "next monday 10:30"';
  return `Write ISO 8601, such as ${example.slice(0, 16)} or ${example}, a duration, such as 2h, or English, such as ${english}.`;
}

function dateHint(options: WhenOptions): string {
  return `Day and month cannot be told apart. Write year, month and day, as in ${exampleOf(options).slice(0, 10)}.`;
}

/** A month or a minute, as in `1M`. */
const capitalUnit = /(\d ?)M(?![a-z])/gi;

/** An hour at the end that may lack its half of the day, as in `monday 9`. */
const endsInHour = /(?<![\d:./+-])(?:[1-9]|1[0-2])$/;

/**
 * Longest text that chrono gets: it tries many patterns at every position, and no real time is
 * longer.
 */
const longestText = 100;
/** Ten years: an English time further ahead is a typo, or misread by chrono. */
const farthest = 10 * 366 * 24 * 60 * 60 * 1000;
/** A date without a year that is further away than this was perhaps meant to be in another one. */
const farWithoutYear = 180 * millisecondsPerDay;
/** Another clock may be a little ahead. */
const tolerance = 60_000;

/**
 * The time that `text` means: ISO 8601, English as chrono reads it, or a duration from now. A date
 * without a time is its first moment; `in 3 days` keeps the time of day; `in 2 hours` is elapsed
 * time. If clocks skip a time, it moves forward by the gap; if they show it twice, the first
 * counts. Throws a `UsageError` for a text that is ambiguous or not understood as a whole, and for
 * a past time unless that is allowed.
 */
export function resolveWhen(text: string, options: WhenOptions) {
  const { now, flag, direction = 'future' } = options;
  const shown = `${flag}: "${visible(text)}"`;
  const words = text.trim().replace(/\s+/g, ' ');
  if (words === '') {
    throw new UsageError(`${flag}: a time is missing`, { hint: timeHint(options) });
  }
  if (isAmbiguousDate(words)) {
    throw new UsageError(`${shown} is ambiguous`, { hint: dateHint(options) });
  }
  const meant = words.length > longestText ? undefined : read(words, options);
  refuseCapitalUnit(words, meant, shown);
  const isDay = options.bound === 'end' && typeof meant === 'object' && meant.hour === 'none';
  // The end of November may be its first day or its last.
  if (meant === undefined || meant === 'unclear' || (isDay && meant.isLonger)) {
    const problem = meant === undefined ? 'is not a time' : 'is ambiguous';
    const lacksHalf = endsInHour.test(words) && typeof read(`${words}pm`, options) === 'object';
    const hints = [
      ...(lacksHalf ? [`Write am or pm, such as "${words}pm".`] : []),
      timeHint(options),
    ];
    throw new UsageError(`${shown} ${problem}`, { hint: hints.join(' ') });
  }
  refuseTwoWeeks(words, meant, shown, options);
  const { local, hour, timeZone } = meant;
  const instant = isDay
    ? localTimeAt(dayOf(local.instant, timeZone) + millisecondsPerDay, timeZone).instant - 1
    : local.instant;
  if (!(instant >= 0 && instant < endOfTime)) {
    throw new UsageError(`${shown} is not a time from 1970-01-01 to 9999-12-29`);
  }
  const date = new Date(instant);
  const inWords = () => formatInstant(date, options.timeZone);
  if (instant - now > farthest && !meant.isIso) {
    throw new UsageError(`${shown} is more than 10 years away: ${inWords()}`, {
      hint: `If it is meant, write it as ISO 8601: ${isoWithOffset(instant, timeZone)}.`,
    });
  }
  if (options.bound === 'start' && instant - now > (meant.isIso ? tolerance : 0)) {
    throw new UsageError(`${shown} is in the future: ${inWords()}`, { hint: timeHint(options) });
  }
  if (instant < now && options.allowPast !== true && direction === 'future') {
    throw new UsageError(`${shown} is in the past: ${inWords()}`, {
      hint: options.allowPastFlag === true ? 'To use it anyway, add --allow-past.' : undefined,
    });
  }
  // No warning about the first moment of a day: the text does not name it.
  const warning =
    hour === 'none' || local.shown === 'once'
      ? undefined
      : `${shown} ${clockChange(local, timeZone)}`;
  return {
    date,
    /** Whether the hour was chosen because the text does not name it. */
    hourChosen: hour !== 'named',
    /** Whether the day was: the last of a shorter month, or a date of another year. */
    dayChosen:
      meant.isShortened === true ||
      (meant.lacksYear === true && Math.abs(instant - now) > farWithoutYear),
    /** For a time that clocks skip or show twice. */
    warning,
  };
}

/** Throws the `UsageError` for `1M`, which is a month in some programs and a minute in others. */
function refuseCapitalUnit(words: string, meant: Meant | 'unclear' | undefined, shown: string) {
  if (typeof meant !== 'object' || !/\dM|\d M\b/.test(words)) return;
  const [minutes, months] = ['m', 'mo'].map((unit) => words.replace(capitalUnit, `$1${unit}`));
  throw new UsageError(`${shown} is ambiguous`, {
    hint: `Write ${minutes} for minutes, or ${months} for months.`,
  });
}

/** `next` before a weekday, in any form that chrono reads. */
const nextWeekday =
  /\bnext (?=(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\b)/i;

/**
 * Throws the `UsageError` for `next friday` on a Wednesday: some mean the Friday of this week, some that of the next.
 */
function refuseTwoWeeks(words: string, meant: Meant, shown: string, options: WhenOptions): void {
  if (!nextWeekday.test(words)) return;
  const soon = read(words.replace(nextWeekday, ''), options);
  if (typeof soon !== 'object' || soon.local.instant >= meant.local.instant) return;
  const { timeZone } = meant;
  // Nobody calls today next Friday.
  if (dayOf(soon.local.instant, timeZone) === dayOf(options.now, timeZone)) return;
  const both = [soon, meant].map(({ local }) => local.instant);
  const [one, other] = both.map((instant) => formatInstant(new Date(instant), options.timeZone));
  const [first, second] = both.map((instant) => isoWithOffset(instant, timeZone));
  throw new UsageError(`${shown} is ambiguous: ${one}, or ${other}`, {
    hint: `Write the date: ${first} or ${second}.`,
  });
}

/** What was read from a text, and the zone it was read in. */
interface Meant extends ReadTime {
  readonly timeZone: string;
  readonly isIso: boolean;
}

function read(words: string, options: WhenOptions): Meant | 'unclear' | undefined {
  const iso = readIso(words);
  const offsetAndZone = readOffsetAndZone(words, options);
  if (offsetAndZone !== undefined) return offsetAndZone;
  const { time, zone } = iso === undefined ? splitZone(words, options.flag) : { time: words };
  const meant = readIn(time, zone, options);
  if (meant !== undefined) return meant;
  const misnamed = splitMisnamedZone(words);
  if (misnamed !== undefined && readIn(misnamed.time, 'UTC', options) !== undefined) {
    refuseZone(misnamed.name, options.flag, true);
  }
  return undefined;
}

/**
 * Reads ISO 8601 with an offset and a zone, as in `2027-01-01T09:00+01:00[Europe/Paris]`. Throws a `UsageError` if the
 * zone has another offset then.
 */
function readOffsetAndZone(words: string, options: WhenOptions): Meant | undefined {
  const [end = '', name = ''] = zoneInBrackets.exec(words) ?? [];
  const iso = end === '' ? undefined : readIso(words.slice(0, -end.length));
  if (iso?.offset === undefined) return undefined;
  const zone = assertTimeZone(name, options.flag);
  const meant = readIn(words.slice(0, -end.length), undefined, options);
  if (typeof meant !== 'object') return undefined;
  const { instant } = meant.local;
  if (/^[+-]/.test(iso.offset) && wallClock(instant, zone) !== iso.wall) {
    throw new UsageError(`${options.flag}: "${visible(words)}" contradicts itself`, {
      hint: `In ${zone}, this is ${isoWithOffset(instant, zone)}. Write either the offset or the zone.`,
    });
  }
  return meant;
}

/** Reads a time in the zone written after it, in its own offset, or in the zone of the options. */
function readIn(time: string, zone: string | undefined, options: WhenOptions) {
  const { now, direction = 'future' } = options;
  const iso = readIso(time);
  if (iso === undefined) {
    const timeZone = zone ?? options.timeZone;
    const english = time.replace(/^(?:the )?day after tomorrow\b/i, 'overmorrow');
    const meant = readEnglish(english, now, timeZone, direction);
    return typeof meant === 'object' ? { ...meant, timeZone, isIso: false } : meant;
  }
  const { wall, offset, hasHour } = iso;
  if (Number.isNaN(wall) || (offset !== undefined && zone !== undefined)) return undefined;
  const timeZone = offset === undefined ? (zone ?? options.timeZone) : readZone(offset);
  if (timeZone === undefined) return undefined;
  const hour = hasHour ? 'named' : 'none';
  return { local: localTimeAt(wall, timeZone), hour, timeZone, isIso: true } as const;
}

/** How a time relates to a clock change, and how to write its other meaning. */
function clockChange({ instant, other, shown }: LocalTime, timeZone: string): string {
  const used = formatInstant(new Date(instant), timeZone);
  const otherwise = isoWithOffset(other, timeZone);
  return shown === 'twice'
    ? `occurs twice in ${timeZone}, because clocks go back. The first is used: ${used}. For the second, write ${otherwise}`
    : `does not exist in ${timeZone}, because clocks go forward. Used instead: ${used}. For the time before the change, write ${otherwise}`;
}

const isoForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Reads ISO 8601 with at least a day; undefined for anything else. */
export function readIso(words: string) {
  const match = isoForm.exec(words);
  if (match === null) return undefined;
  const [, day, time, seconds = '00', fraction = '', offset] = match;
  const written = `${day}T${time ?? '00:00'}:${seconds}`;
  const wall = Date.parse(`${written}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date.parse turns February 30 into March 2, and accepts hour 24.
  const isThere = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(written);
  return {
    /** On the wall clock, in milliseconds as if in UTC; NaN if there is no such time. */
    wall: isThere ? wall : Number.NaN,
    /** `Z`, `UTC`, `GMT`, or hours and perhaps minutes; undefined if there is none. */
    offset,
    hasHour: time !== undefined,
  };
}
