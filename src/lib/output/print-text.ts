import { withExactNumbers } from '../json/exact-numbers.ts';
import { isDeeper } from '../json/nesting.ts';
import type { Output } from '../system/system.ts';
import type { Notes } from '../terminal/notes.ts';
import { write } from '../terminal/write.ts';
import { escapeJson, piecesOf, visible } from '../text/visible.ts';
import type { CellStyle } from './cell-style.ts';
import type { Format } from './format.ts';
import type { KnownFields } from './known-fields.ts';

/** Where a result goes, and how it is to look. */
export interface PrintOptions {
  readonly stdout: Output;
  readonly signal: AbortSignal;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  /** The fields that the contract gives the result; undefined where it says nothing of it. */
  readonly known?: KnownFields | undefined;
  /** Whether rows have names above them. */
  readonly hasHeader: boolean;
  /** Whether a spreadsheet is to open CSV: no cell is a formula then. */
  readonly csvSafe?: boolean | undefined;
  readonly style: CellStyle;
  readonly notes: Notes;
  /** Takes keys out of a text: a service may send back what it was sent. */
  readonly redact: (text: string) => string;
}

/** Puts text on stdout, as fast as it is read there. */
export async function print(options: PrintOptions, text: string): Promise<void> {
  await write(options.stdout, options.redact(text), options.signal);
}

/** Puts text on stdout in pieces, each as `convert` makes it, which may be many times its size. */
export async function printConverted(
  options: PrintOptions,
  text: string,
  convert: (piece: string) => string,
): Promise<void> {
  const { stdout, signal } = options;
  for (const piece of piecesOf(options.redact(text))) await write(stdout, convert(piece), signal);
}

/** Puts JSON text on stdout. */
export async function printJson(options: PrintOptions, json: string): Promise<void> {
  await printConverted(options, json, escapeJson);
}

/** One line of tab-separated values, as `tsvRow` makes it. */
export async function printTsv(options: PrintOptions, cells: readonly string[]): Promise<void> {
  for (const [index, cell] of cells.entries()) {
    if (index > 0) await print(options, '\t');
    await printConverted(options, cell, visible);
  }
  await print(options, '\n');
}

/** JSON text, not escaped: indented for a person at a terminal, one line for everything else. */
export function jsonDocument(value: unknown, { stdout }: PrintOptions): string {
  return stdout.isTTY === true ? `${indentedJson(withExactNumbers(value))}\n` : jsonLine(value);
}

/** A JSON value on a line of its own, not escaped. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(withExactNumbers(value))}\n`;
}

/** Levels of JSON that are indented: of a thousand, each line would begin with 2,000 spaces. */
const mostIndented = 50;

/** JSON text for a person, unless it is nested so deeply that nobody could read it. */
export function indentedJson(value: unknown): string {
  const line = JSON.stringify(value);
  return isDeeper(line, mostIndented) ? line : JSON.stringify(value, null, 2);
}
