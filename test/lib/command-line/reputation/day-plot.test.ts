import { expect, test } from 'vitest';
import { plainPalette } from '../../../../src/lib/command-line/output/palette.ts';
import { type DayValue, plotDays } from '../../../../src/lib/command-line/reputation/day-plot.ts';

const style = { palette: plainPalette, now: 0, timeZone: 'UTC' };

function plot(days: readonly DayValue[], width = 80, unit = '') {
  return plotDays(days, { title: 'Title', unit }, style, width);
}

function days(...values: readonly DayValue['value'][]): DayValue[] {
  return values.map((value, index) => ({ date: `day ${index + 1}`, value }));
}

test('a bar for each day, to the eighth of a row', () => {
  expect(plot(days(8, 4, 0.01, 0, null), 80, '%')).toEqual([
    'Title',
    '8% ┤█████',
    '   │█████',
    '   │█████',
    '4% ┤█████ █████',
    '   │█████ █████',
    '   │█████ █████ ▁▁▁▁▁',
    '0% └──────────────────────────────',
    '    day 1                    day 5',
  ]);
});

test('of more days than there are columns, the newest are shown', () => {
  const lines = plot(days(...Array.from({ length: 200 }, () => 5)), 80);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines.at(-1)).toMatch(/^ +day 124 +day 200$/);
});

test.each([
  ['no days', plot([])],
  ['nothing but zeros', plot(days(0, 0))],
  ['values that are none', plot(days(-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, undefined))],
  ['no room', plot(days(1, 2), 26)],
])('%s: no plot', (_, lines) => {
  expect(lines).toEqual([]);
});

test('one day has one date below it', () => {
  expect(plot(days(3)).at(-1)?.trim()).toBe('day 1');
});

test('dates are made visible, and cut', () => {
  const lines = plot([
    { date: '\x1b[31mred', value: 1 },
    { date: 'x'.repeat(50), value: 2 },
    ...days(1, 1, 1),
  ]);
  expect(lines.join('\n')).not.toContain('\x1b');
});
