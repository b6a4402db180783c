import type { Figure } from './bench.ts';

const header = ['', 'MEDIAN', 'RANGE', 'BASELINE', 'MEDIAN', 'RATIO', 'GOAL'];

/** Figures as a table, a line each: medians, the range of all runs, and their ratio. */
export function report(figures: readonly Figure[]): string {
  const rows = [header, ...figures.map(cells)];
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** The figures that are not as good as they have to be, a line each. */
export function missedGoals(figures: readonly Figure[]): string[] {
  return figures.flatMap((figure) => {
    const { what, baseline, atMost } = figure;
    const ratio = ratioOf(figure);
    if (atMost === undefined || ratio <= atMost) return [];
    return [`${what}: ${ratio.toFixed(2)} of ${baseline.name}, at most ${atMost.toFixed(2)}`];
  });
}

function ratioOf({ measured, baseline }: Figure): number {
  return median(measured) / median(baseline.measured);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function cells(figure: Figure): string[] {
  const { what, measured, unit, baseline, atMost } = figure;
  const ratio = ratioOf(figure);
  const range = [Math.min(...measured), Math.max(...measured)];
  return [
    what,
    shown(median(measured), unit),
    range.map((value) => shown(value, unit)).join(' to '),
    baseline.name,
    shown(median(baseline.measured), unit),
    ratio.toFixed(2),
    atMost === undefined ? '' : `${atMost.toFixed(2)} ${ratio <= atMost ? 'met' : 'missed'}`,
  ];
}

function shown(value: number, unit: Figure['unit']): string {
  if (unit === 'requests') return value.toFixed(0);
  if (unit === 'KiB') return `${(value / 1024).toFixed(0)} MiB`;
  return value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(2)} s`;
}
