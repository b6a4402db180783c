const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The longest time that a request may be made to wait, in milliseconds. */
const longest = 3_600_000;

/**
 * Milliseconds of a time such as `200ms`, `1.5s` or `2m`, at least one and at most an hour;
 * undefined when it is none.
 */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)$/i.exec(text) ?? [];
  const milliseconds = Math.round(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN));
  return milliseconds >= 1 && milliseconds <= longest ? milliseconds : undefined;
}
