import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import type { Context } from '../command/context.ts';
import { deleteOnce } from '../command/delete-once.ts';
import { nextCommand } from '../command/next-command.ts';
import { ConflictError, MailerError, NotOfferedError, withHint } from '../errors.ts';
import { fetchCampaign, findCampaign } from './find-campaign.ts';

/**
 * A draft, in full. Throws a `ConflictError` for a campaign of another status, and a `NotOfferedError` if the service
 * does not show what a new one would take over.
 */
export async function draftToReplace(context: Context, named: string): Promise<Campaign> {
  const campaign: CampaignSummary & Partial<Campaign> = await findCampaign(context, named);
  const { id, status } = campaign;
  if (status !== 'DRAFT') {
    throw new ConflictError(`Campaign ${id} is not a draft (${status}), so it is not replaced.`, {
      hint: 'Nothing was created or deleted.',
    });
  }
  if (!campaign.contactBookId || !(campaign.html || campaign.content)) {
    throw new NotOfferedError(`This service does not show campaign ${id} in full.`, {
      hint: `Nothing was created or deleted. Create another campaign and delete this one: ${nextCommand(context, 'campaign', 'delete', id)}`,
    });
  }
  if (campaign.batchWindowMinutes) {
    context.notes.warn(
      `The draft pauses ${campaign.batchWindowMinutes} minutes between batches. The new one does not: only the dashboard can set that.`,
    );
  }
  // It has what only a campaign in full has.
  return campaign as Campaign;
}

/** Deletes the draft once `madeId` is there in its place. An error says which campaigns there are, and what to do. */
export async function deleteReplaced(
  context: Context,
  { id }: Campaign,
  madeId: string,
): Promise<void> {
  const remove = nextCommand(context, 'campaign', 'delete', id);
  const both = `Campaign ${madeId} was created; ${id} is still there.`;
  try {
    const now = await fetchCampaign(context, id);
    if (now === undefined) return;
    if (now.status !== 'DRAFT') {
      throw new ConflictError(`Campaign ${id} is no longer a draft (${now.status}).`);
    }
    await deleteOnce(`campaign ${id}`, undefined, async (options) => {
      await context.call('campaign.delete', { params: { campaignId: id } }, options);
    });
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    if (error instanceof ConflictError) {
      const look = nextCommand(context, 'campaign', 'get', id);
      throw withHint(error, `${both} To look at it: ${look}`);
    }
    const unsure = error.outcomeUnknown ? `Campaign ${madeId} was created.` : both;
    throw withHint(error, `${unsure} To delete the old one: ${remove}`);
  }
}
