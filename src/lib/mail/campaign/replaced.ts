import type { Campaign, CampaignSummary, CreateCampaignBody } from '../../../api/campaign.ts';
import {
  ConflictError,
  MailerError,
  NotFoundError,
  NotOfferedError,
  withHint,
} from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { deleteOnce } from '../../command-line/command/delete-once.ts';
import { fetchIfAvailable } from '../../command-line/command/fetch-if-available.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { fetchCampaignPages } from './campaign-pages.ts';
import { fetchCampaign, findCampaign } from './find-campaign.ts';
import { refuseRepeated } from './repeated.ts';
import { alreadySent, refuseBegun } from './replace-started.ts';

/**
 * A campaign that can be replaced, in full: a draft, or a started one that was sent to nobody. Throws a `ConflictError`
 * for any other, and a `NotOfferedError` if the service does not show what a new one would take over.
 */
export async function campaignToReplace(context: Context, named: string): Promise<Campaign> {
  const campaign: CampaignSummary & Partial<Campaign> = await findCampaign(context, named);
  const { id, status } = campaign;
  const isStarted = status === 'SCHEDULED' || status === 'RUNNING' || status === 'PAUSED';
  if ((isStarted && campaign.sent) || status === 'SENT') {
    throw alreadySent(context, campaign, 'Nothing was created or deleted.');
  }
  if (!isStarted && status !== 'DRAFT') {
    throw new ConflictError(`Campaign ${id} is ${status}, so it is not replaced.`, {
      hint: 'Nothing was created or deleted.',
    });
  }
  const isWhole = campaign.contactBookId && (campaign.html || campaign.content);
  if (!isWhole || (isStarted && typeof campaign.sent !== 'number')) {
    throw new NotOfferedError(`This service does not show campaign ${id} in full.`, {
      hint: `Nothing was created or deleted. Create another campaign and delete this one: ${nextCommand(context, 'campaign', 'delete', id)}`,
    });
  }
  if (campaign.batchWindowMinutes) {
    context.notes.warn(
      `The old campaign pauses ${campaign.batchWindowMinutes} minutes between batches. The new one does not: only the dashboard can set that.`,
    );
  }
  // It has what only a campaign in full has.
  return campaign as Campaign;
}

/**
 * Throws a `ConflictError` if another campaign of this name has been started in the last day: a replacement whose
 * response was lost may have started it, and the draft that it could not delete looks as if it had not. Throws like
 * `refuseRepeated`.
 */
export async function refuseSecondStart(
  context: Context,
  { id }: Campaign,
  body: CreateCampaignBody,
): Promise<void> {
  const { name, sendNow, scheduledAt } = body;
  if (sendNow !== true && scheduledAt === undefined) return;
  const since = (await context.serviceClock('ask'))() - day;
  const started = await fetchIfAvailable(async () => {
    for await (const { rows } of fetchCampaignPages(context, { search: name })) {
      const found = rows.find(
        (one) =>
          one.id !== id &&
          one.name === name &&
          one.status !== 'DRAFT' &&
          Date.parse(one.createdAt ?? '') > since,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }, 'Nothing was created or deleted, because the campaigns could not be listed.');
  if (started === undefined) {
    const undone = 'Nothing was created or deleted';
    const start = nextCommand(context, 'campaign', 'schedule', '@last', '--now', '--again');
    const settle = `To start it anyway, replace the campaign without --now or --scheduled-at, then run: ${start}`;
    return await refuseRepeated(context, { ...body, id }, { undone, settle });
  }
  throw new ConflictError(
    `Campaign ${started.id} has the same name and is ${started.status}, so a second one would send everybody the same.`,
    {
      hint: `Nothing was created or deleted. If it is the replacement: ${nextCommand(context, 'campaign', 'delete', id)}\nIf both are meant, give the new one another --name.`,
    },
  );
}

const day = 24 * 60 * 60 * 1000;

/**
 * Deletes the old campaign once `madeId` is there in its place, and says what became of it. An error says which campaigns
 * there are, and what to do.
 */
export async function deleteReplaced(
  context: Context,
  old: Campaign,
  madeId: string,
): Promise<string> {
  const { id } = old;
  const what = old.status === 'DRAFT' ? 'draft' : 'paused campaign';
  const gone = `The ${what} ${id} was gone already.`;
  const remove = nextCommand(context, 'campaign', 'delete', id);
  const both = `Campaign ${madeId} was created; ${id} is still there.`;
  try {
    const now = await fetchCampaign(context, id);
    if (now === undefined) return gone;
    await refuseBegun(context, old, now, both);
    await deleteOnce(`campaign ${id}`, undefined, async (options) => {
      await context.call('campaign.delete', { params: { campaignId: id } }, options);
    });
    return `Deleted the ${what} ${id}.`;
  } catch (error) {
    // Without a code, the 404 may mean that the operation is missing.
    if (error instanceof NotFoundError && error.details.apiCode !== undefined) return gone;
    if (!(error instanceof MailerError)) throw error;
    if (error instanceof ConflictError) {
      const look = nextCommand(context, 'campaign', 'get', id);
      throw withHint(error, `${error.details.hint ?? both}\nTo look at the old one: ${look}`);
    }
    const unsure = error.outcomeUnknown ? `Campaign ${madeId} was created.` : both;
    throw withHint(error, `${unsure} To delete the old one: ${remove}`);
  }
}
