import { limits } from '../../../api/limits.ts';
import { PartialError, problemOf, UsageError } from '../../base/errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { sameCommand } from '../../command-line/command/repeat-command.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import type { Format } from '../../command-line/output/format.ts';
import { type List, type ListResult, list } from '../../command-line/output/result.ts';
import type { BookRead } from './book/read-book.ts';
import { type ExportedContact, exportColumns, exportedContacts } from './exported-contacts.ts';

/** Where an export goes, and which addresses to request. */
export interface ExportFlags {
  readonly output?: string | undefined;
  readonly emailsFrom?: string | undefined;
}

/** Loaded lazily: few exports go to a file, and the help page does not need it. */
const privateFiles = () => import('../../base/files/write-file.ts');

/** Asks before a file is replaced. Throws a `UsageError` for contradictory flags. */
export async function checkOutput(context: Context, { output }: ExportFlags): Promise<void> {
  if (output === undefined || output === '-') return;
  if (context.flags.jq !== undefined) {
    throw new UsageError('--jq and --output cannot be used together', {
      hint: 'Write what --jq prints to a file with >.',
    });
  }
  const { isExistingFile } = await privateFiles();
  if (!isExistingFile(output, context.system)) return;
  await context.prompts.confirm(`Replace ${output}?`, 'Nothing was written');
}

/**
 * The contacts of a book as a file for `contact import`, in CSV unless flags or the file's name ask for
 * another format. If the book could not be read completely, it ends with a `PartialError` and does not
 * replace an existing file.
 */
export async function exportedBook(
  context: Context,
  read: BookRead,
  flags: ExportFlags,
): Promise<ListResult> {
  const rows = exportedContacts(read);
  const failure = read.isWhole ? undefined : incomplete(context, read, flags);
  if (failure !== undefined) await keepOlder(context, flags, failure);
  return list<ExportedContact>({
    pages: [{ rows }],
    columns: exportColumns(read.book, rows),
    id: ({ email }) => email,
    format: formatOf(context, flags.output),
    ...fileOf(context, flags.output, rows.length),
    csvEnd: csvEndOf(context, flags.output),
    empty: 'The contact book is empty.',
    failure,
  });
}

/**
 * Throws the failure if an incomplete export would replace a file, because the older file may be complete.
 */
async function keepOlder(
  { system }: Context,
  { output = '-' }: ExportFlags,
  failure: PartialError,
): Promise<void> {
  if (output === '-') return;
  const { isExistingFile } = await privateFiles();
  if (!isExistingFile(output, system)) return;
  const { message, ...problem } = problemOf(failure);
  throw new PartialError(`${message} ${output} was not changed.`, {
    hint: `${problem.hint ?? ''}\nTo save the contacts that were found, name another file with --output.`,
  });
}

function formatOf({ flags, format }: Context, output = '-'): Format {
  const { json, jq, jsonl, csv, csvSafe, quiet } = flags;
  const isAsked = [json, jq, jsonl, csv, csvSafe, quiet].some((flag) => flag !== undefined);
  if (output !== '-' && !isAsked) {
    if (/\.(jsonl|ndjson)$/i.test(output)) return 'jsonl';
    return /\.json$/i.test(output) ? 'json' : 'csv';
  }
  return format() === 'table' ? 'csv' : format();
}

/** LF, which shells split lines at, unless CSV is asked for, or is written to a file. */
function csvEndOf({ flags: { csv, csvSafe } }: Context, output = '-'): string | undefined {
  return output !== '-' || csv === true || csvSafe === true ? undefined : '\n';
}

function fileOf(
  { system, notes }: Context,
  output = '-',
  contacts: number,
): Pick<List<never>, 'file'> {
  if (output === '-') return {};
  const waiting = () => notes.say(`Waiting for a reader of ${output}`);
  return {
    file: {
      write: async (pieces) => {
        const { writeNamedFile } = await privateFiles();
        const options = { flag: '--output', writer: 'contacts', waiting };
        await writeNamedFile(pieces, output, system, options);
      },
      written: `Exported ${quantity(contacts, 'contact')} to ${output}.`,
    },
  };
}

/** The error that contacts are missing, and how to get them. */
function incomplete(context: Context, { contacts, book }: BookRead, { emailsFrom }: ExportFlags) {
  const count = countAt(book, '_count.contacts');
  const of = count === undefined ? '' : ` of ${grouped(count)}`;
  const listed = `The service lists at most ${grouped(limits.contactsPerList)} contacts of a book`;
  const { line } = sameCommand(context, ['--emails-from'], ['--emails-from', 'FILE']);
  return new PartialError(
    `The export has ${grouped(contacts.length)}${of} contacts. ${listed}${
      emailsFrom === undefined
        ? '.'
        : `, and ${emailsFrom} does not have the addresses of all others.`
    }`,
    { hint: `To add those whose addresses you have in a file: ${line}` },
  );
}
