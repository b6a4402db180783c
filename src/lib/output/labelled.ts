import { visibleLines } from '../text/visible.ts';
import { shownCell } from './cells.ts';
import type { Cell, LabelledCell } from './result.ts';
import { type PrintOptions, print } from './sink.ts';

/** Labels and values, a line each; what is empty is left out. */
export async function printLabelled(
  rows: readonly LabelledCell[],
  options: PrintOptions,
): Promise<void> {
  const { style } = options;
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, cell] of rows) {
    const text = shownCell(cell, style);
    if (text === '') continue;
    const title = style.palette.bold(label.padEnd(width));
    await print(options, isBlock(cell) ? block(title, cell) : `${title}  ${text}\n`);
  }
}

function isBlock(cell: Cell): cell is string {
  return typeof cell === 'string' && cell.trimEnd().includes('\n');
}

/** A text of several lines, set off from its title. */
function block(title: string, text: string): string {
  const lines = visibleLines(text.trimEnd()).split('\n');
  return `${title}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`;
}
