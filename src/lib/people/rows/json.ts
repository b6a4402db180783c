import { UsageError } from '../../base/errors.ts';
import { lostInParsing } from '../../base/input/json-loss.ts';
import { isObject } from '../../command-line/output/fields.ts';
import { type InputRow, type IsLeftOut, longestRow, type Rows } from './row.ts';

/** Rows and characters that are read before the first row is given. */
const rowsAhead = 1000;
const charactersAhead = 4_000_000;

/** Rows of their texts. The first ones have the names of all of these, because programs leave out a field without a value. */
export async function* jsonRows(
  texts: AsyncGenerator<string>,
  isLeftOut: IsLeftOut | undefined,
): Rows {
  const first: InputRow[] = [];
  const names = new Set<string>();
  let number = 0;
  let characters = 0;
  const rows = (ahead: readonly string[]) =>
    first.splice(0).map((row) => ('problem' in row ? row : { ...row, ahead }));
  let isAhead = true;
  for await (const text of texts) {
    const row = toRow(++number, text, isLeftOut);
    if (!isAhead) {
      yield row;
      continue;
    }
    for (const name of 'problem' in row ? [] : row.columns) names.add(name);
    first.push(row);
    characters += text.length;
    isAhead = number < rowsAhead && characters < charactersAhead;
    if (!isAhead) yield* rows([...names]);
  }
  yield* rows([...names]);
}

/** The rows of a text with one JSON object per line, as texts. Empty lines are skipped. */
export async function* jsonLineTexts(
  text: AsyncIterable<string>,
  name: string,
): AsyncGenerator<string> {
  let number = 0;
  let rest = '';
  const rowsOf = function* (lines: readonly string[]) {
    for (const line of lines) {
      if (line.trim() === '') continue;
      number++;
      refuseTooLong(line, number, name);
      yield line;
    }
  };
  for await (const piece of text) {
    const lines = piece.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    yield* rowsOf(lines);
    // The end of this line may never come.
    refuseTooLong(rest, number + 1, name);
  }
  yield* rowsOf([rest]);
}

/**
 * The rows of a text that is one JSON array, as texts: split at its outermost commas, so that memory holds one row at a
 * time. Throws a `UsageError` if the array does not end, or is followed by other text.
 */
export async function* jsonArrayTexts(
  text: AsyncIterable<string>,
  name: string,
): AsyncGenerator<string> {
  const scanner = createScanner();
  let number = 0;
  let row = '';
  for await (const piece of text) {
    let start = 0;
    for (const { at, what } of scanner.boundaries(piece)) {
      if (what === 'stray')
        throw new UsageError(`${name}: there is more text after the JSON array`);
      row += piece.slice(start, at);
      start = at + 1;
      // `[]` has an end and no row.
      if (what === 'start' || (what === 'end' && number === 0 && row.trim() === '')) {
        row = '';
        continue;
      }
      number++;
      refuseTooLong(row, number, name);
      yield row;
      row = '';
    }
    if (!scanner.inArray()) continue;
    row += piece.slice(start);
    refuseTooLong(row, number + 1, name);
  }
  if (!scanner.ended()) {
    throw new UsageError(`${name}: the JSON array does not end; the file may be truncated`);
  }
}

interface Boundary {
  /** Its index in the piece. */
  readonly at: number;
  readonly what: 'start' | 'comma' | 'end' | 'stray';
}

/** Finds the outermost brackets and commas of an array that comes in pieces. */
function createScanner() {
  let depth = 0;
  let ended = false;
  let quoted = false;
  let escaped = false;
  function* boundaries(piece: string): Generator<Boundary> {
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at];
      if (ended) {
        if (!isSpace(character)) yield { at, what: 'stray' };
      } else if (quoted) {
        if (escaped) escaped = false;
        else if (character === '\\') escaped = true;
        else if (character === '"') quoted = false;
      } else if (character === '"') quoted = true;
      else if (character === '[' || character === '{') {
        depth++;
        if (depth === 1) yield { at, what: 'start' };
      } else if (character === ']' || character === '}') {
        depth--;
        ended = depth === 0;
        if (ended) yield { at, what: 'end' };
      } else if (character === ',' && depth === 1) yield { at, what: 'comma' };
    }
  }
  return { boundaries, inArray: () => depth > 0, ended: () => ended };
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

function refuseTooLong(row: string, number: number, name: string): void {
  if (row.length <= longestRow) return;
  throw new UsageError(`${name}: row ${number} has more than ${longestRow} characters`);
}

function toRow(number: number, json: string, isLeftOut: IsLeftOut | undefined): InputRow {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    return { number, problem: `is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
  if (!isObject(parsed)) return { number, problem: 'is not a JSON object' };
  const problem = lostInParsing(json, 'this row');
  if (problem !== undefined) return { number, problem };
  const value = isLeftOut === undefined ? parsed : without(parsed, isLeftOut);
  const fields = stated(value);
  const variables = isObject(fields.variables) ? stated(fields.variables) : undefined;
  const scope = Object.assign(Object.create(null), variables, fields);
  // A consent that is null is no answer.
  const columns = Object.keys({ ...(isObject(value.variables) ? value.variables : {}), ...value });
  return { number, fields, scope: () => scope, columns, variables: () => variables };
}

/** An object without the fields, and variables, that are left out. */
function without(
  object: Readonly<Record<string, unknown>>,
  isLeftOut: IsLeftOut,
): Readonly<Record<string, unknown>> {
  const kept = Object.entries(object).flatMap(([name, value]) => {
    if (name === 'variables' && isObject(value))
      return [[name, without(value, isLeftOut)] as const];
    return isLeftOut(name) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/**
 * Drops null and empty values, like empty cells in CSV: a template then sees that they are missing, and the
 * values common to all rows apply.
 */
function stated(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = Object.create(null);
  for (const name in object) {
    const value = object[name];
    if (value !== null && value !== '') kept[name] = value;
  }
  return kept;
}
