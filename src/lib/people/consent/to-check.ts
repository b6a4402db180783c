import { grouped, quantity } from '../../base/text/quantity.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { shortened } from '../../base/text/shortened.ts';
import { isDenial } from './cell.ts';
import { type FileColumn, mostCodes } from './column.ts';
import { isPlainData } from './column-name.ts';

/** A column that decides nothing, and whose values look as if they might. */
export interface ColumnToCheck {
  readonly name: string;
  /** Rows that have a value, of all rows. */
  readonly filled: number;
  readonly rows: number;
  /** Its values with how often, of notes those that seem to say no; undefined if they are dates or other notes. */
  readonly values?: readonly { readonly value: string; readonly rows: number }[];
  readonly holds?: 'dates' | 'notes';
}

/** Columns that are shown; who sees too much reads nothing. */
const mostShown = 6;
/** Characters of a name, and of a value, that are shown. */
const longestName = 100;
const longestNamed = 40;

/**
 * Of columns that decide nothing, those that would stop if no other decided, and those whose values nobody foresaw:
 * answers such as yes and no in any language, codes such as C and U, and dates or notes that only some people have.
 */
export function columnsToCheck(
  columns: readonly FileColumn[],
  rows: number,
  wouldStop: (column: FileColumn) => boolean,
): ColumnToCheck[] {
  const suspicious = columns.filter(
    (column) =>
      column.filled > 0 &&
      (wouldStop(column) ||
        hasRefusals(column) ||
        !(
          ['name', 'other channel'].includes(column.kind) ||
          isPlainData(column.name, hasAnswers(column, rows))
        )),
  );
  const sorts = [wouldStop, hasRefusals, hasAnswers, hasDates, hasCodes, hasNotes];
  return sorts
    .flatMap((isOfSort) => suspicious.filter((column) => isOfSort(column, rows)))
    .filter((column, index, all) => all.indexOf(column) === index)
    .map((column) => shown(column, rows));
}

/** What a column about phone calls says of those alone is no note about a person. */
function hasRefusals({ kind, refusals }: FileColumn): boolean {
  const isNote = (text: string) => kind !== 'other channel' || !isDenial(text);
  return [...refusals.keys()].some(isNote);
}

/** A value that everybody has tells nobody apart. */
function hasAnswers({ shape, values, filled }: FileColumn, rows: number): boolean {
  return (
    shape.answers && values.size <= mostCodes && (values.size > 1 || filled < rows || rows === 1)
  );
}

function hasCodes({ shape, values, filled }: FileColumn): boolean {
  return shape.codes && !shape.answers && values.size <= mostCodes && filled >= 2 * values.size;
}

function hasDates({ shape, filled }: FileColumn, rows: number): boolean {
  return shape.dates && !shape.answers && filled < rows;
}

function hasNotes({ shape, filled }: FileColumn, rows: number): boolean {
  return shape.notes && filled <= rows / 2;
}

function shown(column: FileColumn, rows: number): ColumnToCheck {
  const { name, shape, filled } = column;
  if (hasRefusals(column)) {
    return { name, filled, rows, holds: 'notes', values: counted(column.refusals) };
  }
  if (shape.dates) return { name, filled, rows, holds: 'dates' };
  if (shape.notes) return { name, filled, rows, holds: 'notes' };
  return { name, filled, rows, values: counted(column.values) };
}

function counted(texts: FileColumn['values']) {
  return [...texts]
    .map(([value, rows]) => ({ value: shortened(value, longestNamed), rows }))
    .sort((a, b) => b.rows - a.rows);
}

/** What to look at before anything is sent, in lines; none if there is nothing. */
export function toCheckInWords(columns: readonly ColumnToCheck[]): readonly string[] {
  if (columns.length === 0) return [];
  const lines = columns.slice(0, mostShown).map(({ name, filled, rows, values, holds }) => {
    const named = values?.map(
      ({ value, rows: count }) => `${JSON.stringify(value)} (${grouped(count)})`,
    );
    const what =
      named === undefined
        ? holds
        : `${holds === 'notes' ? 'notes such as ' : ''}${withOverflowCount(named.slice(0, mostCodes), named.length).join(', ')}`;
    return `  ${JSON.stringify(shortened(name, longestName))}: ${what}, in ${grouped(filled)} of ${quantity(rows, 'row')}`;
  });
  const check =
    columns.length === 1
      ? 'This column is not used to decide who wants email. Check that it should not be:'
      : 'These columns are not used to decide who wants email. Check that none of them should be:';
  return [
    check,
    ...withOverflowCount(lines, columns.length).map((line, index) =>
      index < lines.length ? line : `  ${line}`,
    ),
  ];
}
