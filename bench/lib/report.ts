import type { Baseline, Figure, Section } from './bench.ts';

const header = [
  { title: '' },
  { title: 'MEDIAN', right: true },
  { title: 'RANGE' },
  { title: 'PER S', right: true },
  { title: 'BASELINE' },
  { title: 'MEDIAN', right: true },
  { title: 'RATIO', right: true },
  { title: 'AT MOST' },
];

/**
 * All figures as one table: medians, the range of all runs, and the ratio. Each bench starts with its
 * summary. A figure with several baselines has a line for each, and its name on the first.
 */
export function report(sections: readonly Section[]): string {
  const titles = header.map(({ title }) => title);
  const rows = [titles, ...sections.flatMap(({ figures }) => figures.flatMap(rowsOf))];
  const widths = titles.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) => {
    const cells = header.map(({ right }, column) => {
      const [cell = '', width = 0] = [row[column], widths[column]];
      return right ? cell.padStart(width) : cell.padEnd(width);
    });
    return `${cells.join('  ').trimEnd()}\n`;
  };
  return [
    line(titles),
    ...sections.flatMap((section) => [
      `\n${headingOf(section)}\n`,
      ...section.figures.flatMap((figure) => rowsOf(figure).map(line)),
    ]),
  ].join('');
}

/** The figures that miss their goals, one per line. */
export function missedGoals(sections: readonly Section[]): string[] {
  return sections.flatMap(({ name, figures }) =>
    figures.flatMap(({ what, measured, baselines }) =>
      baselines.flatMap((baseline) => {
        const ratio = median(measured) / median(baseline.measured);
        if (baseline.atMost === undefined || ratio <= baseline.atMost) return [];
        const most = baseline.atMost.toFixed(2);
        return [`${name}, ${what}: ${ratio.toFixed(2)} of ${baseline.name}, at most ${most}`];
      }),
    ),
  );
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

function headingOf({ name, summary, figures }: Section): string {
  const counts = figures.map(({ measured }) => measured.length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const runs = fewest === most ? `${most}` : `${fewest} to ${most}`;
  return `${name}: ${summary} (${runs} ${most === 1 ? 'run' : 'runs'})`;
}

function rowsOf(figure: Figure): string[][] {
  const { what, measured, unit, amount, baselines } = figure;
  const middle = median(measured);
  const perSecond = amount === undefined ? '' : whole((amount / middle) * 1000);
  const first = [what, shown(middle, unit), rangeOf(measured, unit), perSecond];
  return baselines.map((baseline, index) => [
    ...(index === 0 ? first : first.map(() => '')),
    ...compared(middle, unit, baseline),
  ]);
}

function compared(middle: number, unit: Figure['unit'], baseline: Baseline): string[] {
  const { name, measured, atMost } = baseline;
  const beside = median(measured);
  const ratio = middle / beside;
  const goal =
    atMost === undefined ? '' : `${atMost.toFixed(2)} ${ratio <= atMost ? 'met' : 'missed'}`;
  return [name, shown(beside, unit), ratio.toFixed(2), goal];
}

function rangeOf(measured: readonly number[], unit: Figure['unit']): string {
  const scale = scaleOf(median(measured), unit);
  const [least, most] = [Math.min(...measured), Math.max(...measured)];
  return `${scale.text(least)} to ${scale.text(most)}${scale.name}`;
}

function shown(value: number, unit: Figure['unit']): string {
  const { text, name } = scaleOf(value, unit);
  return `${text(value)}${name}`;
}

/** The format for numbers of about this size. */
function scaleOf(size: number, unit: Figure['unit']) {
  if (unit === 'requests' || unit === 'pieces') return { text: whole, name: '' };
  if (unit === 'KiB') return { text: (value: number) => whole(value / 1024), name: ' MiB' };
  if (size >= 1000) return { text: (value: number) => (value / 1000).toFixed(2), name: ' s' };
  return { text: (value: number) => value.toFixed(size < 10 ? 1 : 0), name: ' ms' };
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
