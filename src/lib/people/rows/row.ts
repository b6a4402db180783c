/** One row of the input, before it is made into an email. */
export type InputRow = ReadableRow | UnreadableRow;

/** Rows in the order of the input, each read on demand. */
export type Rows = AsyncGenerator<InputRow>;

export interface ReadableRow {
  /** From 1, without the header of a CSV file. */
  readonly number: number;
  /** Fields of a send request, by the API's names; not checked yet. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The column that provides each field, in CSV; undefined in JSON, where names are the API's. */
  readonly fieldColumns?: ReadonlyMap<string, string>;
  /** Values for templates: the fields, and everything else in the row. Built by each call. */
  readonly scope: () => Readonly<Record<string, unknown>>;
  /** The names that templates can use, even those without a value in this row. */
  readonly columns: readonly string[];
  /** These, and those of the rows that were read with it; only in the first rows of JSON, which may leave any out. */
  readonly ahead?: readonly string[];
  /** Values for a stored template; undefined if the row has none. Built by each call. */
  readonly variables: () => Readonly<Record<string, unknown>> | undefined;
  /** Cells under an empty header, by the number of their column; undefined if there are none. */
  readonly unnamed?: ReadonlyMap<number, string> | undefined;
}

export interface UnreadableRow {
  readonly number: number;
  /** Why it cannot be read, such as "is not JSON": without its number. */
  readonly problem: string;
  /** What stands in it, if that is known. */
  readonly texts?: readonly string[];
}

/** Whether a column is not used at all, by its name. */
export type IsLeftOut = (name: string) => boolean;

/** The longest row, in characters. No service accepts emails of this size. */
export const longestRow = 16 * 1024 * 1024;

/** An input some pieces of which were read to see what it is. */
export async function* withBeginning<Piece>(
  beginning: Piece,
  rest: AsyncIterator<Piece>,
): AsyncGenerator<Piece> {
  yield beginning;
  yield* { [Symbol.asyncIterator]: () => rest };
}
