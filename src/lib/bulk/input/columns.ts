import { UsageError } from '../../errors.ts';

/** What a column gives to a row. */
export interface InputColumn {
  readonly name: string;
  /** The field that its cells are; undefined for a variable. */
  readonly field: string | undefined;
  /** Whether it is a variable, besides a field under another name. */
  readonly isVariable: boolean;
}

/**
 * What the columns of a file give, by their names in its header, without blanks around them. Throws a
 * `UsageError` for a header that is wrong.
 */
export type ReadColumns = (names: readonly string[], file: string) => readonly InputColumn[];

/** Throws a `UsageError` where two columns give the same. */
export function refuseTwice(columns: readonly InputColumn[], file: string): void {
  const seen = new Set<string>();
  const keys = columns.map(({ field, name }) => field ?? name);
  const twice = keys.find((key) => key !== '' && seen.size === seen.add(key).size);
  if (twice !== undefined) throw new UsageError(`${file}: two columns are named ${twice}`);
}
