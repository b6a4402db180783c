import type { CampaignSummary } from '../../../api/campaign.ts';
import { NotFoundError, TerminatedError, UsageError, withHint } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { firstPause, longerPause, type Polling } from '../../command-line/command/poll.ts';
import { type Awaited, startWaiting, type Waiting } from '../../command-line/command/waiting.ts';
import { withFallback } from '../../service/http/operation-fallback.ts';
import type { CampaignFilter } from './campaign-pages.ts';
import { briefStateOf, stateOf } from './counters.ts';
import { fetchCampaign, findById, findCampaign } from './find-campaign.ts';
import { nameOf } from './name-of.ts';
import { overdueFor } from './overdue.ts';

/** Why a watch ended: the campaign's status, or the timeout. */
export type Ending = 'sent' | 'paused' | 'draft' | 'timeout';

/** A campaign at a certain time. */
export interface CampaignSnapshot {
  readonly campaign: CampaignSummary;
  /** Milliseconds by the monotonic clock. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly date: number;
  /** Set in the last snapshot. */
  readonly ending: Ending | undefined;
}

/** Statuses in which nothing happens until somebody acts. Unknown statuses may be new ones. */
const endings: Readonly<Record<string, Ending>> = {
  SENT: 'sent',
  PAUSED: 'paused',
  DRAFT: 'draft',
};

/** How long a look may take, by the monotonic clock. */
interface Limit {
  readonly deadline: number;
}

/** The longest pause while a campaign changes: the rate limit is shared with others. */
const longestWhileMoving = 10_000;

/** A wait for a campaign, and its first look at it. */
export interface CampaignWait {
  readonly waiting: Waiting;
  readonly first: CampaignSnapshot;
  readonly interval: number | undefined;
}

/** Starts to wait for a campaign, given by id, exact name or `@last`, and finds it. */
export async function startCampaignWait(
  context: Context,
  named: string,
  polling: Polling,
): Promise<CampaignWait> {
  const { system, progress } = context;
  let campaign: CampaignSummary | undefined;
  const waiting = startWaiting(context, {
    ...polling,
    now: () =>
      campaign === undefined ? visible(named) : campaignInLine(campaign, context.serviceNow()),
  });
  const awaited = {
    name: `campaign ${visible(named)}`,
    last: null,
    hint: `To keep watching: ${nextCommand(context, 'campaign', 'watch', named)}`,
  };
  campaign = await progress.during('Waiting for the service', () =>
    waiting.insist((limit) => findCampaign(context, named, limit), awaited),
  );
  const at = system.monotonic();
  const ending = endingOf(campaign, waiting.left());
  const first = { campaign, at, date: context.serviceNow(), ending };
  return { waiting, first, interval: polling.interval };
}

/**
 * Fetches a campaign until it has ended or time is up, starting with its first look. The pauses grow while
 * nothing changes, and with elapsed time. Throws other errors, such as a `NotFoundError` if the campaign is gone.
 */
export async function* watchCampaign(
  context: Context,
  { waiting, first, interval }: CampaignWait,
): AsyncGenerator<CampaignSnapshot> {
  const { system } = context;
  const lookAgain = createLookUp(context);
  let look = first;
  let pause = firstPause;
  yield look;
  while (look.ending === undefined) {
    const seen = look;
    let campaign: CampaignSummary;
    try {
      await waiting.pause(interval ?? pause);
      campaign = (await waiting.look((limit) => lookAgain(seen, limit))) ?? seen.campaign;
    } catch (error) {
      throw toResume(error, context, look);
    }
    const at = system.monotonic();
    const moving = stateOf(campaign) !== stateOf(look.campaign);
    pause = moving ? pauseAfter(waiting.elapsed()) : longerPause(pause);
    const isNew = campaign !== look.campaign;
    const ending = endingOf(campaign, waiting.left());
    look = isNew ? { campaign, at, date: context.serviceNow(), ending } : { ...look, ending };
    if (isNew || ending !== undefined) yield look;
  }
}

/** What a watch waits for, for the error when its time is up. */
export function awaitedCampaign(context: Context, campaign: CampaignSummary): Awaited {
  return {
    name: nameOf(campaign, 'campaign'),
    last: campaign.status ?? null,
    state: briefStateOf(campaign) + overdueClause(campaign, context.serviceNow()),
    hint: `To keep watching: ${nextCommand(context, 'campaign', 'watch', campaign.id)}`,
  };
}

function endingOf({ status }: CampaignSummary, left: number): Ending | undefined {
  const ending = Object.hasOwn(endings, status ?? '') ? endings[status ?? ''] : undefined;
  return ending ?? (left <= 0 ? 'timeout' : undefined);
}

/** The pause while a campaign changes: short at first, when somebody may be watching. */
function pauseAfter(elapsed: number): number {
  return Math.min(Math.max(elapsed / 30, firstPause), longestWhileMoving);
}

/** Returns a function that fetches a campaign again. It throws if the campaign is gone. */
function createLookUp(
  context: Context,
): (seen: CampaignSnapshot, limit: Limit) => Promise<CampaignSummary> {
  const find = withFallback(
    (seen: CampaignSnapshot, limit: Limit) => fetchCampaign(context, seen.campaign.id, limit),
    lookUpInList(context),
  );
  return async (seen, limit) => {
    const campaign = await find(seen, limit);
    if (campaign === undefined) throw isGone(context, seen);
    return campaign;
  };
}

/**
 * The same through the list, usually with one request: a search for the campaign's name. If the name has
 * changed or cannot be searched for, the whole list is read.
 */
function lookUpInList(
  context: Context,
): (seen: CampaignSnapshot, limit: Limit) => Promise<CampaignSummary | undefined> {
  let searchable = true;
  return async (seen, limit) => {
    const { id, name } = seen.campaign;
    const find = (filter: CampaignFilter) => findById(context, id, filter, limit);
    const byName = searchable && name ? await find({ search: name }).catch(none) : undefined;
    if (byName !== undefined) return byName;
    const campaign = await find({});
    if (campaign !== undefined && campaign.name === name) searchable = false;
    return campaign;
  };
}

/** The result of a search for a name that the search does not accept, such as one with NUL. */
function none(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
  return undefined;
}

function isGone(context: Context, { campaign, date }: CampaignSnapshot): NotFoundError {
  return new NotFoundError(
    `${nameOf(campaign)} no longer exists. At ${new Date(date).toISOString()}, it was ${briefStateOf(campaign)}.`,
    { hint: `To list the campaigns: ${nextCommand(context, 'campaign', 'list')}` },
  );
}

/** A SIGTERM ends a job whose log should say what to do. Ctrl-C needs no explanation. */
function toResume(error: unknown, context: Context, { campaign }: CampaignSnapshot): unknown {
  if (!(error instanceof TerminatedError)) return error;
  const hint = `${nameOf(campaign)} was ${briefStateOf(campaign)} and was not stopped. To keep watching: ${nextCommand(context, 'campaign', 'watch', campaign.id)}`;
  return withHint(error, hint);
}

/** What a watch sees, in a line. */
export function campaignInLine(campaign: CampaignSummary, now: number): string {
  return `${campaign.name ?? campaign.id}: ${stateOf(campaign)}${overdueClause(campaign, now)}`;
}

function overdueClause(campaign: CampaignSummary, now: number): string {
  const late = overdueFor(campaign, now);
  return late === undefined ? '' : `, ${late} overdue`;
}
