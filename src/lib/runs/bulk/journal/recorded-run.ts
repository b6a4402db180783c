import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/text/shell-quote.ts';
import { visible } from '../../../base/text/visible.ts';
import { accountInUse, isSandbox } from '../../../command-line/command/account-in-use.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { SendingFlags } from '../flags.ts';
import type { Counts } from './counts.ts';
import { JournalError } from './journal-error.ts';
import { openJournal } from './journal-file.ts';
import { type RunPlace, runNamed } from './named-run.ts';
import type { RecordedLine } from './recorded-line.ts';
import { type RunHeader, requireHeader } from './run-header.ts';
import { runFiles, runsOf } from './run-store.ts';
import { checkSameAccount, type Resuming } from './same-account.ts';

export type RecordedRun = Awaited<ReturnType<typeof recordedRun>>;

/** A run as its journal has it, without its input. Throws like `runNamed`, and a `JournalError`. */
export async function recordedRun(place: RunPlace, named: string) {
  const store = runsOf(place);
  const directory = await runNamed(place, store, named);
  const path = store.path(directory);
  const journal = openJournal(join(path, runFiles.journal), { check: false });
  let header: RunHeader;
  let counts: Counts;
  try {
    header = requireHeader(journal, path);
    counts = journal.counts();
  } catch (error) {
    throw error instanceof JournalError ? error : new JournalError(path, 'cannot be read', error);
  } finally {
    journal.close();
  }
  return { store, directory, header, counts };
}

/**
 * The account in use, for resuming a run. Throws like `checkSameAccount`, before anything leads the key or the
 * results elsewhere.
 */
export async function resumingWith(
  context: Context,
  { directory: name, header, counts }: RecordedRun,
  given: SendingFlags,
): Promise<Resuming> {
  const resuming = {
    account: await accountInUse(context),
    sameAccount: given.sameAccount === true,
    recorded: {
      isUrlGiven: isUrlGiven(context),
      onlyRecorded: onlyRecorded(context, header.line, given),
    },
  };
  checkSameAccount(context, { name, header, counts }, resuming);
  return resuming;
}

/** Where a dry run of a run would send it, without a key. Throws a `UsageError` for another service. */
export async function dryBaseUrl(context: Context, { header }: RecordedRun): Promise<string> {
  const { baseUrl = header.baseUrl } = await context.account();
  const { services } = header.account;
  const isKnown = services.includes(baseUrl) || services.some(isSandbox);
  if (isKnown || isUrlGiven(context)) return baseUrl;
  throw new UsageError(
    `This run was sent to ${header.baseUrl}; the account in use is at ${baseUrl}.`,
    {
      hint: `Nothing was sent. To send the rest there, add: --base-url ${baseUrl}`,
    },
  );
}

function isUrlGiven({ words }: Context): boolean {
  return words.some(({ text }) => /^--base-url(=|$)/.test(text));
}

/** The recorded arguments that decide where the key and the results go, without those given now. */
function onlyRecorded(
  context: Context,
  { common: { baseUrl }, sending: { results } }: RecordedLine,
  given: SendingFlags,
): string[] {
  const quoted = (flag: string, value: string) =>
    visible(shellQuote([flag, value], context.system));
  return [
    ...(baseUrl === undefined || isUrlGiven(context) ? [] : [quoted('--base-url', baseUrl)]),
    ...(results === undefined || given.results !== undefined ? [] : [quoted('--results', results)]),
  ];
}
