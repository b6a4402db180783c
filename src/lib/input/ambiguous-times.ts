/** Texts that chrono may misread are errors: an email at a wrong time is worse than a question. */

/** Whether a date in numbers is ambiguous: `3/4`, `03/04/2026`, `3.4.26`. `3.4` and `3-4` may be times. */
export function isAmbiguousDate(words: string): boolean {
  return /(?<![\d/.-])\d{1,2}(?:\/\d{1,4}|\/\d{1,2}[/.-]\d{2,4}|[.-]\d{1,2}[/.-]\d{2,4})(?![\d/.-])/.test(
    words,
  );
}

/** From `this evening at 4:30pm` on. */
const night = [16, 24] as const;

/** Hours, from and before, that belong to a part of the day by chrono's name. */
const partsOfDay: Readonly<Record<string, readonly [number, number]>> = {
  morning: [0, 12],
  noon: [12, 13],
  afternoon: [12, 19],
  evening: night,
  tonight: night,
  midnight: [0, 1],
};

/** An hour up to 11 as people say it, which may be in the morning or in the evening: `at 5`, `9 o'clock`. */
const spokenHour =
  /(?:\bat ?([1-9]|1[01])|(?<!\d)([1-9]|1[01])(?= ?o'?clock))(?![\d:.]| ?[ap]\.?m)/i;

/** From this hour on, a spoken one is taken for one in the morning. */
const earliestSpoken = 8;

/** Whether a text names an hour without saying which half of the day it is in. */
export function isSpokenHour(words: string): boolean {
  return spokenHour.test(words);
}

/** How chrono reads a text. */
interface Reading {
  /** Whether a year is in the text: a relative one is not. */
  readonly hasYear: boolean;
  /** From 1. */
  readonly month: number;
  readonly hour: number;
  /** Whether the hour is in the text. */
  readonly hasHour: boolean;
  /** How chrono got there. */
  readonly tags: readonly string[];
}

/** Whether a text may mean another time than what chrono reads in it. */
export function mayBeMisread(words: string, reading: Reading): boolean {
  const { hasYear, month, hour, hasHour, tags } = reading;
  // `lastfriday` is next Friday to chrono.
  if (/\b(?:this|next|last|past)[a-z]/i.test(words)) return true;
  // `in a few hours`, and thousands as many countries write them: `in 1.000 hours`.
  if (/\b(?:few|several)\b|\d\.\d{3}(?!\d)/i.test(words)) return true;
  // `an hour before tomorrow` has the time of day of now, as has `tomorrow +2h`.
  const isSpan = tags.includes('result/relativeDateAndTime');
  const fromTime = /:\d\d|\d ?[ap]\.?m|\b(?:now|noon|midnight)\b/i.test(words);
  // But `monday - 9am` says no more than `monday 9am`.
  if (/\S (?:\+|-(?! \d{1,2}(?::\d\d| ?[ap]\.?m))) ?\d/i.test(words)) return true;
  if (isSpan && !fromTime && /\b(?:before|after)\b/i.test(words)) return true;
  // Of `in 2 hours 3 hours` chrono takes the last.
  const units = words.toLowerCase().match(/(?<=\d ?)(?:mo|[smhdwqy])/g) ?? [];
  if (isSpan && new Set(units).size < units.length) return true;
  // `24 dec 18` may be an hour, and `jan 32` no day.
  if (hasYear && !/(?<!\d)\d{4}(?!\d)/.test(words)) return true;
  // `2027/13/5` is May 13 to chrono.
  const [, named] = /(?<!\d)\d{4}[/.\- ](\d{1,2})[/.\- ]\d{1,2}(?!\d)/.exec(words) ?? [];
  if (named !== undefined && Number(named) !== month) return true;
  if (!hasHour) return false;
  // `tomorrow night at 3` is in the afternoon to chrono.
  const parts = tags.flatMap((tag) => {
    const part = partsOfDay[tag.replace('casualReference/', '')];
    return part === undefined ? [] : [part];
  });
  // `last night at 3` is the morning of the day before to chrono, which has no tag for it.
  if (/\blast night\b/i.test(words)) parts.push(night);
  if (parts.some((part) => hour < part[0] || hour >= part[1])) return true;
  // `friday at 5` is five in the morning to chrono, and to few people.
  if (parts.length === 0 && hour < earliestSpoken && isSpokenHour(words)) return true;
  // A bare number: `friday 13`, and of `22.nov.2026` the 22.
  const isBare = !/:\d\d|\d ?[ap]\.?m|\bat ?\d|\d o'?clock|\d in the /i.test(words);
  return isBare && tags.includes('parser/ENTimeExpressionParser');
}
