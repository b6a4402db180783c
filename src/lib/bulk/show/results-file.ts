import { inPieces, writeNamedFile } from '../../files/private-file.ts';
import type { System } from '../../system/system.ts';
import { asText, csvRow } from '../../text/csv.ts';
import { escapeJson } from '../../text/visible.ts';
import type { RowResult } from './row-results.ts';

interface ResultsOptions {
  readonly run: string;
  readonly csvSafe: boolean;
  /** Is called when the path is a named pipe without a reader. */
  readonly waiting: () => void;
}

/**
 * Writes a line for each row of `run`: JSON, or CSV for a path that ends in `.csv`. The file is
 * private, and there only once it is complete. With `csvSafe` no cell of CSV is a formula.
 */
export async function writeResults(
  rows: Iterable<RowResult>,
  path: string,
  system: Pick<System, 'cwd' | 'signal' | 'sleep'>,
  { run, csvSafe, waiting }: ResultsOptions,
): Promise<void> {
  const lines = inPieces(/\.csv$/i.test(path) ? csvLines(rows, csvSafe) : jsonLines(rows));
  await writeNamedFile(lines, path, system, { flag: '--results', writer: run, waiting });
}

function* jsonLines(rows: Iterable<RowResult>): Generator<string> {
  for (const row of rows) yield `${escapeJson(JSON.stringify(row))}\n`;
}

function* csvLines(rows: Iterable<RowResult>, csvSafe: boolean): Generator<string> {
  yield csvRow(['row', 'to', 'emailId', 'error', 'message']);
  for (const { row, to, emailId = '', error } of rows) {
    const cells = [String(row), to, emailId, error?.code ?? '', error?.message ?? ''];
    yield csvRow(csvSafe ? cells.map(asText) : cells);
  }
}
