const isoForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A time in ISO 8601. */
interface IsoTime {
  /** On the wall clock, in milliseconds as if that were UTC; NaN when there is no such time. */
  readonly wall: number;
  /** `Z`, `UTC`, `GMT`, or hours and perhaps minutes; undefined where it names none. */
  readonly offset: string | undefined;
  /** Whether it names an hour, and not only a day. */
  readonly hasHour: boolean;
}

/** `words` as ISO 8601, with a day at least; undefined where they are not. */
export function readIso(words: string): IsoTime | undefined {
  const match = isoForm.exec(words);
  if (match === null) return undefined;
  const [, day, time, seconds = '00', fraction = '', offset] = match;
  const written = `${day}T${time ?? '00:00'}:${seconds}`;
  const wall = Date.parse(`${written}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // Date.parse makes March 2 of February 30, and knows an hour 24.
  const isThere = !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(written);
  return { wall: isThere ? wall : Number.NaN, offset, hasHour: time !== undefined };
}
