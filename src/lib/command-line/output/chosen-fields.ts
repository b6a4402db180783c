import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/text/nearest.ts';
import { cellIn, cellOf, hasKind, plainCell } from './cells.ts';
import { hasValueAt, isObject, valueAt } from './fields.ts';
import type { KnownFields } from './known-fields.ts';
import type { PrintOptions } from './print-text.ts';
import type { Cell, Column } from './result.ts';

/** A field that `--fields` asks for. */
export interface ChosenField<Row = unknown> {
  /** Its name as given: its name in all output. */
  readonly name: string;
  /** Its value in a row, as JSON; undefined if there is none. */
  readonly valueIn: (row: Row) => unknown;
  /** Whether it is a column's. Computed columns are in no response. */
  readonly isColumn: boolean;
  readonly column: Column<Row>;
}

/** What gives the names of `--fields` their meaning. */
interface Vocabulary<Row> {
  readonly columns: readonly Column<Row>[];
  readonly known: KnownFields | undefined;
}

/**
 * The fields of these names. A name is the path of a value in the response, or the title of a
 * column: `status` for `latestStatus`. The path wins if it is both.
 */
export function chooseFields<Row>(
  names: readonly string[],
  { columns, known }: Vocabulary<Row>,
): ChosenField<Row>[] {
  return names.map((name) => {
    const titled = known?.has(name) ? undefined : columns.find((one) => titleOf(one) === name);
    const column = columns.find(({ field }) => field === name) ?? titled;
    const path = column?.field ?? name;
    const valueIn = (row: Row) =>
      column?.computed === true ? jsonOf(cellIn(column, row)) : valueAt(row, path);
    return {
      name,
      valueIn,
      isColumn: column !== undefined,
      column: {
        field: name,
        header: name,
        flexible: true,
        computed: true,
        // On a terminal, times are relative and statuses coloured; everything else is as in the response.
        cell: (row) => {
          const cell = column && cellIn(column, row);
          return hasKind(cell) ? cell : cellOf(valueIn(row));
        },
      },
    };
  });
}

/** The name from a column's title: `baseUrl` for `Base URL`; none if its cells are words. */
export function titleOf({ header, inWords }: Pick<Column<unknown>, 'header' | 'inWords'>) {
  if (inWords === true) return undefined;
  const [first = '', ...others] = header.toLowerCase().split(/[ -]/);
  return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** A column's data in a row: the value in the response, or the cell of a computed column. */
export function dataOf(column: Column<unknown>, row: unknown): Cell {
  return column.computed === true ? cellIn(column, row) : cellOf(valueAt(row, column.field));
}

/** What is known about a result besides its contract. */
interface About {
  readonly columns: readonly Column<unknown>[];
  readonly afterWriting?: boolean | undefined;
}

/**
 * Throws a `UsageError` for names that are not in the contract, the columns or any of these rows, before
 * anything is shown. After writing, only warns.
 */
export function checkFields(
  chosen: readonly ChosenField[],
  rows: readonly unknown[],
  { columns, afterWriting }: About,
  { known, notes }: PrintOptions,
): void {
  const unknown = chosen.filter(
    ({ name, isColumn }) =>
      !isColumn && known?.has(name) !== true && !rows.some((row) => hasValueAt(row, name)),
  );
  // Without a contract and without rows, nothing shows that a name is wrong.
  if (unknown.length === 0 || (known === undefined && rows.length === 0)) return;
  const own = rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []));
  const error = unknownFieldsError(
    unknown.map(({ name }) => name),
    [...(known?.names ?? []), ...columns.map(({ field }) => field), ...own],
    columns.flatMap((one) => titleOf(one) ?? []),
  );
  if (afterWriting !== true) throw error;
  notes.warn(`${error.message}.`, ...[error.details.hint ?? []].flat());
}

/**
 * The error for names of `--fields` that are not in this list; `titles` are other names for some.
 */
export function unknownFieldsError(
  unknown: readonly string[],
  names: readonly string[],
  titles: readonly string[],
): UsageError {
  const known = [...new Set(names)];
  const [first = ''] = unknown;
  const meant = nearest(first, [...known, ...titles]);
  const suggestion = meant === undefined ? [] : [`Did you mean ${meant}?`];
  return new UsageError(`--fields: there is no field ${unknown.join(', ')}`, {
    hint: [...suggestion, `Fields: ${known.join(', ')}`].join(' '),
  });
}

function jsonOf(cell: Cell): unknown {
  return hasKind(cell) ? plainCell(cell) : cell;
}
