const isoForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** An ISO 8601 time. */
interface IsoTime {
  /** On the wall clock, in milliseconds as if in UTC; NaN if there is no such time. */
  readonly wall: number;
  /** `Z`, `UTC`, `GMT`, or hours and perhaps minutes; undefined if there is none. */
  readonly offset: string | undefined;
  /** Whether it has an hour, not just a day. */
  readonly hasHour: boolean;
}

/** Reads ISO 8601 with at least a day; undefined for anything else. */
export function readIso(words: string): IsoTime | undefined {
  const match = isoForm.exec(words);
  if (match === null) return undefined;
  const [, day, time, seconds = '00', fraction = '', offset] = match;
  const written = `${day}T${time ?? '00:00'}:${seconds}`;
  const wall = Date.parse(`${written}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date.parse turns February 30 into March 2, and accepts hour 24.
  const isThere = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(written);
  return { wall: isThere ? wall : Number.NaN, offset, hasHour: time !== undefined };
}
