import { UsageError } from '../errors.ts';
import { formatInstant } from '../text/local-time.ts';
import { visible } from '../text/visible.ts';
import { isAmbiguousDate } from './ambiguous-times.ts';
import { type Direction, type ReadTime, readEnglish } from './english-time.ts';
import { readIso } from './iso-time.ts';
import { readZone, refuseZone, splitMisnamedZone, splitZone } from './time-zone.ts';
import { endOfTime, isoWithOffset, type LocalTime, localTimeAt } from './wall-clock.ts';

export interface WhenOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** As `Intl` takes it; times without a zone are read in it. */
  readonly timeZone: string;
  /** The flag the text is the value of, for messages. */
  readonly flag: string;
  /** Whether the result may be before `now`. */
  readonly allowPast?: boolean;
  /** Whether the command has `--allow-past`, so that messages may mention it. */
  readonly allowPastFlag?: boolean;
  /** Where a time that names no year, or no day, is looked for. `past` reads `7d` as `7d ago`. */
  readonly direction?: Direction;
}

/** A time that a text means. */
export interface ResolvedTime {
  readonly date: Date;
  /** Whether the text leaves the hour open, so that it was chosen. */
  readonly hourChosen: boolean;
  /** What people are told where clocks skip the time, or show it twice. */
  readonly warning: string | undefined;
}

const timeHint =
  'Write ISO 8601, such as 2026-11-22T09:00 or 2026-11-22T09:00+01:00, a duration, such as 2h, or English, such as "tomorrow 9am" or "next monday 10:30".';
const dateHint = 'Day and month cannot be told apart. Write year, month and day, as in 2026-04-03.';

/** An hour at the end that may lack its half of the day, such as in `monday 9`. */
const endsInHour = /(?<![\d:./+-])(?:[1-9]|1[0-2])$/;

/** Chrono tries many patterns on every position; no time that people write is longer. */
const longestText = 100;
/** Ten years: an English time further ahead is a slip, or misread by chrono. */
const farthest = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * The time that `text` means: ISO 8601, English as chrono reads it, or a duration from now on. A date
 * without a time is its first moment; `in 3 days` keeps the time of day; `in 2 hours` is elapsed time.
 * A wall clock time that a zone skips moves forward by the gap; of one that comes twice it is the
 * first. Throws a `UsageError` for a text that is not understood as a whole or is ambiguous, and for a
 * past one that is not allowed.
 */
export function resolveWhen(text: string, options: WhenOptions): ResolvedTime {
  const { now, flag, direction = 'future' } = options;
  const shown = `${flag}: "${visible(text)}"`;
  const words = text.trim().replace(/\s+/g, ' ');
  if (words === '') throw new UsageError(`${flag}: a time is missing`, { hint: timeHint });
  if (isAmbiguousDate(words)) throw new UsageError(`${shown} is ambiguous`, { hint: dateHint });
  const meant = words.length > longestText ? undefined : read(words, options);
  if (meant === undefined || meant === 'unclear') {
    const problem = meant === undefined ? 'is not a time' : 'may mean several times';
    const lacksHalf = endsInHour.test(words) && typeof read(`${words}pm`, options) === 'object';
    const hints = [...(lacksHalf ? [`Write am or pm, such as "${words}pm".`] : []), timeHint];
    throw new UsageError(`${shown} ${problem}`, { hint: hints.join(' ') });
  }
  const { local, hour, timeZone } = meant;
  const { instant } = local;
  if (!(instant >= 0 && instant < endOfTime)) {
    throw new UsageError(`${shown} is not a time from 1970-01-01 to 9999-12-29`);
  }
  const date = new Date(instant);
  const inWords = () => formatInstant(date, options.timeZone);
  if (instant - now > farthest && !meant.isIso) {
    throw new UsageError(`${shown} is more than 10 years away: ${inWords()}`, {
      hint: 'Write a time this far ahead as ISO 8601, such as 2040-11-22T09:00.',
    });
  }
  if (instant < now && options.allowPast !== true && direction === 'future') {
    throw new UsageError(`${shown} is in the past: ${inWords()}`, {
      hint: options.allowPastFlag === true ? 'To use it anyway, add --allow-past.' : undefined,
    });
  }
  // The first moment of a day is none that the text names.
  const warning =
    hour === 'none' || local.shown === 'once'
      ? undefined
      : `${shown} ${clockChange(local, timeZone)}`;
  return { date, hourChosen: hour !== 'named', warning };
}

/** What is read in a text, and the zone that it was read in. */
interface Meant extends ReadTime {
  readonly timeZone: string;
  readonly isIso: boolean;
}

function read(words: string, options: WhenOptions): Meant | 'unclear' | undefined {
  const iso = readIso(words);
  const { time, zone } = iso === undefined ? splitZone(words, options.flag) : { time: words };
  const meant = readIn(time, zone, options);
  if (meant !== undefined) return meant;
  const misnamed = splitMisnamedZone(words);
  if (misnamed !== undefined && readIn(misnamed.time, 'UTC', options) !== undefined) {
    refuseZone(misnamed.name, options.flag, true);
  }
  return undefined;
}

/** A time in the zone that was written after it, or in its own offset, or in that of the options. */
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

/** How a time relates to a change of the clocks, and how to write what else it may mean. */
function clockChange({ instant, other, shown }: LocalTime, timeZone: string): string {
  const used = formatInstant(new Date(instant), timeZone);
  const otherwise = isoWithOffset(other, timeZone);
  return shown === 'twice'
    ? `occurs twice in ${timeZone}, because clocks go back. The first is used: ${used}. For the second, write ${otherwise}`
    : `does not exist in ${timeZone}, because clocks go forward. Used instead: ${used}. For the time before the change, write ${otherwise}`;
}
