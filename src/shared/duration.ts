const units = [
  ['d', 24 * 60 * 60 * 1000],
  ['h', 60 * 60 * 1000],
  ['m', 60 * 1000],
  ['s', 1000],
  ['ms', 1],
] as const;
const pattern = new RegExp(`^${units.map(([unit]) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join('')}$`);

/**
 * Milliseconds of `30m`, `1h30m`, `2d`, `500ms` or a number of seconds, rounded up; undefined for other
 * texts.
 */
export function durationOf(text: string): number | undefined {
  const match = text === '' ? null : pattern.exec(/^[\d.]+$/.test(text) ? `${text}s` : text);
  if (match === null) return undefined;
  return Math.ceil(
    units.reduce((sum, [, size], index) => sum + Number(match[index + 1] ?? 0) * size, 0),
  );
}
