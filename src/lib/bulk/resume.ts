import { join } from 'node:path';
import type { CommonFlags } from '../command/common-flags.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { emailWait } from '../email/wait-flags.ts';
import { UsageError } from '../errors.ts';
import { done, type Result } from '../output/result.ts';
import { shellQuote } from '../text/shell-quote.ts';
import { visible } from '../text/visible.ts';
import { carryOut } from './carry-out.ts';
import type { SendingFlags } from './flags.ts';
import { type RunHeader, readHeader } from './journal/header.ts';
import { explainStateError, JournalError } from './journal/journal-error.ts';
import { openJournal } from './journal/journal-file.ts';
import { runNamed } from './journal/named-run.ts';
import type { RecordedLine } from './journal/recorded-line.ts';
import { type RunStore, runFiles, runsOf } from './journal/run-store.ts';
import { showFirstRequest } from './show/first-request.ts';
import { tryResults } from './show/results-file.ts';

/** Where runs are looked for. */
type Place = Pick<Context, 'flags' | 'system'>;

/**
 * The flags that every command has, as they were when the run was last sent. Throws as `runNamed` does,
 * and a `UsageError` for a run whose journal does not say them.
 */
export async function recordedFlags(place: Place, named: string): Promise<CommonFlags> {
  return recordedRun(place, named).line.common;
}

/**
 * Resumes a run from its journal, as the command line that last sent it would; flags given now win.
 * The input is not read again: the emails are kept as they were prepared. Throws like
 * `recordedFlags`, and a `UsageError` for another service than the run is of.
 */
export async function resumeRun(
  context: Context,
  given: SendingFlags,
  named: string,
): Promise<Result> {
  const { store, directory, header, line } = recordedRun(context, named);
  try {
    const flags = { ...line.sending, ...given };
    const wait = await emailWait(flags);
    tryResults(flags, header.input, context.system);
    const account = await context.account();
    const { dryRun = false } = context.flags;
    const baseUrl = dryRun ? (account.baseUrl ?? header.baseUrl) : account.service();
    if (baseUrl !== header.baseUrl) throw anotherService(header.baseUrl, baseUrl);
    if (dryRun) return await showNext(context, store, directory, header);
    const { sending = 1 } = header;
    const found = { directory, sending, known: true };
    const onlyRecorded = notGiven(context, line, given);
    return await carryOut(
      { context, flags, wait, store, isWhole: false, onlyRecorded },
      found,
      await account.key(),
    );
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

interface RecordedRun {
  readonly store: RunStore;
  readonly directory: string;
  readonly header: RunHeader;
  readonly line: RecordedLine;
}

function recordedRun(place: Place, named: string): RecordedRun {
  const store = runsOf(place);
  const directory = runNamed(place, store, named);
  const path = store.path(directory);
  const journal = openJournal(join(path, runFiles.journal), { check: false });
  let header: RunHeader | undefined;
  try {
    header = readHeader(journal);
  } catch (error) {
    throw new JournalError(path, 'cannot be read', error);
  } finally {
    journal.close();
  }
  if (header === undefined) throw new JournalError(path, 'has no header');
  if (header.line === undefined) throw notRecorded(place, header);
  return { store, directory, header, line: header.line };
}

function notRecorded(place: Place, { input }: RunHeader): UsageError {
  const words = nextCommand(place, 'email', 'batch', input);
  return new UsageError(
    'An earlier version of mailer started this run and did not record its command line.',
    { hint: `Nothing was sent. Run the same command again to resume it: ${words} …` },
  );
}

/** The recorded words that say where the key and the results go, but for those that are given now. */
function notGiven(
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

function anotherService(ofRun: string, inUse: string): UsageError {
  return new UsageError(`This run sends to ${ofRun}; the account in use is at ${inUse}.`, {
    hint: `Use the account that started the run: its --profile, or MAILER_API_KEY and MAILER_BASE_URL. Nothing was sent.`,
  });
}

/** Shows the request that is sent next: ends the command under `--dry-run`. */
async function showNext(
  context: Context,
  store: RunStore,
  directory: string,
  header: RunHeader,
): Promise<Result> {
  const path = store.path(directory);
  const files = { journal: join(path, runFiles.journal), bodies: join(path, runFiles.bodies) };
  await showFirstRequest(context, files, header);
  return done({ reply: { emails: 0 }, ids: [], message: 'There is nothing to send.' });
}
