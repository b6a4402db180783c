import { visible, visibleLines } from '../../base/text/visible.ts';
import { wrapped } from '../../base/text/wrap.ts';
import { cellIn, hasKind, shownCell } from './cells.ts';
import { type PrintOptions, print, printConverted } from './print-text.ts';
import type { Cell, Column, LabelledCell } from './result.ts';

/** Prints a line for each label and value. Leaves out empty values. */
export async function printLabelled(
  rows: readonly LabelledCell[],
  options: PrintOptions,
): Promise<void> {
  const { style } = options;
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, cell] of rows) {
    const title = style.palette.bold(label.padEnd(width));
    if (isBlock(cell)) {
      await print(options, `${title}\n`);
      await printBlock(cell.trimEnd(), options);
    } else if (typeof cell === 'string' && cell !== '') {
      await print(options, `${title}  `);
      await printConverted(options, cell, visible);
      await print(options, '\n');
    } else {
      const text = shownCell(cell, style);
      const shown =
        hasKind(cell) && cell.kind === 'prose'
          ? besideLabel(options.redact(text), width + 2, options)
          : text;
      if (text !== '') await print(options, `${title}  ${shown}\n`);
    }
  }
}

/** Returns a function that prints rows, each as lines of header and value, with an empty line between them. */
export function stackedRows(columns: readonly Column<unknown>[], options: PrintOptions) {
  let separator = '';
  return async (rows: readonly unknown[]): Promise<void> => {
    for (const row of rows) {
      await print(options, separator);
      const lines = columns.map((column) => [column.header, cellIn(column, row)] as const);
      await printLabelled(lines, options);
      separator = '\n';
    }
  };
}

function besideLabel(text: string, indent: number, { stdout }: PrintOptions): string {
  const lines = wrapped(text, (stdout.columns || 80) - indent);
  return lines.replaceAll('\n', `\n${' '.repeat(indent)}`);
}

function isBlock(cell: Cell): cell is string {
  return typeof cell === 'string' && cell.trimEnd().includes('\n');
}

/** Characters that are converted at once, in whole lines. */
const together = 64 * 1024;

/** Prints a text of several lines, indented below its label. */
async function printBlock(text: string, options: PrintOptions): Promise<void> {
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + together);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const lines = visibleLines(text.slice(start, end)).replace(/\n$/, '').split('\n');
    await print(options, `${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`);
    start = end;
  }
}
