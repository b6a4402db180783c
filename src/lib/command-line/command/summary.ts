import { formatInstant } from '../../base/text/local-time.ts';
import { quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import { wrapped } from '../../base/text/wrap.ts';
import type { Context } from './context.ts';

/** A label of a summary, and its lines. A label without lines is left out. */
export type SummaryRow = readonly [label: string, lines: readonly string[]];

/** Most lines of a body that are shown. */
const mostLines = 5;

/** Columns of the labels. */
const indent = 13;

/** The summary above the question whether to send, as wide as the terminal. */
export function summaryAbove(rows: readonly SummaryRow[], { system }: Context): readonly string[] {
  const columns = Math.max(20, (system.stderr.columns || 80) - indent - 1);
  const lines = rows.flatMap(([label, lines]) =>
    lines
      .flatMap((line) => wrapped(visible(line), columns).split('\n'))
      .map((line, index) => `${(index === 0 ? label : '').padEnd(indent)}${line}`.trimEnd()),
  );
  return ['', ...lines, ''];
}

/** The first lines of a text, and how many more there are. */
export function beginning(content: string): readonly string[] {
  if (content.trim() === '') return [];
  const lines = content.trimEnd().split(/\r?\n/);
  const rest = lines.length - mostLines;
  if (rest <= 1) return lines;
  return [...lines.slice(0, mostLines), `… and ${quantity(rest, 'more line')}`];
}

/** No value, one or several, as lines. */
export function allOf(value: string | readonly string[] | undefined): readonly string[] {
  return [value ?? []].flat();
}

/** When an email or a campaign would be sent. */
export async function whenSent(scheduledAt: string | undefined, context: Context): Promise<string> {
  return scheduledAt === undefined
    ? 'now'
    : formatInstant(new Date(scheduledAt), await context.timeZone());
}
