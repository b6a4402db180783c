import { tsvRow } from '../../base/text/csv.ts';
import { visible } from '../../base/text/visible.ts';
import { cellIn, plainCell } from './cells.ts';
import { dataOf } from './chosen-fields.ts';
import { valueAt } from './fields.ts';
import { printLabelled, stackedRows } from './print-labelled.ts';
import { printSingle } from './print-single.ts';
import { type PrintOptions, print, printTsv } from './print-text.ts';
import { type Column, linesOf, type RecordResult, type Section } from './result.ts';

/** Shows one thing in full: labels and values, then its sections. */
export async function printRecord(result: RecordResult, options: PrintOptions): Promise<void> {
  const { format, fields, stdout } = options;
  const { reply, sections = [] } = result;
  const columns = columnsOf(result);
  if (format !== 'table' || fields !== undefined) {
    const ofSections = sections.flatMap((one) => sectionColumns(one));
    const single = { reply, text: visible(result.quiet), columns: [...columns, ...ofSections] };
    return await printSingle(single, options);
  }
  if (stdout.isTTY === true) {
    await printLabelled(
      // Labels are only as wide as those that are shown.
      result.rows.flatMap(([, label, cell]) => (plainCell(cell) === '' ? [] : [[label, cell]])),
      options,
    );
  } else {
    for (const column of columns) {
      const data = dataOf(column, reply);
      // A field that is missing from the reply has no row.
      const isThere = data !== undefined || valueAt(reply, column.field) !== undefined;
      if (isThere) await printTsv(options, [column.field, plainCell(data)]);
    }
  }
  for (const section of sections) await printSection(section, options);
  if (result.note !== undefined) options.notes.say(...linesOf(result.note));
}

/** The rows of a record as columns. Fields that are not in the reply are computed. */
function columnsOf({ reply, rows }: RecordResult): readonly Column<unknown>[] {
  return rows.map(([field, header, cell]) => ({
    field,
    header,
    cell: () => cell,
    computed: valueAt(reply, field) === undefined,
  }));
}

/** The columns of a section as columns of the whole reply: each cell has the values of all rows. */
function sectionColumns({ field: place, columns, rows }: Section<unknown>): Column<unknown>[] {
  return columns
    .filter(({ computed }) => computed === true)
    .map((column) => ({
      ...{ field: `${place}.${column.field}`, header: '', computed: true },
      cell: () => rows.map((row) => plainCell(cellIn(column, row))),
    }));
}

async function printSection(section: Section<unknown>, options: PrintOptions): Promise<void> {
  const { stdout, style } = options;
  const { title, field: place, columns, rows } = section;
  if (stdout.isTTY !== true) {
    await print(options, `\n${tsvRow(columns.map(({ field }) => `${place}.${field}`))}`);
    for (const row of rows) {
      await print(options, tsvRow(columns.map((column) => plainCell(dataOf(column, row)))));
    }
    return;
  }
  await print(options, `\n${style.palette.bold(title)}\n`);
  if (rows.length === 0) return await print(options, `${section.empty}\n`);
  if (section.stacked === true) return await stackedRows(columns, options)(rows);
  const { createTable } = await import('./table.ts');
  const table = createTable(columns, style, stdout.columns || 80);
  await print(options, table(rows.map((row) => columns.map((column) => cellIn(column, row)))));
}
