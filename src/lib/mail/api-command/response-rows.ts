import { withExactNumbers } from '../../base/json/exact-numbers.ts';
import { cellOf, plainCell } from '../../command-line/output/cells.ts';
import { isObject, valueAt } from '../../command-line/output/fields.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a reply that is a list, and the name of the property with them, if any. */
export interface FoundRows {
  readonly rows: readonly Row[];
  readonly rowsIn?: string | undefined;
}

/** The rows of a reply that is or has one array of objects. Undefined if it has an id or other parts. */
export function findRows(reply: unknown): FoundRows | undefined {
  if (isRows(reply)) return { rows: reply };
  if (!isObject(reply) || Object.hasOwn(reply, 'id')) return undefined;
  const arrays = Object.keys(reply).filter((name) => isRows(reply[name]));
  const [rowsIn, another] = arrays;
  if (rowsIn === undefined || another !== undefined || hasParts(reply)) return undefined;
  const rows = reply[rowsIn];
  return isRows(rows) ? { rows, rowsIn } : undefined;
}

/** Besides its rows, a list has numbers, and at most one object, about its pages. */
function hasParts(reply: Row): boolean {
  return Object.values(reply).filter(isObject).length > 1;
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isObject);
}

/** The id of a row: its `id`, or its only property with a name like `emailId`; else empty. */
export function idOf(row: unknown): string {
  if (!isObject(row)) return '';
  const [other, another] = Object.keys(row).filter((name) => name.endsWith('Id'));
  const name = Object.hasOwn(row, 'id') || another !== undefined ? 'id' : other;
  return name === undefined ? '' : plainCell(cellOf(valueAt(row, name)));
}

/** The `id` of a row, and no other property: rows of statistics have ids of other things. */
export function ownIdOf(row: Row): string {
  return Object.hasOwn(row, 'id') ? idOf(row) : '';
}

/** A row as text; numbers keep their exact digits. */
export function contentOf(row: Row): string {
  return JSON.stringify(withExactNumbers(row));
}

/** The names of all properties that these rows have. */
export function fieldsOf(rows: readonly unknown[]): string[] {
  return [...new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])))];
}
