import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { nextCommand } from '../../command/next-command.ts';
import { UsageError } from '../../errors.ts';
import { shellQuote } from '../../text/shell-quote.ts';
import { visible } from '../../text/visible.ts';
import type { SendingFlags } from '../flags.ts';
import { JournalError } from './journal-error.ts';
import { openJournal } from './journal-file.ts';
import { runNamed } from './named-run.ts';
import type { RecordedLine } from './recorded-line.ts';
import { type RunHeader, requireHeader } from './run-header.ts';
import { runFiles, runsOf } from './run-store.ts';

/** Where runs are looked for. */
type Place = Pick<Context, 'flags' | 'system'>;

export type RecordedRun = ReturnType<typeof recordedRun>;

/**
 * A run with the command line in its journal. Throws like `runNamed`, and a `UsageError` if the journal has
 * no command line.
 */
export function recordedRun(place: Place, named: string) {
  const store = runsOf(place);
  const directory = runNamed(place, store, named);
  const path = store.path(directory);
  const journal = openJournal(join(path, runFiles.journal), { check: false });
  let header: RunHeader;
  try {
    header = requireHeader(journal, path);
  } catch (error) {
    throw error instanceof JournalError ? error : new JournalError(path, 'cannot be read', error);
  } finally {
    journal.close();
  }
  const { line, input } = header;
  if (line !== undefined) return { store, directory, header, line };
  const words = nextCommand(place, 'email', 'batch', input);
  throw new UsageError(
    'An earlier version of mailer started this run and did not record its command line.',
    { hint: `Nothing was sent. Run the same command again to resume it: ${words} …` },
  );
}

/** The account in use, for resuming a run. Throws a `UsageError` if it is not at the run's service. */
export async function checkService(context: Context, run: Pick<RunHeader, 'baseUrl'>) {
  const account = await context.account();
  const { dryRun = false } = context.flags;
  const baseUrl = dryRun ? (account.baseUrl ?? run.baseUrl) : account.service();
  if (baseUrl === run.baseUrl) return account;
  throw new UsageError(`This run sends to ${run.baseUrl}; the account in use is at ${baseUrl}.`, {
    hint: `Use the account that started the run: its --profile, or MAILER_API_KEY and MAILER_BASE_URL. Nothing was sent.`,
  });
}

/** The recorded arguments that decide where the key and the results go, without those given now. */
export function onlyRecorded(
  { words, system }: Context,
  { common: { baseUrl }, sending: { results } }: RecordedLine,
  given: SendingFlags,
): string[] {
  const isUrlGiven = words.some(({ text }) => /^--base-url(=|$)/.test(text));
  const quoted = (flag: string, value: string) => visible(shellQuote([flag, value], system));
  return [
    ...(baseUrl === undefined || isUrlGiven ? [] : [quoted('--base-url', baseUrl)]),
    ...(results === undefined || given.results !== undefined ? [] : [quoted('--results', results)]),
  ];
}
