/** One row of the input, before it is made into an email. */
export type InputRow = ReadableRow | UnreadableRow;

/** Rows in the order of the input, each made when it is asked for. */
export type Rows = AsyncGenerator<InputRow>;

export interface ReadableRow {
  /** From 1, without the header of a CSV file. */
  readonly number: number;
  /** Fields of a send request, by the API's names; not checked yet. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What templates can use: the fields, and everything else the row brings. Made by each call. */
  readonly scope: () => Readonly<Record<string, unknown>>;
  /** The names that templates can use, those without a value in this row included. */
  readonly columns: readonly string[];
  /** Values for a stored template; undefined when the row brings none. Made by each call. */
  readonly variables: () => Readonly<Record<string, unknown>> | undefined;
}

export interface UnreadableRow {
  readonly number: number;
  /** Why nothing can be made of it, as a sentence without its number. */
  readonly problem: string;
}

/** Characters of one row at most. No service takes emails of this size. */
export const longestRow = 16 * 1024 * 1024;

/** An input of which some pieces have been read to see what it is. */
export async function* withBeginning<Piece>(
  beginning: Piece,
  rest: AsyncIterator<Piece>,
): AsyncGenerator<Piece> {
  yield beginning;
  yield* { [Symbol.asyncIterator]: () => rest };
}
