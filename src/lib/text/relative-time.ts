const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365.25 * day;

const units = [
  ['year', year],
  ['month', year / 12],
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

/** Made at its first use: that takes longer than most commands. */
let format: Intl.RelativeTimeFormat | undefined;

/**
 * How far `then` is from `now`, in the largest whole unit: `2 hours ago`, `in 3 days`. Less than
 * five seconds is `just now`. Both are milliseconds since 1970 and finite.
 */
export function relativeTime(then: number, now: number): string {
  const difference = then - now;
  const distance = Math.abs(difference);
  if (distance < 5 * second) return 'just now';
  const [unit, length] = units.find(([, length]) => distance >= length) ?? units[5];
  format ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return format.format(Math.trunc(difference / length), unit);
}

/** A length of time in its largest whole unit: `2 hours`, `1 minute`. */
export function duration(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? units[5];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.trunc(ms / length),
  );
}

/**
 * `date` as the clock on the wall shows it in `timeZone` (an IANA name): `2026-11-21 09:12`, or
 * `2026-11-21 09:12:05` with `seconds`.
 */
export function localTime(
  date: Date,
  timeZone: string,
  { seconds = false }: { seconds?: boolean } = {},
): string {
  const kind = `${seconds} ${timeZone}`;
  const format =
    formats.get(kind) ??
    // Sweden writes dates this way.
    new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: seconds ? 'medium' : 'short',
      timeZone,
    });
  formats.set(kind, format);
  return format.format(date);
}

/** By kind of time and zone: each takes tens of kilobytes. */
const formats = new Map<string, Intl.DateTimeFormat>();
