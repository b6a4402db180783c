import { UsageError } from '../../errors.ts';

/** What a column provides for a row. */
export interface InputColumn {
  readonly name: string;
  /** The field that its cells fill; undefined for a variable. */
  readonly field: string | undefined;
  /** Whether it is a variable; it may also fill a field under another name. */
  readonly isVariable: boolean;
}

/**
 * Tells what the columns of a file provide, from the names in its header, trimmed. Throws a `UsageError` for
 * a wrong header.
 */
export type ReadColumns = (names: readonly string[], file: string) => readonly InputColumn[];

/** Throws a `UsageError` if two columns provide the same. */
export function refuseTwice(columns: readonly InputColumn[], file: string): void {
  const seen = new Set<string>();
  const keys = columns.map(({ field, name }) => field ?? name);
  const twice = keys.find((key) => key !== '' && seen.size === seen.add(key).size);
  if (twice !== undefined) throw new UsageError(`${file}: two columns are named ${twice}`);
}
