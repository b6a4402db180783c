import { UsageError } from '../errors.ts';
import { nearest } from '../text/nearest.ts';
import { cellOf, plainCell } from './cells.ts';
import { hasValueAt, isObject, valueAt } from './fields.ts';
import type { KnownFields } from './known-fields.ts';
import type { Cell, Column } from './result.ts';

/** A field that `--fields` asks for. */
export interface ChosenField<Row = unknown> {
  /** As it was asked for: its name in all output. */
  readonly name: string;
  /** Its value in a row, as JSON; undefined where there is none. */
  readonly valueIn: (row: Row) => unknown;
  /** Whether it is a column's: those of columns that are computed are in no response. */
  readonly isColumn: boolean;
  readonly column: Column<Row>;
}

/** What decides what a name of `--fields` means. */
interface Vocabulary<Row> {
  readonly columns: readonly Column<Row>[];
  readonly known: KnownFields | undefined;
}

/**
 * The fields of these names. A name is the path of a value in the response, or the title of a column:
 * `status` of `latestStatus`. Where it is both, it is the path.
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
      column?.computed === true ? jsonOf(column.cell(row)) : valueAt(row, path);
    return {
      name,
      valueIn,
      isColumn: column !== undefined,
      column: {
        field: name,
        header: name,
        flexible: true,
        computed: true,
        cell: (row) => shownCellOf(column?.cell(row)) ?? cellOf(valueIn(row)),
      },
    };
  });
}

/** The name that a column's title gives it: `baseUrl` of `Base URL`; none where its cells are words. */
export function titleOf({ header, inWords }: Pick<Column<unknown>, 'header' | 'inWords'>) {
  if (inWords === true) return undefined;
  const [first = '', ...others] = header.toLowerCase().split(/[ -]/);
  return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** The data of a column in a row: what the response has there, else the cell. */
export function dataOf({ field, computed, cell }: Column<unknown>, row: unknown): Cell {
  return computed === true ? cell(row) : cellOf(valueAt(row, field));
}

/**
 * The error for names that neither the contract, nor a column, nor any of these rows has; undefined
 * when there are none.
 */
export function unknownFields(
  chosen: readonly ChosenField[],
  rows: readonly unknown[],
  { columns, known }: Vocabulary<unknown>,
): UsageError | undefined {
  const unknown = chosen.filter(
    ({ name, isColumn }) =>
      !isColumn && known?.has(name) !== true && !rows.some((row) => hasValueAt(row, name)),
  );
  // Without a contract and rows, all that is known is that there are none.
  if (unknown.length === 0 || (known === undefined && rows.length === 0)) return undefined;
  const own = rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []));
  return unknownFieldsError(
    unknown.map(({ name }) => name),
    [...(known?.names ?? []), ...columns.map(({ field }) => field), ...own],
    columns.flatMap((one) => titleOf(one) ?? []),
  );
}

/** The error for names of `--fields` that are not among these; `titles` are other names for some. */
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

/** A time is relative on a terminal, and a status has its colour; all else is as in the response. */
function shownCellOf(cell: Cell): Cell {
  return typeof cell === 'object' && cell !== null && 'kind' in cell ? cell : undefined;
}

function jsonOf(cell: Cell): unknown {
  const isPart = typeof cell === 'object' && cell !== null && 'kind' in cell;
  return isPart ? plainCell(cell) : cell;
}
