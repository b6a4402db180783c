import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { explainStateError } from '../../base/files/state-errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nothingToDo } from '../../command-line/command/flags/allow-empty.ts';
import { done, type Result } from '../../command-line/output/result.ts';
import type { BulkFlags, SendingFlags } from '../bulk/flags.ts';
import { isComplete } from '../bulk/journal/counts.ts';
import { aboutRuns, resumeCommand, shortRunName } from '../bulk/journal/named-run.ts';
import type { RecordedContent } from '../bulk/journal/recorded-line.ts';
import { type RecordedRun, resumingWith } from '../bulk/journal/recorded-run.ts';
import { chainOf, nextRetry } from '../bulk/journal/retry-chain.ts';
import type { ReadRun } from '../bulk/journal/run-store.ts';
import { isSealed } from '../bulk/journal/same-account.ts';
import { sendFile } from '../bulk/run.ts';
import { failureGroups } from '../bulk/show/row-deliveries.ts';
import { rowResults } from '../bulk/show/row-results.ts';
import {
  emailRetryStatuses,
  type RetryStatus,
  retryStatuses,
  retryStatusesGiven,
} from './retry-statuses.ts';
import { type RowState, rowStates } from './row-states.ts';

/** What to retry, and how to send it. */
export interface RetryFlags extends SendingFlags {
  readonly status?: readonly string[];
  readonly file?: string;
  readonly skipInvalid?: true;
  readonly literal?: true;
  readonly allowEmpty?: true;
  readonly expect?: string;
}

/**
 * Sends the rows of a run that ended in some way again, as a run of its own. Whether a row did, is what the service says
 * now about the last email of the row in all retries so far. Throws a `UsageError` if that is doubtful for any row.
 */
export async function retryRun(
  context: Context,
  given: RetryFlags,
  recorded: RecordedRun,
): Promise<Result> {
  const { store, directory, header } = recorded;
  const wanted = wantedStatuses(given);
  try {
    const resuming = await resumingWith(context, recorded, given);
    const chain = chainOf(store, directory, header);
    refuseIncomplete(context, chain);
    const content = contentOf(context, recorded, isSealed(header, resuming.account));
    const latest = chain.at(-1)?.header ?? header;
    const path = pathOf(context, given.file, latest.input);
    const asksService = emailRetryStatuses.some((status) => wanted.has(status));
    const states = await rowStates(context, chain, asksService);
    // A retry has some rows of the chain: those of the run that is named are meant.
    const own = header.retry === undefined ? undefined : rowsOf(recorded);
    const meant = states.filter(({ row }) => own === undefined || own.has(row));
    const isWanted = ({ state }: RowState) => wanted.has(state as RetryStatus);
    const rows = meant.filter(isWanted);
    if (rows.length === 0) {
      const none = noneInWords(context, recorded, wanted);
      if (given.allowEmpty !== true) throw nothingToDo(none, 'Nothing was sent.');
      return done({ reply: { rows: 0 }, ids: [], message: none, isNothing: true });
    }
    for (const line of retriedInWords(rows, meant)) context.notes.say(line);
    const unknown = rows.filter(({ state }) => state === 'unknown').length;
    if (unknown > 0) {
      context.notes.warn(
        `${unknown} of these emails may have been sent already: their recipients may get them twice.`,
      );
    }
    const flags = flagsOf(content, header.line.sending, given);
    const retry = {
      link: nextRetry(chain, directory, header),
      rows: {
        numbers: new Set(rows.map(({ row }) => row)),
        recipients: new Map(states.flatMap(recipientsKnown)),
        digest: latest.fingerprint.digest,
      },
      ...{ content, header },
    };
    return await sendFile(context, flags, path, { retry, resuming });
  } catch (error) {
    throw explainStateError(error, store.directory);
  }
}

/** That no row has a wanted status; for a retry, which has some rows only, with the run that has all. */
function noneInWords(
  context: Context,
  { directory, header }: RecordedRun,
  wanted: ReadonlySet<RetryStatus>,
): string {
  const none = `No row of run ${shortRunName(directory)} can be retried: none is ${[...wanted].join(' or ')} now.`;
  if (header.retry === undefined) return none;
  const first = aboutRuns(context, 'retry', shortRunName(header.retry.first));
  return `${none} It is a retry; for the rows of the first run: ${first}`;
}

function wantedStatuses({ status, resendUnknown }: RetryFlags): ReadonlySet<RetryStatus> {
  if (status === undefined) {
    throw new UsageError('Which rows are to be sent again? Give --status.', {
      hint: `One or more of: ${retryStatuses.join(', ')}`,
    });
  }
  const wanted = retryStatusesGiven(status);
  if (wanted.has('unknown') && resendUnknown !== true) {
    throw new UsageError(
      '--status unknown: these emails may have been sent, so their recipients may get them twice.',
      { hint: 'Nothing was sent. To send them anyway, add --resend-unknown.' },
    );
  }
  if (!wanted.has('unknown') && resendUnknown === true) {
    throw new UsageError('--resend-unknown needs --status unknown');
  }
  return wanted;
}

/** Throws a `UsageError` if a run of the chain may still send something. */
function refuseIncomplete(context: Context, chain: readonly ReadRun[]): void {
  const open = chain.find(({ counts }) => !isComplete(counts));
  if (open === undefined) return;
  const which = open.header.retry === undefined ? 'The run' : `A retry of the run, ${open.name},`;
  throw new UsageError(`${which} is incomplete, so a retry could send an email twice.`, {
    hint: `Nothing was sent. To resume it first: ${resumeCommand(context, open.name)}`,
  });
}

/** The flags of a run. Throws a `UsageError` if they are not known, or if who wrote them did not have the API key. */
function contentOf(
  context: Context,
  { directory, header }: RecordedRun,
  isOwn: boolean,
): RecordedContent {
  const { content } = header.line;
  if (content === undefined) {
    throw new UsageError(
      `Run ${shortRunName(directory)} was started by an older mailer, which did not record its flags.`,
      {
        hint: `Nothing was sent. To list its rows, and send them with email batch: ${aboutRuns(context, 'get', shortRunName(directory), '--status', 'bounced', '--csv')}`,
      },
    );
  }
  if (isOwn) return content;
  throw new UsageError(
    'The journal of this run was not written with this API key, so its flags are not used.',
    {
      hint: `Nothing was sent. If both keys are of the same account: ${resumeCommand(context, directory, '--same-account')}`,
    },
  );
}

/** The flags of a run, with which its rows are sent again. */
function flagsOf(
  { flags: { maxInvalid, skipInvalid, ...content } }: RecordedContent,
  // The file of results is about the first run.
  { results: _, ...sending }: SendingFlags,
  { status: __, file: ___, resendUnknown: ____, ...given }: RetryFlags,
): BulkFlags {
  const leavesOut = maxInvalid !== undefined || skipInvalid === true;
  return {
    ...content,
    ...(leavesOut && { skipInvalid: true }),
    // What was to be sent at a time that has passed is sent at once.
    allowPast: true,
    ...sending,
    ...given,
  };
}

/** Where the rows are read. Throws a `UsageError` if a run read them from stdin. */
function pathOf({ system }: Context, file: string | undefined, input: string): string {
  if (file !== undefined) return file === '-' ? file : resolve(system.cwd, file);
  if (input !== '-') return input;
  throw new UsageError('The rows of this run came from stdin. Give them again: --file FILE', {
    hint: 'Nothing was sent. A complete run keeps no emails.',
  });
}

function rowsOf({ store, directory, header }: RecordedRun): ReadonlySet<number> {
  const rows = store.look(directory, (journal) => [...rowResults({ journal, header })]) ?? [];
  return new Set(rows.map(({ row }) => row));
}

/** The recipients that a row must still have: an invalid one has none, or wrong ones. */
function recipientsKnown({ row, to, state }: RowState): [number, string][] {
  return state === 'invalid' || to === '' ? [] : [[row, to]];
}

/** Addresses that a group names. */
const maxNames = 3;

/** What the states of rows that are left alone are called. */
const inWords: Readonly<Record<string, string>> = {
  bounced: 'bounced permanently',
  opted_out: 'opted out',
};

/** Which rows are sent again and why, and how far the others are, in lines. */
function retriedInWords(rows: readonly RowState[], all: readonly RowState[]): string[] {
  const groups = failureGroups(rows).map(({ status, reason, rows: count, to }) => {
    const why = [status, reason].filter(Boolean).join(': ');
    return `  ${grouped(count)} ${why} (${withOverflowCount(to.slice(0, maxNames), count).join(', ')})`;
  });
  const sent = new Set(rows);
  const left = countsOf(all.filter((one) => !sent.has(one)).map(({ state }) => state));
  return [
    `${grouped(rows.length)} of ${quantity(all.length, 'row')} will be sent again:`,
    ...groups,
    ...(left.length > 0 ? [`The others are left alone: ${left.join(', ')}.`] : []),
  ];
}

function countsOf(states: readonly string[]): string[] {
  return [...Map.groupBy(states, (state) => state)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([state, { length }]) => `${grouped(length)} ${inWords[state] ?? state}`);
}
