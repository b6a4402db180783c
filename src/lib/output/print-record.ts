import { tsvRow } from '../text/csv.ts';
import { visible } from '../text/visible.ts';
import { plainCell } from './cells.ts';
import { printLabelled } from './labelled.ts';
import { printSingle } from './print-single.ts';
import { linesOf, type RecordResult, type Section } from './result.ts';
import { type PrintOptions, print, printTsv } from './sink.ts';

/** Shows one thing in full: labels and values, then its sections. */
export async function printRecord(result: RecordResult, options: PrintOptions): Promise<void> {
  const { format, fields, stdout } = options;
  if (format === 'quiet') return await print(options, `${visible(result.quiet)}\n`);
  if (format !== 'table' || fields !== undefined) {
    const cells = new Map(result.rows.map(([field, , cell]) => [field, cell]));
    return await printSingle(result.reply, '', options, cells);
  }
  if (stdout.isTTY === true) {
    await printLabelled(
      result.rows.map(([, label, cell]) => [label, cell]),
      options,
    );
  } else {
    for (const [field, , cell] of result.rows) {
      await printTsv(options, [field, plainCell(cell)]);
    }
  }
  for (const section of result.sections ?? []) await printSection(section, options);
  if (result.note !== undefined) options.notes.say(...linesOf(result.note));
}

async function printSection(section: Section, options: PrintOptions): Promise<void> {
  const { stdout, style } = options;
  if (stdout.isTTY !== true) {
    await print(options, `\n${tsvRow(section.columns.map(({ header }) => header))}`);
    for (const row of section.rows) await print(options, tsvRow(row.map(plainCell)));
    return;
  }
  await print(options, `\n${style.palette.bold(section.title)}\n`);
  if (section.rows.length === 0) return await print(options, `${section.empty}\n`);
  if (section.stacked === true) {
    for (const [index, row] of section.rows.entries()) {
      if (index > 0) await print(options, '\n');
      await printLabelled(
        section.columns.map(({ header }, column) => [header, row[column]]),
        options,
      );
    }
    return;
  }
  const { createTable } = await import('./table.ts');
  const table = createTable(section.columns, style, stdout.columns || 80);
  await print(options, table.render(section.rows));
}
