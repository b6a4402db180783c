import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { UsageError } from '../../errors.ts';
import { isFileError } from '../../files/file-errors.ts';
import { whyUnreadable } from '../../input/input-files.ts';
import { type ExportFormat, storedState } from './exported-email.ts';

/** What earlier exports have. */
export interface EarlierEmails {
  /** When the newest email was created, in milliseconds since 1970; undefined if there is none. */
  readonly newest: number | undefined;
  /** The last known state of emails, by id; at least of those within the overlap before the newest. */
  readonly states: ReadonlyMap<string, string>;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads earlier exports, the oldest file first, and remembers the emails that are at most `overlap` milliseconds
 * older than the newest before them. Throws a `UsageError` for a file that is no export.
 */
export async function earlierEmails(
  paths: readonly string[],
  format: ExportFormat,
  overlap: number,
): Promise<EarlierEmails> {
  const states = new Map<string, string>();
  let newest: number | undefined;
  for (const path of paths) {
    for await (const { id, createdAt, latestStatus, updatedAt } of emailsIn(path, format)) {
      const created = Date.parse(String(createdAt));
      if (typeof id !== 'string' || Number.isNaN(created)) throw noExport(path);
      newest = Math.max(newest ?? created, created);
      if (created < newest - overlap) continue;
      // Written by an export: both are texts, or null.
      states.set(
        id,
        storedState({ latestStatus: latestStatus as string, updatedAt: updatedAt as string }),
      );
    }
  }
  return { newest, states };
}

async function* emailsIn(path: string, format: ExportFormat): AsyncGenerator<Fields> {
  const file = createReadStream(path, 'utf8');
  try {
    if (format === 'csv') {
      const rows = parse({ columns: true, bom: true });
      // `pipe` forwards no errors.
      file.on('error', (error) => rows.destroy(error));
      yield* file.pipe(rows) as AsyncIterable<Fields>;
      return;
    }
    for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
      if (line !== '') yield JSON.parse(line);
    }
  } catch (error) {
    if (isFileError(error) && error.syscall !== undefined) {
      throw new UsageError(`${path} ${whyUnreadable(error)}`, { cause: error });
    }
    throw error instanceof UsageError ? error : noExport(path, error);
  } finally {
    file.destroy();
  }
}

function noExport(path: string, cause?: unknown): UsageError {
  return new UsageError(`${path} is not an export of emails, so nothing can be added to it.`, {
    hint: 'Name another file with --output, or leave out --since-last to replace it.',
    cause,
  });
}
