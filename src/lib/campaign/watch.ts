import type { CampaignSummary } from '../../api/campaign.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import {
  firstPause,
  isPassing,
  lastLook,
  longerPause,
  type Polling,
  stillWaiting,
} from '../command/poll.ts';
import { NotFoundError, TerminatedError, UsageError, withHint } from '../errors.ts';
import { withFallback } from '../http/operation-fallback.ts';
import { briefStateOf, stateOf } from './counters.ts';
import { fetchCampaign, findById } from './find.ts';
import type { CampaignFilter } from './pages.ts';

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

/** The longest pause while a campaign changes: the rate limit is shared with others. */
const longestWhileMoving = 10_000;

/**
 * Fetches a campaign until it has ended or time is up, starting with `first`. The pauses grow while nothing
 * changes, and with elapsed time. Calls `lost` with the reason when a fetch failed and will be retried.
 * Throws other errors, such as a `NotFoundError` if the campaign is gone.
 */
export async function* watchCampaign(
  context: Context,
  first: CampaignSummary,
  { timeout, interval }: Polling,
  lost: (reason: string) => void,
): AsyncGenerator<CampaignSnapshot> {
  const { system } = context;
  const started = system.monotonic();
  const lookAgain = createLookUp(context, started + timeout + lastLook);
  let look: CampaignSnapshot = {
    campaign: first,
    at: started,
    date: system.now(),
    ending: endingOf(first, timeout),
  };
  let pause = firstPause;
  yield look;
  while (look.ending === undefined) {
    const left = timeout - (system.monotonic() - started);
    let { campaign } = look;
    try {
      await system.sleep(Math.min(interval ?? pause, left), system.signal);
      campaign = await lookAgain(look);
    } catch (error) {
      if (!isPassing(error)) throw toResume(error, context, look);
      lost(stillWaiting(error));
    }
    const at = system.monotonic();
    const moving = stateOf(campaign) !== stateOf(look.campaign);
    pause = moving ? pauseAfter(at - started) : longerPause(pause);
    const isNew = campaign !== look.campaign;
    const ending = endingOf(campaign, timeout - (at - started));
    look = isNew ? { campaign, at, date: system.now(), ending } : { ...look, ending };
    if (isNew || ending !== undefined) yield look;
  }
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
  deadline: number,
): (seen: CampaignSnapshot) => Promise<CampaignSummary> {
  const find = withFallback(
    (seen: CampaignSnapshot) => fetchCampaign(context, seen.campaign.id, { deadline }),
    lookUpInList(context, deadline),
  );
  return async (seen) => {
    const campaign = await find(seen);
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
  deadline: number,
): (seen: CampaignSnapshot) => Promise<CampaignSummary | undefined> {
  let searchable = true;
  const find = (id: string, filter: CampaignFilter) => findById(context, id, filter, { deadline });
  return async (seen) => {
    const { id, name } = seen.campaign;
    const byName = searchable && name ? await find(id, { search: name }).catch(none) : undefined;
    if (byName !== undefined) return byName;
    const campaign = await find(id, {});
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

/** Names a campaign in sentences: `Campaign "Spring news" (cm3k9x2f8000008l4)`. */
export function nameOf({ id, name }: CampaignSummary): string {
  return name ? `Campaign ${JSON.stringify(name)} (${id})` : `Campaign ${id}`;
}
