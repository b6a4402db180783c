import type { Notes } from '../notes.ts';
import type { OutputStream } from '../system.ts';
import { escapeJson } from '../text/visible.ts';
import { write } from '../write.ts';
import type { CellStyle } from './cells.ts';
import type { Format } from './format.ts';

/** Where a result goes, and how it is to look. */
export interface PrintOptions {
  readonly stdout: OutputStream;
  readonly signal: AbortSignal;
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  readonly style: CellStyle;
  readonly notes: Notes;
}

/** Puts text on stdout, as fast as it is read there. */
export async function print({ stdout, signal }: PrintOptions, text: string): Promise<void> {
  await write(stdout, text, signal);
}

/** Indented for a person at a terminal, one line for everything else. */
export function jsonDocument(value: unknown, { stdout }: PrintOptions): string {
  return stdout.isTTY === true
    ? `${escapeJson(JSON.stringify(value, null, 2))}\n`
    : jsonLine(value);
}

/** A JSON value on a line of its own. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}
