import { withExactNumbers } from '../../base/json/exact-numbers.ts';
import { isTooMuch } from '../../base/json/nesting.ts';
import type { Output } from '../../base/system/system.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import { write } from '../../base/terminal/write.ts';
import { tsvCell } from '../../base/text/csv.ts';
import { escapeJson, piecesOf } from '../../base/text/visible.ts';
import type { CellStyle } from './cell-style.ts';
import type { Format } from './format.ts';
import type { KnownFields } from './known-fields.ts';

/** Where to print a result, and how it looks. */
export interface PrintOptions {
  readonly stdout: Output;
  readonly signal: AbortSignal;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  /** The result's fields in the contract; undefined if the contract has none. */
  readonly known?: KnownFields | undefined;
  /** Whether a header line is above the rows. */
  readonly hasHeader: boolean;
  /** Whether the CSV is for a spreadsheet, so no cell may be a formula. */
  readonly csvSafe?: boolean | undefined;
  readonly style: CellStyle;
  readonly notes: Notes;
  /** Removes keys from a text: a service may return what it was sent. */
  readonly redact: (text: string) => string;
}

/** Writes text to stdout, as fast as it is read. */
export async function print(options: PrintOptions, text: string): Promise<void> {
  await write(options.stdout, options.redact(text), options.signal);
}

/** Converts text and writes it to stdout in pieces: the result may be many times larger. */
export async function printConverted(
  options: PrintOptions,
  text: string,
  convert: (piece: string) => string,
): Promise<void> {
  const { stdout, signal } = options;
  for (const piece of piecesOf(options.redact(text))) await write(stdout, convert(piece), signal);
}

/** Writes JSON text to stdout. */
export async function printJson(options: PrintOptions, json: string): Promise<void> {
  await printConverted(options, json, escapeJson);
}

/** Prints one line of tab-separated values, like `tsvRow`. */
export async function printTsv(options: PrintOptions, cells: readonly string[]): Promise<void> {
  for (const [index, cell] of cells.entries()) {
    if (index > 0) await print(options, '\t');
    await printConverted(options, cell, tsvCell);
  }
  await print(options, '\n');
}

/** JSON text, not escaped: indented on a terminal, otherwise one line. */
export function jsonDocument(value: unknown, { stdout }: PrintOptions): string {
  return stdout.isTTY === true ? `${indentedJson(withExactNumbers(value))}\n` : jsonLine(value);
}

/** A JSON value on its own line, not escaped. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(withExactNumbers(value))}\n`;
}

/** Deepest JSON that is indented: at a thousand levels, lines would start with 2,000 spaces. */
const mostIndented = 50;

/** Indented JSON text; on one line if it is nested too deeply to be readable. */
export function indentedJson(value: unknown): string {
  const line = JSON.stringify(value);
  return isTooMuch(line, mostIndented) === 'nesting' ? line : JSON.stringify(value, null, 2);
}
