import type { Campaign, CampaignSummary, CreateCampaignBody } from '../../../api/campaign.ts';
import { limits } from '../../../api/limits.ts';
import { ConflictError, withHint } from '../../base/errors.ts';
import { compact } from '../../base/text/compact.ts';
import { toUtcSeconds } from '../../base/text/local-time.ts';
import { quantity } from '../../base/text/quantity.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchIfAvailable } from '../../command-line/command/fetch-if-available.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { waive } from '../message/gate.ts';
import { checkBeforeRetryHint } from './check-before-retry.ts';
import { fetchCampaign } from './find-campaign.ts';
import { restRecipe } from './rest-recipe.ts';
import { awaitedCampaign, startCampaignWait, watchCampaign } from './watch-campaign.ts';

/**
 * Stops a started campaign, and makes sure that it was sent to nobody. Throws a `ConflictError` if it was, a
 * `WaitTimeoutError` if it does not become PAUSED, and the service's error if it cannot be paused. Each says how far it is.
 */
export async function stopToReplace(context: Context, old: Campaign): Promise<void> {
  const { id, status } = old;
  if (status === 'DRAFT') return;
  const nothing = 'Nothing was created or deleted';
  const look = nextCommand(context, 'campaign', 'get', id);
  const unsure = `${nothing}; campaign ${id} may be paused by now. To look at it: ${look}`;
  try {
    if (status !== 'PAUSED') {
      await context.call('campaign.pause', { params: { campaignId: id } });
      context.notes.say(`Pausing campaign ${id}.`);
    }
    const polling = { timeout: stopsWithin, interval: undefined, heartbeat: stopsWithin };
    const wait = await startCampaignWait(context, id, polling);
    let { campaign, ending } = wait.first;
    for await (const next of watchCampaign(context, wait)) ({ campaign, ending } = next);
    if (ending === 'timeout') throw wait.waiting.timeIsUp(awaitedCampaign(context, campaign));
    await refuseBegun(context, old, campaign, `${nothing}.`);
  } catch (error) {
    throw error instanceof ConflictError && error.details.request === undefined
      ? error
      : withHint(error, unsure);
  }
}

/** How long a campaign may take to become PAUSED, in milliseconds. */
const stopsWithin = 60_000;

/** Throws a `ConflictError` unless a campaign is paused, and nobody has it by its counter and by the list of emails. */
export async function refuseBegun(
  context: Context,
  old: Campaign,
  now: CampaignSummary,
  done: string,
): Promise<void> {
  if (now.status === 'DRAFT' && old.status === 'DRAFT') return;
  if (now.sent === 0 && now.status === 'PAUSED') {
    if (!(await hasEmails(context, old))) return;
    throw new ConflictError(
      `The counter of campaign ${old.id} is 0, but the service lists emails that look like its own, so it is not replaced.`,
      { hint: `${done} Campaign ${old.id} is paused.\n${restRecipe}` },
    );
  }
  if (now.sent) throw alreadySent(context, now, done);
  throw new ConflictError(
    `Campaign ${old.id} is ${now.status}, not ${old.status === 'DRAFT' ? 'a draft' : 'PAUSED'}, so it is not deleted.`,
    { hint: done },
  );
}

/** Emails that are looked through, from the newest: those of a campaign that has just begun are among them. */
const mostPages = 10;

/**
 * Whether emails that look like those of a campaign exist, which its counter may not count before they are sent. Says so
 * where the service does not list them all.
 */
async function hasEmails(context: Context, campaign: Campaign): Promise<boolean> {
  // Late, because help pages do without patterns of addresses.
  const { emailsOfCampaign } = await import('./emails-of-campaign.ts');
  const now = (await context.serviceClock('ask'))();
  const { since, matches } = await emailsOfCampaign(context, campaign, now);
  const startDate = toUtcSeconds(new Date(since));
  const limit = limits.emailsPerPage.max;
  for (let page = 1; page <= mostPages; page++) {
    const ask = () => context.call('email.list', { query: { page, limit, startDate } });
    const reply = await fetchIfAvailable(ask, 'The emails could not be listed.');
    if (reply?.data.some(matches)) return true;
    if (reply !== undefined && reply.data.length < limit) return false;
    if (reply === undefined) break;
  }
  context.notes.warn(
    'The service does not list all emails of this time, so only its counter tells that nobody has got the campaign.',
  );
  return false;
}

/** The error for a campaign that some have, or may have; `hint` says what was done. */
export function alreadySent(
  context: Context,
  campaign: CampaignSummary,
  hint: string,
): ConflictError {
  const { id, status, sent } = campaign;
  const to = sent ? ` to ${quantity(sent, 'contact')}` : '';
  const stop = nextCommand(context, 'campaign', 'pause', id);
  const isGoing = status === 'RUNNING' || status === 'SCHEDULED';
  return new ConflictError(
    `Campaign ${id} has been sent${to} (${status}), so it is not replaced: contacts would get both.`,
    {
      hint: compact(hint, isGoing && `To stop it: ${stop}`, status !== 'SENT' && restRecipe).join(
        '\n',
      ),
    },
  );
}

/** Adds to the error of a create what became of the campaign that it was to replace. */
export function stillPaused(context: Context, { id }: Campaign, error: unknown): unknown {
  const resume = nextCommand(context, 'campaign', 'resume', id);
  return alsoSaying(
    error,
    `Campaign ${id} is paused, and was not deleted. To resume it as it is: ${resume}`,
  );
}

/**
 * Starts a replacement that was created as a draft, as the request says, and returns it as it is then, as far as the
 * service shows it. An error says what there is.
 */
export async function startReplacement(
  context: Context,
  made: CampaignSummary,
  { sendNow, scheduledAt }: CreateCampaignBody,
): Promise<CampaignSummary> {
  if (sendNow !== true && scheduledAt === undefined) return made;
  const campaignId = made.id;
  const input = { params: { campaignId }, body: sendNow === true ? {} : { scheduledAt } };
  const hintIfUnknown = checkBeforeRetryHint(context, campaignId);
  const start = nextCommand(context, 'campaign', 'schedule', campaignId, '--now');
  try {
    await context.callPassed(waive('passed before'), 'campaign.schedule', input, { hintIfUnknown });
  } catch (error) {
    throw alsoSaying(
      error,
      `The old campaign was deleted; the new one is ${campaignId}. To start it now, if it is still a draft: ${start}`,
    );
  }
  const shown = await bestEffort(context, (within) => fetchCampaign(context, campaignId, within));
  return shown ?? { id: campaignId };
}

function alsoSaying(error: unknown, more: string): unknown {
  return withHint(error, ({ details: { hint } }) => (hint ? `${hint}\n${more}` : more));
}
