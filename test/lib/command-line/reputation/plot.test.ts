import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { ReputationEvent } from '../../../../src/api/reputation.ts';
import { createPalette, plainPalette } from '../../../../src/lib/command-line/output/palette.ts';
import { plotEvents } from '../../../../src/lib/command-line/reputation/plot.ts';

const now = Date.parse('2026-01-15T10:00:00Z');
const day = 24 * 60 * 60 * 1000;

function event(daysAgo: number, more: Partial<ReputationEvent> = {}): ReputationEvent {
  return {
    id: 'rep',
    fromState: 'HEALTHY',
    toState: 'WARNING',
    bounceRate: 5,
    sampleSize: 1000,
    actor: 'system',
    reason: null,
    createdAt: new Date(now - daysAgo * day).toISOString(),
    ...more,
  };
}

const coloured = await createPalette(true);

interface Look {
  readonly width?: number;
  readonly color?: boolean;
  readonly timeZone?: string;
}

function plot(
  events: readonly ReputationEvent[],
  { width = 48, color = false, timeZone = 'UTC' }: Look = {},
): string[] {
  return plotEvents(events, { now, timeZone, palette: color ? coloured : plainPalette }, width);
}

/** The rows from the top of the scale to the axis, without the scale. */
function grid(events: readonly ReputationEvent[], look?: Look): string[] {
  return plot(events, look)
    .slice(1, 10)
    .map((line) => line.replace(/^.*?[┤│└]/, ''));
}

test('marks at their time and rate, with stems, dates, sample sizes and a legend', () => {
  const events = [
    event(10, { toState: 'HEALTHY', bounceRate: 1, sampleSize: 3000 }),
    event(20, { toState: 'BLOCKED', bounceRate: 10, sampleSize: 1500 }),
    event(40, { toState: 'WARNING', bounceRate: 5, sampleSize: 1 }),
  ];
  expect(plot(events)).toEqual([
    'Bounce rate at each change',
    '   10% ┤                    B',
    '       │                    │',
    '       │                    │',
    '       │                    │',
    '    5% ┤W                   │',
    '       ││                   │',
    '       ││                   │',
    '       ││                   │        H',
    '    0% └╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌█████████───────────',
    '        2025-12-06     2025-12-26            now',
    'sample  ▁                   ▄        █',
    '        1                   1500     3000',
    'W WARNING ╌  B BLOCKED █  H HEALTHY',
  ]);
});

test('the same whatever the order of the events', () => {
  const events = [event(1), event(9, { toState: 'BLOCKED', bounceRate: 9 }), event(30)];
  const [first, second, third] = events;
  if (!first || !second || !third) throw new Error('three');
  expect(plot([second, third, first])).toEqual(plot(events));
  expect(plot([third, second, first])).toEqual(plot(events));
});

test('no events or no room: no plot', () => {
  expect(plot([])).toEqual([]);
  expect(plot([event(1)], { width: 31 })).toEqual([]);
  expect(plot([event(1)], { width: 32 })).not.toEqual([]);
});

describe('one event', () => {
  test('stands at the left, and its state lasts until now', () => {
    expect(plot([event(3)], { width: 40 })).toEqual([
      'Bounce rate at each change',
      '    5% ┤W',
      '       ││',
      '       ││',
      '       ││',
      '  2.5% ┤│',
      '       ││',
      '       ││',
      '       ││',
      '    0% └╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌',
      '        2026-01-12                   now',
      'sample  █',
      '        1000',
      'W WARNING ╌',
    ]);
  });

  test.each([0, -3])('%j days ago', (daysAgo) => {
    const lines = plot([event(daysAgo)]);
    expect(lines[1]).toBe('    5% ┤W');
    expect(lines[10]).toBe(`        2026-01-${15 - daysAgo} 10:00`);
  });
});

describe('rates', () => {
  test.each([
    [[0], '1%', '0.5%'],
    [[0.004], '1%', '0.5%'],
    [[1.001], '2%', '1%'],
    [[5, 5.214], '6%', '3%'],
    [[10.125], '12%', '6%'],
    [[100], '100%', '50%'],
  ])('%j: a scale up to %s', (rates, top, half) => {
    const lines = plot(rates.map((bounceRate, index) => event(index, { bounceRate })));
    expect([lines[1], lines[5], lines[9]].map((line) => line?.trim().split(' ')[0])).toEqual([
      top,
      half,
      '0%',
    ]);
  });

  test('of 0 stand on the axis, of 100 at the top', () => {
    const rows = grid([event(0, { bounceRate: 0 }), event(30, { bounceRate: 100 })]);
    expect(rows[0]).toBe('W');
    expect(rows[8]).toMatch(/^╌+W$/);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 100.001, 1e308, null, undefined])(
    '%j is invalid: left out of the scale, and reported',
    (bounceRate) => {
      const lines = plot([event(0, { toState: 'BLOCKED', bounceRate }), event(30)]);
      expect(lines[1]).toBe('    5% ┤W');
      expect(lines.slice(0, 10).join('')).not.toContain('B─');
      expect(lines.at(-1)).toBe('Not drawn: 1 (no time or rate)');
      expect(plot([event(0, { bounceRate })])).toEqual([]);
    },
  );
});

describe('times', () => {
  test('that cannot be read are left out, and reported', () => {
    const lines = plot([event(0, { createdAt: 'soon' }), event(30), event(31)]);
    expect(lines.at(-1)).toBe('Not drawn: 1 (no time or rate)');
    expect(plot([event(0, { createdAt: '' })])).toEqual([]);
  });

  test('that are equal share a column', () => {
    const equal = [event(9, { toState: 'HEALTHY', bounceRate: 1, sampleSize: 7 }), event(9)];
    const lines = plot(equal);
    expect(lines[1]).toBe('    5% ┤W');
    expect(lines[7]).toBe('       │H');
    // The first event in the reply is the newest.
    expect(lines[12]).toBe('        7');
    expect(plot(equal, { color: true })[9]).toContain('\x1b[32m─\x1b[39m\x1b[32m─');
  });

  test('of old events do not leave room for all the time since', () => {
    const lines = plot([event(400), event(402)]);
    expect(lines[10]).toBe('        2024-12-09     2024-12-10     2024-12-11');
    expect(lines[1]).toBe(`    5% ┤W${' '.repeat(38)}W`);
  });

  test('of one day are shown with the hour, in the time zone in use', () => {
    const events = [event(0.1), event(0.5)];
    const look = { width: 60, timeZone: 'Asia/Tokyo' };
    expect(plot(events, look)[10]).toBe(`        2026-01-15 07:00${' '.repeat(33)}now`);
  });

  test('at the limits of dates', () => {
    const extremes = [
      event(0, { createdAt: '+275760-09-13T00:00:00Z' }),
      event(0, { createdAt: '-271821-04-20T00:00:00Z' }),
    ];
    for (const line of plot(extremes)) expect(line.length).toBeLessThanOrEqual(48);
    expect(plot(extremes)[1]).toBe(`    5% ┤W${' '.repeat(38)}W`);
  });
});

describe('sample sizes', () => {
  const numbers = (...sizes: readonly (number | null | undefined)[]) =>
    plot(sizes.map((sampleSize, index) => event(40 - index * 10, { sampleSize }))).slice(11, 13);

  test.each([
    [[0, 8, 16], 'sample  ▁         ▄         █', '        0         8         16'],
    [[9999, 10_000, 12_345], 'sample  ▇         ▇         █', '        9999      10K       12.3K'],
    [[1e9, 1e300, 2.4], 'sample  ▁         █         ▁', '        1B        1e+300    2'],
    [[null, 5, -1], 'sample            █', '                  5'],
    [[Number.NaN, undefined, 1], 'sample                      █', '                            1'],
    [[null], 'sample', ''],
  ])('%j', (sizes, bars, line) => {
    expect(numbers(...sizes)).toEqual([bars, line]);
  });

  test('that are too close together: the newest are shown', () => {
    const events = [event(0, { sampleSize: 12 }), event(2, { sampleSize: 345 }), event(40)];
    expect(plot(events)[12]).toBe(`        1000${' '.repeat(34)}12`);
  });

  test('that would touch are not both shown', () => {
    // 39 days in 40 columns, so one column per day.
    const at = (daysAgo: number) =>
      plot([event(0), event(daysAgo, { sampleSize: 22 }), event(39)])[12]?.includes('22');
    expect([at(5), at(6), at(7)]).toEqual([false, true, true]);
  });

  test("in one column: only the newest event's, even if it has none", () => {
    const events = [event(0), event(20, { sampleSize: null }), event(20), event(39)];
    expect(plot(events)[11]).toBe(`sample  █${' '.repeat(38)}█`);
  });
});

describe('states', () => {
  const named = (...states: readonly string[]) =>
    plot(
      states.map((toState, index) => event(states.length - index, { toState, bounceRate: index })),
      { width: 80 },
    );

  test('that are unknown get their own letter', () => {
    const lines = named('BANNED', 'BLOCKED', 'frozen', 'FROZEN', 'HHH', '凍結');
    expect(lines.slice(13)).toEqual(['A BANNED  B BLOCKED █  F frozen  R FROZEN  1 HHH  2 凍結']);
    expect(
      lines
        .slice(0, 10)
        .join('')
        .replace(/[^A-Z0-9]/g, ''),
    ).toContain('2');
  });

  test('in the same place are shown as several', () => {
    const overlap = plot([event(5), event(5, { toState: 'BLOCKED' }), event(9)]);
    expect(overlap.join('\n')).toMatch(/┤W +\*\n/);
    expect(overlap.at(-1)).toBe('W WARNING ╌  B BLOCKED █  * several states');
    const same = plot([event(5), event(5), event(9)]);
    expect(same.at(-1)).toBe('W WARNING ╌');
  });

  test('share a sign if there are too many', () => {
    const many = Array.from({ length: 60 }, (_, index) => `Ü${'ä'.repeat(index)}`);
    const lines = named(...many, 'HEALTHY');
    expect(lines.at(-1)).toBe('H HEALTHY  ? other states');
    expect(lines.slice(0, 10).join('')).toContain('?');
  });

  test('cannot control the terminal, and are cut', () => {
    const lines = named('\x1b[2J\u202e\n', `${'宽'.repeat(30)}`, 'X'.repeat(21), 'Y'.repeat(20));
    expect(lines.slice(13)).toEqual([
      `J \\x1b[2J\\u{202e}\\n  1 ${'宽'.repeat(9)}…  X ${'X'.repeat(19)}…`,
      `Y ${'Y'.repeat(20)}`,
    ]);
  });

  test('colour their marks, the axis and the legend', () => {
    const events = [
      event(10, { toState: 'HEALTHY', bounceRate: 0 }),
      event(20, { toState: 'BLOCKED' }),
      event(30, { toState: 'FROZEN' }),
    ];
    const lines = plot(events, { color: true }).map(readable);
    expect(lines[1]).toBe('    5% ┤F            <red>B</>');
    expect(lines[9]?.replace(/(─|<red>█<\/>|<green>─<\/>)\1+/g, '$1')).toBe(
      '    0% └─<red>█</><green>H</><green>─</>',
    );
    expect(lines.at(-1)).toBe('F FROZEN  <red>B BLOCKED █</>  <green>H HEALTHY</>');
  });

  test('have different axes, to be distinguishable without colour', () => {
    const events = ['HEALTHY', 'WARNING', 'CRITICAL', 'BLOCKED', 'SUPERVISED'].map(
      (toState, index) => event(50 - 10 * index, { toState }),
    );
    expect(plot(events)[9]).toMatch(/^ +0% └─+╌+━+█+╌+$/);
    expect(plot(events, { width: 80 }).at(-1)).toBe(
      'H HEALTHY  W WARNING ╌  C CRITICAL ━  B BLOCKED █  S SUPERVISED ╌',
    );
  });

  test('without a rate still colour the axis', () => {
    const events = [event(10, { toState: 'BLOCKED', bounceRate: null }), event(30)];
    const axis = readable(plot(events, { color: true })[9] ?? '');
    expect(axis).toMatch(/<magenta>╌<\/><red>█<\/>.*<red>█<\/>$/);
  });
});

/** Colours as words. */
function readable(line: string): string {
  return line
    .replaceAll('\x1b[31m', '<red>')
    .replaceAll('\x1b[32m', '<green>')
    .replaceAll('\x1b[1m\x1b[35m', '<magenta>')
    .replaceAll('\x1b[39m\x1b[22m', '</>')
    .replaceAll('\x1b[39m', '</>');
}

describe.each([32, 40, 80, 120, 300])('%d columns', (width) => {
  test.each([1, 2, 8, 50, 200])('%d events fit, up to 100 columns', (count) => {
    const states = [
      'HEALTHY',
      'WARNING',
      'CRITICAL',
      'BLOCKED',
      'SUPERVISED',
      'A rather long word',
    ];
    const events = Array.from({ length: count }, (_, index) =>
      event(index * 1.7 + (index % 5) / 3, {
        toState: states[(index * 7) % states.length] ?? '',
        bounceRate: (index * 37) % 11,
        sampleSize: 10 ** (index % 6),
      }),
    ).concat(Array.from({ length: count }, () => event(0, { bounceRate: null })));
    const lines = plot(events, { width });
    expect(lines.length).toBeGreaterThan(13);
    const widest = Math.max(...lines.map((line) => stringWidth(line)));
    expect(widest).toBeLessThanOrEqual(Math.min(width, 100));
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    // Only what terminals' fonts have: ASCII, box drawing, blocks, the ellipsis.
    expect(lines.join('')).toMatch(/^[\x20-\x7e\u2500-\u259f…]+$/);
  });
});

test('many events have no stems', () => {
  const spread = (count: number) =>
    plot(Array.from({ length: count }, (_, index) => event(index))).slice(2, 9);
  expect(spread(13).join('')).toContain('││');
  expect(
    spread(14)
      .join('')
      .replace(/^ {7}│/gm, ''),
  ).not.toContain('││');
});
