const units = [
  ['d', 24 * 60 * 60 * 1000],
  ['h', 60 * 60 * 1000],
  ['m', 60 * 1000],
  ['s', 1000],
  ['ms', 1],
] as const;
const pattern = new RegExp(`^${units.map(([unit]) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join('')}$`);

/**
 * The milliseconds of a duration such as `30m`, `1h30m`, `2d` or `500ms`, rounded up; a bare
 * number is seconds. Undefined if `text` is not a duration.
 */
export function durationOf(text: string): number | undefined {
  const match = text === '' ? null : pattern.exec(/^[\d.]+$/.test(text) ? `${text}s` : text);
  if (match === null) return undefined;
  return Math.ceil(
    units.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0),
  );
}
