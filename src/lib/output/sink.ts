import { withExactNumbers } from '../exact-numbers.ts';
import type { Notes } from '../notes.ts';
import type { Output } from '../system.ts';
import { escapeJson } from '../text/visible.ts';
import { write } from '../write.ts';
import type { CellStyle } from './cells.ts';
import type { Format } from './format.ts';

/** Where a result goes, and how it is to look. */
export interface PrintOptions {
  readonly stdout: Output;
  readonly signal: AbortSignal;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
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

/** Indented for a person at a terminal, one line for everything else. */
export function jsonDocument(value: unknown, { stdout }: PrintOptions): string {
  return stdout.isTTY === true
    ? `${escapeJson(JSON.stringify(withExactNumbers(value), null, 2))}\n`
    : jsonLine(value);
}

/** A JSON value on a line of its own. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(withExactNumbers(value)))}\n`;
}
