import { millisecondsPerDay } from './wall-clock.ts';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const sunday = days.length - 1;
const day = '(?:on )?(?:the )?(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:day)?';
const week = '(this|last|past|next) week';
const dayOfWeek = new RegExp(
  `\\b${day},? (?:(?:of|in) )?${week}\\b|\\b${week}(?:'s)?,? ${day}\\b`,
  'i',
);
const distances: Readonly<Record<string, number>> = { this: 0, next: 1, last: -1, past: -1 };

/**
 * A text with the date in place of `monday last week` or `this week`, which chrono misreads. Weeks begin on Monday.
 * Undefined if it is another date for people whose weeks begin on Sunday.
 */
export function withDatesOfWeeks(words: string, reference: number): string | undefined {
  // 1970 began on a Thursday.
  const today = (Math.floor(reference / millisecondsPerDay) + 3) % 7;
  const dateOf = (index: number, weeks: number) => {
    const date = reference + (index - today + 7 * weeks) * millisecondsPerDay;
    return new Date(date).toISOString().slice(0, 10);
  };
  const found = dayOfWeek.exec(words);
  if (found === null) return words.replace(/\bthis week\b/i, dateOf(0, 0));
  const [all, one, before, after, other] = found;
  const index = days.indexOf((one ?? other ?? '').toLowerCase());
  if ((index === sunday) !== (today === sunday)) return undefined;
  return words.replace(all, dateOf(index, distances[(before ?? after ?? '').toLowerCase()] ?? 0));
}
