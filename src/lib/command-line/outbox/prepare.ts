import { ApprovalNeededError, UsageError } from '../../base/errors.ts';
import { bodyText } from '../../base/system/wire.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { Held } from '../../service/http/held.ts';
import type { Hold } from '../../service/http/request-guard.ts';
import { classify } from '../../service/policy/mailing.ts';
import { whyApproval } from '../../service/policy/refusal.ts';
import { accountInUse } from '../command/account-in-use.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import type { Result } from '../output/result.ts';
import { describe } from './describe.ts';
import type { Described, KeptEntry } from './outbox-shapes.ts';
import { entryId, lifetime, outboxOf, type StoredEntry } from './outbox-store.ts';
import { showEntry } from './show-entry.ts';

/** What is stored besides what every entry has. */
export interface ToStore extends Pick<KeptEntry, 'digest' | 'request' | 'journal'> {
  readonly described: Described;
  readonly hold: Hold;
  /** The directory of a prepared run, which is moved into the outbox. */
  readonly run?: string;
}

/** Stores what would have been sent, with what the command has warned of. Throws a `ConflictError` if it was sent before. */
export async function storePrepared(
  context: Context,
  { described, hold, run, ...exact }: ToStore,
): Promise<StoredEntry> {
  const account = await accountInUse(context);
  await context.logged();
  const now = (await context.clock())();
  const about = {
    ...exact,
    profile: account.profile ?? null,
    isAgain: context.words.some(
      ({ text, kind }) => kind === 'flag' && /^--(again|allow-duplicate)(=|$)/.test(text),
    ),
    account: digestOfAccount(exact.digest, account),
  };
  const command = context.words.flatMap(({ text, kind }) => (kind === 'command' ? [text] : []));
  const kept: KeptEntry = {
    ...{
      version: 1,
      id: entryId({ ...about, ...described }),
      state: 'pending',
      command: command.join(' '),
    },
    ...{ ...about, baseUrl: account.baseUrl },
    preparedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + lifetime).toISOString(),
    ...described,
    findings: [...context.notes.warned()],
    ...{ why: hold.refusal?.message ?? null, run: null, ids: [] },
  };
  return (await outboxOf(context)).add(kept, run);
}

/** The account that an entry is for; not to be made without its key. */
export function digestOfAccount(
  digest: string,
  { service, secret }: Pick<Awaited<ReturnType<typeof accountInUse>>, 'service' | 'secret'>,
): string {
  return sha256(JSON.stringify([digest, service, secret]));
}

/**
 * What ends a command whose request is held: the stored entry as its result, or the error that a rule asks for.
 * `isExact` is whether the request is all that the command does, so that it can be stored.
 */
export async function storeHeld(
  context: Context,
  { held }: Held,
  isExact: boolean,
): Promise<Result> {
  const { request, idempotencyKey, digest, refusal } = held;
  // A batch is one part of a run: approving it would not show the others.
  const isPart = classify(request).kind === 'batch';
  if (!isExact || isPart) throw needsApproval(context, refusal);
  const stored = await storePrepared(context, {
    digest,
    request: {
      ...{ method: request.method, path: request.path, idempotencyKey: idempotencyKey ?? null },
      ...(request.body === undefined ? {} : { body: bodyText(request.body) }),
    },
    journal: null,
    described: await describe(context, request),
    hold: held,
  });
  return storedResult(context, stored, held);
}

/**
 * The result of a command that stored an entry; where a rule asks for it, and the command line does not, throws an
 * `ApprovalNeededError`.
 */
export function storedResult(context: Context, stored: StoredEntry, { refusal }: Hold): Result {
  const isAsked = context.flags.forApproval === true || refusal === undefined;
  if (isAsked) return showEntry(context, stored.shown);
  throw needsApproval(context, refusal, stored.shown.id);
}

/** The error of a command that needs approval, which is stored as an entry if it could be. */
export function needsApproval(
  context: Pick<Context, 'flags' | 'system'>,
  refusal: Hold['refusal'],
  id?: string,
): ApprovalNeededError | UsageError {
  if (refusal === undefined) {
    return new UsageError('--for-approval: this command cannot be stored in the outbox.', {
      hint: 'Nothing was stored or sent.',
    });
  }
  const { message, ...rule } = refusal;
  const approve = id && nextCommand(context, 'outbox', 'approve', id);
  return new ApprovalNeededError(message, {
    outbox: id,
    refusal: rule,
    hint:
      approve === undefined
        ? 'Nothing was sent, and this command cannot be stored in the outbox. Commands that can: email send, email batch, run retry, campaign create, campaign schedule, campaign resume'
        : `Nothing was sent. It is stored in the outbox as ${id}. A person approves it at a terminal: ${approve}`,
  });
}

/**
 * Asks the policy before a command of several steps changes anything: the guard would refuse only its last one. Throws an
 * `ApprovalNeededError` if a rule may ask for approval.
 */
export async function refuseUnapproved(
  context: Pick<Context, 'flags' | 'policy' | 'system'>,
): Promise<void> {
  const anybody = { recipients: undefined, mailboxes: undefined };
  const refusal = whyApproval((await context.policy()).policy, anybody);
  if (refusal !== undefined) throw needsApproval(context, refusal);
}
