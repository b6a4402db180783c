/** Times that chrono may misread are errors: a question is better than an email at a wrong time. */

/**
 * Whether a numeric date is ambiguous: `3/4`, `03/04/2026`, `3.4.26`. `3.4` and `3-4` may be times.
 */
export function isAmbiguousDate(words: string): boolean {
  return /(?<![\d/.-])\d{1,2}(?:\/\d{1,4}|\/\d{1,2}[/.-]\d{2,4}|[.-]\d{1,2}[/.-]\d{2,4})(?![\d/.-])/.test(
    words,
  );
}

/** Starts with `this evening at 4:30pm`. */
const night = [16, 24] as const;

/** The hours of a part of the day, named as by chrono: from the first, before the second. */
const partsOfDay: Readonly<Record<string, readonly [number, number]>> = {
  morning: [0, 12],
  noon: [12, 13],
  afternoon: [12, 19],
  evening: night,
  tonight: night,
  midnight: [0, 1],
};

/** An hour up to 11 that may be in the morning or the evening: `at 5`, `9 o'clock`. */
const spokenHour =
  /(?:\bat ?([1-9]|1[01])|(?<!\d)([1-9]|1[01])(?= ?o'?clock))(?![\d:.]| ?[ap]\.?m)/i;

/** From this hour on, such an hour is in the morning. */
const earliestSpoken = 8;

/** Whether a text names an hour without its half of the day. */
export function isSpokenHour(words: string): boolean {
  return spokenHour.test(words);
}

/** What chrono reads in a text. */
interface Reading {
  /** Whether the text has the year itself. A relative year does not count. */
  readonly hasYear: boolean;
  /** From 1. */
  readonly month: number;
  readonly hour: number;
  /** Whether the text has the hour itself. */
  readonly hasHour: boolean;
  /** Chrono's names for what it recognised. */
  readonly tags: readonly string[];
}

/** Whether a text may mean another time than chrono's reading. */
export function mayBeMisread(words: string, reading: Reading): boolean {
  const { hasYear, month, hour, hasHour, tags } = reading;
  // Chrono reads `lastfriday` as next Friday.
  if (/\b(?:this|next|last|past)[a-z]/i.test(words)) return true;
  // Chrono has the start of its last day.
  if (/\bend of\b/i.test(words)) return true;
  // `in a few hours`; and thousands as written in many countries: `in 1.000 hours`.
  if (/\b(?:few|several)\b|\d\.\d{3}(?!\d)/i.test(words)) return true;
  // `an hour before tomorrow` and `tomorrow +2h` have the current time of day.
  const isSpan = tags.includes('result/relativeDateAndTime');
  const fromTime = /:\d\d|\d ?[ap]\.?m|\b(?:now|noon|midnight)\b/i.test(words);
  // But `monday - 9am` is just `monday 9am`.
  if (/\S (?:\+|-(?! \d{1,2}(?::\d\d| ?[ap]\.?m))) ?\d/i.test(words)) return true;
  if (isSpan && !fromTime && /\b(?:before|after)\b/i.test(words)) return true;
  // Of `in 2 hours 3 hours`, chrono takes the last.
  const units = words.toLowerCase().match(/(?<=\d ?)(?:mo|[smhdwqy])/g) ?? [];
  if (isSpan && new Set(units).size < units.length) return true;
  // `24 dec 18` may be an hour; `jan 32` is no day.
  if (hasYear && !/(?<!\d)\d{4}(?!\d)/.test(words)) return true;
  // Chrono reads `2027/13/5` as May 13.
  const [, named] = /(?<!\d)\d{4}[/.\- ](\d{1,2})[/.\- ]\d{1,2}(?!\d)/.exec(words) ?? [];
  if (named !== undefined && Number(named) !== month) return true;
  if (!hasHour) return false;
  // Chrono puts `tomorrow night at 3` in the afternoon.
  const parts = tags.flatMap((tag) => {
    const part = partsOfDay[tag.replace('casualReference/', '')];
    return part === undefined ? [] : [part];
  });
  // Chrono reads `last night at 3` as the morning of the day before, and has no tag for it.
  if (/\blast night\b/i.test(words)) parts.push(night);
  if (parts.some((part) => hour < part[0] || hour >= part[1])) return true;
  // Chrono reads `friday at 5` as five in the morning; few people do.
  if (parts.length === 0 && hour < earliestSpoken && isSpokenHour(words)) return true;
  // A bare number: `friday 13`, and the 22 of `22.nov.2026`.
  const isBare = !/:\d\d|\d ?[ap]\.?m|\bat ?\d|\d o'?clock|\d in the /i.test(words);
  return isBare && tags.includes('parser/ENTimeExpressionParser');
}
