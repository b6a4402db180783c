import type { SendingFlags } from '../bulk/flags.ts';
import { explainStateError } from '../bulk/journal/journal-error.ts';
import { dryBaseUrl, type RecordedRun, resumingWith } from '../bulk/journal/recorded-run.ts';
import { tryResults } from '../bulk/show/results-file.ts';
import type { Context } from '../command/context.ts';
import { fetchBook } from '../command/names/books.ts';
import { nextCommand } from '../command/next-command.ts';
import { UsageError } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { finishImport } from './finish-import.ts';
import { showFirstBulk } from './first-request.ts';
import { arrivalWait, type ImportFlags } from './flags.ts';
import { aloneInBook } from './other-imports.ts';
import { nothingToImport, showImport } from './show-import.ts';

/**
 * Resumes an import from its journal, without its input; flags given now take precedence. Throws like
 * `resumingWith`.
 */
export async function resumeImport(
  context: Context,
  given: SendingFlags,
  recorded: RecordedRun,
): Promise<Result> {
  const { store, directory, header } = recorded;
  try {
    refuseFlagsOfEmails(given);
    const { wait: _, ...before } = header.line.sending;
    const flags: ImportFlags = { ...before, ...given };
    arrivalWait(flags);
    tryResults(flags.results, [['FILE', header.input]], context.system);
    const bookId = header.contacts?.book ?? '';
    if (context.flags.dryRun === true) {
      const run = {
        directory: store.path(directory),
        baseUrl: await dryBaseUrl(context, recorded),
      };
      await showFirstBulk(context, run, bookId, 1);
      return nothingToImport;
    }
    // Before any request, so that a changed journal does not lead the key elsewhere.
    const resuming = await resumingWith(context, recorded, given);
    const book = await fetchBook(context, bookId);
    const asked = { context, store, flags };
    const found = { directory, known: true };
    const outcome = await aloneInBook(
      { store, book },
      async () => await finishImport(asked, found, resuming, book),
    );
    if (header.contacts?.purpose === 'sync') {
      const file = header.input === '-' ? 'FILE' : header.input;
      const again = nextCommand(context, 'contact', 'sync', file, '--book', bookId);
      context.notes.say(
        `The import of a sync was resumed. Contacts that are not in the file were neither unsubscribed nor deleted. To compare the book with the file again: ${again}`,
      );
    }
    return showImport(outcome);
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** Throws a `UsageError` for flags of `run resume` that only apply to emails. */
function refuseFlagsOfEmails({ wait, concurrency, rate }: SendingFlags): void {
  const given = [
    ...(wait === undefined ? [] : ['--wait']),
    ...(concurrency === undefined ? [] : ['--concurrency']),
    ...(rate === undefined ? [] : ['--rate']),
  ];
  if (given.length === 0) return;
  throw new UsageError(`This run is an import of contacts, which has no ${given.join(', ')}`);
}
