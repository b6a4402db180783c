import type { Placed } from './grid.ts';

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A line of bars for sample sizes, and a line with as many of the numbers as fit, preferring the newest. */
export function sampleLines(placed: readonly Placed[], columns: number): [string, string] {
  const sizes = new Map<number, number>();
  for (const { column, sample } of placed) {
    if (sample === undefined) sizes.delete(column);
    else sizes.set(column, sample);
  }
  const largest = Math.max(1, ...sizes.values());
  const barLine = Array<string>(columns).fill(' ');
  const numberLine = Array<string>(columns).fill(' ');
  let end = columns + 1;
  for (const [column, size] of [...sizes].toSorted(([a], [b]) => b - a)) {
    barLine[column] = bars[Math.ceil((size / largest) * bars.length) - 1] ?? '▁';
    const number = shortNumber(size);
    // Under its bar, or flush with the right end if it would not fit there.
    const start = Math.min(column, columns - number.length);
    if (start + number.length >= end) continue;
    numberLine.splice(start, number.length, ...number);
    end = start;
  }
  return [barLine.join(''), numberLine.join('')];
}

/** In full up to four digits, then shortened: `3088`, `12.3K`, `2e+300`. */
function shortNumber(value: number): string {
  if (value < 10_000) return String(Math.round(value));
  return value < 1e15 ? compact.format(value) : value.toExponential(0);
}
