import { createHash } from 'node:crypto';
import { UsageError } from '../../../base/errors.ts';
import type { AccountInUse } from '../../../command-line/command/account-in-use.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Claim } from './account-number.ts';
import { howFar, isComplete } from './counts.ts';
import {
  joinedBy,
  type KnownAccount,
  knownAs,
  type Relation,
  relationTo,
} from './known-account.ts';
import { resumeCommand } from './named-run.ts';
import type { RunHeader } from './run-header.ts';
import type { ReadRun } from './run-store.ts';

/** A command line with which a run is to be sent. */
export interface Resuming extends Claim {
  /** Whether a person has approved exactly this run. */
  readonly isApproved?: boolean;
  /** Set if it resumes a run from its journal. */
  readonly recorded?: {
    readonly isUrlGiven: boolean;
    /** Arguments that are only in the journal, and that could send the key or the results elsewhere. */
    readonly onlyRecorded: readonly string[];
  };
}

/** A header with a seal: a digest of where the run is sent to and how, which cannot be made without the key. */
export function sealed(header: Omit<RunHeader, 'seal'>, { secret }: AccountInUse): RunHeader {
  return { ...header, seal: sealOf(header, secret) };
}

/** Whether who wrote a header had this API key. */
export function isSealed(header: RunHeader, { secret }: AccountInUse): boolean {
  return header.seal === sealOf(header, secret);
}

function sealOf({ run, baseUrl, account, line }: Omit<RunHeader, 'seal'>, secret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([run, baseUrl, account, line, secret]))
    .digest('hex');
}

/**
 * The account to record with a run that is to be sent with the one in use: with its key and URL if they are
 * new, and if nothing was sent or the user says that it is the same account. Otherwise, and if the command line
 * relies on a journal that somebody without the key may have written, throws a `UsageError`.
 */
export function checkSameAccount(context: Context, run: ReadRun, resuming: Resuming): KnownAccount {
  const { header } = run;
  const { account, sameAccount, recorded } = resuming;
  const relation = relationTo(header.account, header.run, account);
  const { accepted, refused, begun, unknown } = run.counts;
  const isUntouched = accepted + refused + begun + unknown === 0;
  const isTold = isUntouched || sameAccount;
  if (recorded === undefined) {
    if (relation !== 'same' && !isTold) throw notSame(context, run, relation, resuming);
  } else {
    const hasKey = relation === 'same' || relation === 'other service';
    const hasService = relation === 'same' || relation === 'other key';
    if (!hasKey && !isTold) throw notSame(context, run, relation, resuming);
    const { onlyRecorded, isUrlGiven } = recorded;
    if (onlyRecorded.length > 0 && !isSealed(header, account)) {
      throw new UsageError(
        'This API key did not write the journal of this run, so its base URL and its results file are not used.',
        { hint: `If they are right, add: ${onlyRecorded.join(' ')}. Nothing was sent.` },
      );
    }
    if (!hasService && !isUrlGiven) throw notSame(context, run, relation, resuming);
  }
  if (relation === 'same') return header.account;
  return isUntouched ? knownAs(header.run, account) : joinedBy(header.account, header.run, account);
}

/** The command line that resumes a run with the account in use. */
export function resumeWith(
  context: Pick<Context, 'flags' | 'system'>,
  name: string,
  { profile, baseUrl }: AccountInUse,
  relation: Relation,
): string {
  return resumeCommand(
    context,
    name,
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...['--base-url', baseUrl],
    ...(relation === 'other service' ? [] : ['--same-account']),
  );
}

/** What differs, and the ways out. */
function notSame(
  context: Context,
  { name, header, counts }: ReadRun,
  relation: Exclude<Relation, 'same'>,
  { account }: Resuming,
): UsageError {
  const resume = resumeWith(context, name, account, relation);
  const rest = isComplete(counts)
    ? 'nothing is left to send.'
    : `this sends the rest:\n${resume}\n`;
  const again = `email batch with --again=${header.sending + 1} sends to everybody, also to those who have the email.`;
  return new UsageError(whatDiffers(relation, header.baseUrl, account.baseUrl), {
    hint: [
      `Nothing was sent this time; ${howFar(counts, header, ' so far')}.`,
      `If it is the same account, ${rest}`.trimEnd(),
      `If it is another account, ${again}`,
    ].join(rest.endsWith('\n') ? '\n' : ' '),
  });
}

function whatDiffers(relation: Exclude<Relation, 'same'>, before: string, now: string): string {
  const known = `This run was started with another API key at ${before}`;
  return {
    'other service': `This run was started with this API key at ${before}; the base URL in use is ${now}. Both may lead to the same account.`,
    'other key': `${known}. Both keys may be of the same account.`,
    'other account': `${known}; the account in use is at ${now}.`,
  }[relation];
}
