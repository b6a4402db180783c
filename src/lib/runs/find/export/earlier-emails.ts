import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import type { EmailListItem } from '../../../../api/email.ts';
import { UsageError } from '../../../base/errors.ts';
import { isFileError } from '../../../base/files/file-errors.ts';
import { whyUnreadable } from '../../../base/input/input-files.ts';
import { type ExportFormat, storedState } from './exported-email.ts';

/** What earlier exports have. */
export interface EarlierEmails {
  /** When the newest email was created, in milliseconds since 1970; undefined if there is none. */
  readonly newest: number | undefined;
  /** The last known state of emails, by id; at least of those within the overlap before the newest. */
  readonly states: ReadonlyMap<string, string>;
}

/** A row of an export, or of something else: then its fields are of any type. */
type Fields = Pick<EmailListItem, 'latestStatus' | 'updatedAt'> & Readonly<Record<string, unknown>>;

/**
 * Reads earlier exports, the oldest file first, and remembers the emails that are at most `overlap` milliseconds
 * older than the newest, and those of which the service did not tell when they were created. Throws a `UsageError` for a
 * file that is no export.
 */
export async function earlierEmails(
  paths: readonly string[],
  format: ExportFormat,
  overlap: number,
): Promise<EarlierEmails> {
  const known = new Map<string, { readonly created: number; readonly state: string }>();
  let newest: number | undefined;
  for (const path of paths) {
    for await (const { id, createdAt, lastEvent, ...email } of emailsIn(path, format)) {
      // Nothing but an export has the last event.
      const isUntold = !createdAt && lastEvent !== undefined;
      const created = isUntold ? Number.POSITIVE_INFINITY : Date.parse(String(createdAt));
      if (typeof id !== 'string' || Number.isNaN(created)) throw noExport(path);
      if (!isUntold) newest = Math.max(newest ?? created, created);
      known.set(id, { created, state: storedState(email) });
    }
    for (const [id, { created }] of known) {
      if (created < (newest ?? created) - overlap) known.delete(id);
    }
  }
  return { newest, states: new Map([...known].map(([id, { state }]) => [id, state])) };
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
