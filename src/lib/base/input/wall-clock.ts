import { localTime } from '../text/local-time.ts';

export const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** How close two sendings are that are no daily ones: a day, less what a daily job may be early. In milliseconds. */
export const lessThanDaily = millisecondsPerDay - 10 * 60_000;
/** Two days before the first five-digit year, for any zone. */
export const endOfTime = Date.UTC(9999, 11, 30);

/** A time on a zone's wall clock. All times are milliseconds since 1970. */
export interface LocalTime {
  /** The instant; NaN if out of range. */
  readonly instant: number;
  /** How often clocks show it. */
  readonly shown: 'once' | 'twice' | 'never';
  /**
   * The other meaning. For a time that comes twice, `instant` is the first and this the second. For
   * a skipped time, `instant` uses the offset before the change and this the one after.
   */
  readonly other: number;
}

/** What the wall clock in `timeZone` shows at `instant`, as if in UTC. */
export function wallClock(instant: number, timeZone: string): number {
  return instant + zoneOffset(instant, timeZone);
}

/** The start of the day of `instant` on the wall clock in `timeZone`, as if in UTC. */
export function dayOf(instant: number, timeZone: string): number {
  return Math.floor(wallClock(instant, timeZone) / millisecondsPerDay) * millisecondsPerDay;
}

/** When the wall clock in `timeZone` shows `wall`, which is given as if in UTC. */
export function localTimeAt(wall: number, timeZone: string): LocalTime {
  if (!(wall >= 0 && wall < endOfTime)) {
    return { instant: Number.NaN, shown: 'once', other: Number.NaN };
  }
  const [before, after] = [-millisecondsPerDay, millisecondsPerDay].map(
    (distance) => wall - zoneOffset(wall + distance, timeZone),
  ) as [number, number]; // one for each distance
  const [first, second] = [before, after].map((instant) => wallClock(instant, timeZone) === wall);
  if (first === second && before !== after) {
    return { instant: before, shown: first ? 'twice' : 'never', other: after };
  }
  const instant = second ? after : before;
  return { instant, shown: 'once', other: instant };
}

/** ISO 8601 with the zone's offset: `2026-11-22T09:00+01:00`, with seconds unless they are 0. */
export function isoWithOffset(instant: number, timeZone: string): string {
  const minutes = Math.round(zoneOffset(instant, timeZone) / 60_000);
  const wall = new Date(wallClock(instant, timeZone)).toISOString().slice(0, 19);
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${wall.replace(/:00$/, '')}${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
}

/** How many milliseconds `timeZone` is ahead of UTC at `instant`. */
function zoneOffset(instant: number, timeZone: string): number {
  const wall = localTime(new Date(instant), timeZone, { seconds: true });
  return Date.parse(`${wall.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
