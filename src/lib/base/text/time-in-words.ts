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

/** Made on first use: it takes longer than most commands. */
let format: Intl.RelativeTimeFormat | undefined;

/** From `now` to `then` (milliseconds) in the largest whole unit: `2 hours ago`, `in 3 days`. */
export function relativeTime(then: number, now: number): string {
  const difference = then - now;
  const distance = Math.abs(difference);
  if (distance < 5 * second) return 'just now';
  const [unit, length] = units.find(([, length]) => distance >= length) ?? units[5];
  format ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return format.format(Math.trunc(difference / length), unit);
}

/** A duration in its largest whole unit: `2 hours`, `1 minute`. */
export function duration(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? units[5];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.trunc(ms / length),
  );
}

const shortUnits = [
  ['day', day],
  ['h', hour],
  ['min', minute],
  ['s', second],
] as const;

/**
 * How long to wait from `now` (milliseconds), and until when: `36 h, until 2026-01-16T22:00:00Z`.
 */
export function waitInWords(ms: number, now: number): string {
  // The last second of the last four-digit year.
  const latest = Date.UTC(10_000, 0) - 1000;
  if (now + ms > latest) return 'thousands of years';
  const until = new Date(Math.ceil((now + ms) / 1000) * 1000).toISOString();
  return `${roundedUp(ms)}, until ${until.replace('.000', '')}`;
}

/** Rounded up, in the largest unit with a value of two or more. */
function roundedUp(ms: number): string {
  const [unit, length] = shortUnits.find(([, length]) => ms >= 2 * length) ?? shortUnits[3];
  const count = Math.ceil(ms / length);
  return `${count} ${unit === 'day' ? 'days' : unit}`;
}

/**
 * How far a clock is ahead of the real time, or behind: `1 day ahead`. `ahead` is in milliseconds.
 */
export function clockInWords(ahead: number): string {
  const distance = duration(Math.abs(ahead));
  return `${distance} ${ahead < 0 ? 'behind' : 'ahead of'} the real time`;
}
