import { createHash } from 'node:crypto';
import { createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isFileError, reasonOf } from '../config-file-error.ts';
import { UsageError } from '../errors.ts';
import type { System } from '../system.ts';
import { csvRow } from '../text/csv.ts';
import { escapeJson } from '../text/visible.ts';
import type { RowResult } from './results.ts';

/**
 * Writes a line for each row of `run`: JSON, or CSV for a path that ends in `.csv`. The file is
 * private, and there only once it is complete.
 */
export async function writeResults(
  rows: Iterable<RowResult>,
  path: string,
  { cwd, signal }: Pick<System, 'cwd' | 'signal'>,
  run: string,
): Promise<void> {
  const target = resolve(cwd, path);
  const lines = inPieces(/\.csv$/i.test(path) ? csvLines(rows) : jsonLines(rows));
  try {
    await write(lines, target, signal, run);
  } catch (error) {
    signal.throwIfAborted();
    if (!isFileError(error)) throw error;
    throw cannotBeWritten(path, error);
  }
}

/** The error for a path that results cannot be written to. */
export function cannotBeWritten(path: string, error: NodeJS.ErrnoException): UsageError {
  const reason = error.code === 'ENOENT' ? 'its directory does not exist' : reasonOf(error);
  return new UsageError(`--results: ${path} cannot be written: ${reason}`, { cause: error });
}

async function write(
  lines: Iterable<string>,
  target: string,
  signal: AbortSignal,
  run: string,
): Promise<void> {
  const there = statSync(target, { throwIfNoEntry: false });
  // A terminal, a pipe, /dev/null: nothing that a file could take the place of.
  if (there !== undefined && !there.isFile()) {
    await pipeline(Readable.from(lines), createWriteStream(target), { signal });
    return;
  }
  const path = there === undefined ? target : realpathSync(target);
  // The next process finds what one left that was killed; one with another file is in nobody's way.
  const which = createHash('sha256').update(path).digest('hex').slice(0, 12);
  const temporary = join(dirname(path), `.mailer-${run}-${which}.tmp`);
  try {
    rmSync(temporary, { force: true });
    const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx' });
    await pipeline(Readable.from(lines), file, { signal });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Lines together: a stream costs more than a line is worth. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 64 * 1024) continue;
    yield piece;
    piece = '';
  }
  yield piece;
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
