const units = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/**
 * A time to wait from `now` on, both in milliseconds, and when it is over:
 * `36 h, until 2026-01-16T22:00:00Z`.
 */
export function waitInWords(ms: number, now: number): string {
  // The last second that has a name with four digits for the year.
  const latest = Date.UTC(10_000, 0) - 1000;
  if (now + ms > latest) return 'thousands of years';
  const until = new Date(Math.ceil((now + ms) / 1000) * 1000).toISOString();
  return `${inWords(ms)}, until ${until.replace('.000', '')}`;
}

/** In the largest unit of which there are two or more, rounded up. */
function inWords(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= 2 * length) ?? units[3];
  const count = Math.ceil(ms / length);
  return `${count} ${unit === 'day' ? 'days' : unit}`;
}
