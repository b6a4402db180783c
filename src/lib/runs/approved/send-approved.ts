import type { CreateCampaignBody } from '../../../api/campaign.ts';
import { ApprovalNeededError, UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { checkExact } from '../../command-line/outbox/check-exact.ts';
import { type Outbox, outboxOf, type StoredEntry } from '../../command-line/outbox/outbox-store.ts';
import { sendRequest } from '../../command-line/outbox/send-request.ts';
import { showEntry } from '../../command-line/outbox/show-entry.ts';
import type { Result } from '../../command-line/output/result.ts';
import { sendRun } from './send-run.ts';

/**
 * Sends what a person has approved, and nothing else: once, however often it is called. Throws an `ApprovalNeededError` for
 * an entry that waits, a `UsageError` for one that was rejected, has expired, was changed or is of another account, and
 * what sending throws.
 */
export async function sendApproved(context: Context, id: string): Promise<Result> {
  const outbox = await outboxOf(context);
  // Before there is a lock of it.
  outbox.get(id);
  return await outbox.holding(id, async () => await send(context, outbox, outbox.get(id)));
}

async function send(context: Context, outbox: Outbox, stored: StoredEntry): Promise<Result> {
  const { kept, shown, decided, bytes } = stored;
  const { id, state } = shown;
  if (state === 'sent') {
    context.notes.say('It was sent before. Nothing more was sent.');
    return showEntry(context, shown);
  }
  if (state === 'pending') {
    throw new ApprovalNeededError(`Entry ${id} of the outbox is not approved.`, {
      outbox: id,
      hint: `Nothing was sent. A person approves it at a terminal: ${nextCommand(context, 'outbox', 'approve', id)}`,
    });
  }
  if (state === 'rejected' || state === 'expired') {
    const why = state === 'rejected' ? 'was rejected' : 'has expired';
    throw new UsageError(`Entry ${id} of the outbox ${why}.`, {
      hint: 'Nothing was sent. To send it, prepare it again.',
    });
  }
  if (decided?.entry !== bytes) {
    throw new UsageError(`Entry ${id} of the outbox was changed since it was approved.`, {
      hint: 'Nothing was sent. Prepare it again.',
    });
  }
  await checkExact(context, stored, { hasBegun: state === 'begun' });
  if (kept.journal === null) {
    if (state !== 'begun') await refuseRepeatedStart(context, stored);
    return await sendRequest(context, outbox, stored);
  }
  return await sendRun(context, outbox, stored, kept.journal.directory);
}

/** Throws like `refuseRepeated`: another campaign may have been started since this one was prepared. */
async function refuseRepeatedStart(context: Context, { kept }: StoredEntry): Promise<void> {
  const { id, isAgain, campaign, campaignDigest, scheduledAt, request } = kept;
  if (campaignDigest === null || isAgain) return;
  // The command that made it has checked it.
  const body = JSON.parse(request?.body ?? '{}') as Partial<CreateCampaignBody>;
  if (campaign === null && body.sendNow !== true && scheduledAt === null) return;
  const [{ refuseRepeated }, { fetchCampaign }] = await Promise.all([
    import('../../mail/campaign/repeated.ts'),
    import('../../mail/campaign/find-campaign.ts'),
  ]);
  const starting =
    campaign === null ? body : { ...(await fetchCampaign(context, campaign)), scheduledAt };
  const flag = campaign === null ? '--allow-duplicate' : '--again';
  await refuseRepeated(context, starting, {
    undone: `Entry ${id} of the outbox was not sent`,
    settle: `To start it all the same, prepare it again with ${flag}.`,
  });
}
