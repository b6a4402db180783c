import {
  accessSync,
  type BigIntStats,
  constants,
  fstatSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError, withHint } from '../../base/errors.ts';
import { cannotBeWritten, isFileError, refuseDash } from '../../base/files/file-errors.ts';
import { joinedLines, writeNamedFile } from '../../base/files/write-file.ts';
import type { System } from '../../base/system/system.ts';
import { asText, csvRow } from '../../base/text/csv.ts';
import { escapeJson, visible } from '../../base/text/visible.ts';
import type { Context } from '../../command-line/command/context.ts';

type FileSystem = Pick<System, 'cwd' | 'stdin'>;

/**
 * Checks before sending that `--results` can be written; changes nothing. Throws a `UsageError` if not, and
 * for a file that the command reads (`filesRead`): its input, a body, an attachment.
 */
export function tryResults(
  results: string | undefined,
  filesRead: readonly (readonly [name: string, path: string | undefined])[],
  system: FileSystem,
): void {
  if (results === undefined) return;
  refuseDash('--results', results, 'Nothing was sent.');
  let there: BigIntStats | undefined;
  try {
    there = tryPath(resolve(system.cwd, results));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw withHint(cannotBeWritten(results, error, '--results'), 'Nothing was sent.');
  }
  if (there?.isFile() !== true) return;
  for (const [name, path] of filesRead) {
    const read = path === undefined ? undefined : statOf(path, system);
    if (read?.dev !== there.dev || read.ino !== there.ino) continue;
    throw new UsageError(
      `--results: ${results} is the same file as ${name}, and would replace it`,
      {
        hint: 'Choose another file. Nothing was sent.',
      },
    );
  }
}

/** What is at the path, if anything. Throws the system's error if it cannot be written. */
function tryPath(target: string): BigIntStats | undefined {
  const there = statSync(target, { throwIfNoEntry: false, bigint: true });
  if (there?.isDirectory() === true) throw fileError('EISDIR');
  if (there !== undefined && !there.isFile()) {
    accessSync(target, constants.W_OK);
    return there;
  }
  // A file is not overwritten, but replaced by one that is written beside it.
  const directory = dirname(there === undefined ? target : realpathSync(target));
  if (!statSync(directory).isDirectory()) throw fileError('ENOTDIR');
  accessSync(directory, constants.W_OK | constants.X_OK);
  return there;
}

/** The error that the system would give for opening the file. */
function fileError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'open' });
}

/** What is at a path, or stdin for `-`; undefined if there is nothing. */
function statOf(path: string, { cwd, stdin }: FileSystem): BigIntStats | undefined {
  try {
    if (path !== '-') return statSync(resolve(cwd, path), { bigint: true });
    return 'fd' in stdin && typeof stdin.fd === 'number'
      ? fstatSync(stdin.fd, { bigint: true })
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a file shows of the rows of a run. */
interface ResultLines<Row> {
  readonly rows: Iterable<Row>;
  readonly header: readonly string[];
  readonly cells: (row: Row) => readonly string[];
}

/**
 * Writes a line for each row of a run: JSON, or CSV for a path that ends in `.csv`. The file is private, and
 * appears only once it is complete. For a named pipe, waits for its reader.
 */
export async function writeRows<Row>(
  { system, flags, report }: Context,
  { name }: { readonly name: string },
  path: string,
  lines: ResultLines<Row>,
): Promise<void> {
  const isCsv = /\.csv$/i.test(path);
  const text = joinedLines(isCsv ? csvLines(lines, flags.csvSafe === true) : jsonLines(lines.rows));
  const waiting = () => report(`Waiting for a reader of ${visible(path)}`);
  await writeNamedFile(text, path, system, { flag: '--results', writer: name, waiting });
}

function* jsonLines(rows: Iterable<unknown>): Generator<string> {
  for (const row of rows) yield `${escapeJson(JSON.stringify(row))}\n`;
}

function* csvLines<Row>(
  { rows, header, cells }: ResultLines<Row>,
  csvSafe: boolean,
): Generator<string> {
  yield csvRow(header);
  for (const row of rows) yield csvRow(csvSafe ? cells(row).map(asText) : cells(row));
}
