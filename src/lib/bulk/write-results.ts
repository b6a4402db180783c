import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFileError, reasonOf } from '../config-file-error.ts';
import { MailerError, UsageError } from '../errors.ts';
import type { System } from '../system.ts';
import { csvRow } from '../text/csv.ts';
import { escapeJson } from '../text/visible.ts';
import type { RowResult } from './results.ts';

/**
 * Writes a line for each row of `run`: JSON, or CSV for a path that ends in `.csv`. The file is private, and
 * there only once it is complete.
 */
export async function writeResults(
  rows: Iterable<RowResult>,
  path: string,
  { cwd, signal }: Pick<System, 'cwd' | 'signal'>,
  run: string,
): Promise<void> {
  const target = resolve(cwd, path);
  // The next process finds what one left that was killed.
  const temporary = join(dirname(target), `.mailer-${run}.tmp`);
  const lines = /\.csv$/i.test(path) ? csvLines(rows) : jsonLines(rows);
  try {
    rmSync(temporary, { force: true });
    const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
    await pipeline(Readable.from(lines), file, { signal });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    signal.throwIfAborted();
    if (error instanceof MailerError) throw error;
    throw new UsageError(
      `--results: ${path} cannot be written: ${isFileError(error) ? reasonOf(error) : String(error)}`,
      {
        hint: 'The run itself is not touched by this. The same line again writes them.',
        cause: error,
      },
    );
  }
}

function* jsonLines(rows: Iterable<RowResult>): Generator<string> {
  for (const row of rows) yield `${escapeJson(JSON.stringify(row))}\n`;
}

function* csvLines(rows: Iterable<RowResult>): Generator<string> {
  yield csvRow(['row', 'to', 'emailId', 'error', 'message']);
  for (const { row, to, emailId = '', error } of rows) {
    yield csvRow([String(row), to, emailId, error?.code ?? '', error?.message ?? '']);
  }
}
