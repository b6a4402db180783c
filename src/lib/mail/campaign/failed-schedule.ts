import type { Campaign } from '../../../api/campaign.ts';
import { isPlainRejection, problemOf, RejectedError, withHint } from '../../base/errors.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { explainSender } from '../../command-line/command/names/sender-domain.ts';
import { needsSubscribers } from './failed-create.ts';
import { fetchCampaign } from './find-campaign.ts';

/** Adds to the error of a start what is wrong with the sender, or that nobody in the book is subscribed. */
export async function explainFailedSchedule(
  error: unknown,
  context: Context,
  campaignId: string,
): Promise<unknown> {
  if (!(error instanceof RejectedError && isPlainRejection(problemOf(error)))) return error;
  const found = await bestEffort(context, (within) => fetchCampaign(context, campaignId, within));
  const { from, contactBookId }: Partial<Campaign> = found ?? {};
  const explained = from ? await explainSender(error, context, [from]) : error;
  if (explained !== error || !contactBookId) return explained;
  const params = { contactBookId };
  const contacts = await bestEffort(context, (within) =>
    context.call('contact.list', { params, query: {} }, within),
  );
  if (contacts?.some(({ subscribed }) => subscribed === true) !== false) return error;
  return withHint(error, needsSubscribers(context, contactBookId));
}
