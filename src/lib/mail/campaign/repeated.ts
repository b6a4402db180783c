import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import { ConflictError } from '../../base/errors.ts';
import { lessThanDaily, millisecondsPerDay } from '../../base/input/wall-clock.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchIfAvailable } from '../../command-line/command/fetch-if-available.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { whenSent } from '../../command-line/command/summary.ts';
import { bookAddresses } from './book-addresses.ts';
import { fetchCampaignPages } from './campaign-pages.ts';
import { fetchCampaign } from './find-campaign.ts';
import { nameOf } from './name-of.ts';

type Known = Partial<Omit<Campaign, 'status'>>;

/** Campaigns that were created before are not looked at: few drafts wait that long. */
const longestDraft = 30 * millisecondsPerDay;

/**
 * Throws a `ConflictError` if another campaign starts within 24 hours of this one and sends its contact book, or one that
 * has the same people, the same content, or the same subject from the same sender: people would get it twice. A segment
 * becomes another book each time. `settle` says what allows it.
 */
export async function refuseRepeated(
  context: Context,
  starting: Known,
  { undone, settle }: { readonly undone: string; readonly settle: string },
): Promise<void> {
  if (!starting.contactBookId) return;
  const unread = `${undone}, because the campaigns could not be listed. ${settle}`;
  const looked = await fetchIfAvailable(
    async () => ({ found: await repeatedBy(context, starting) }),
    unread,
  );
  if (looked === undefined) {
    context.notes.sayAfterwards(
      'The service does not list campaigns, so mailer did not check whether another one sends the same.',
    );
  }
  if (looked?.found === undefined) return;
  const { campaign, what, to: people } = looked.found;
  const { scheduledAt, createdAt } = campaign;
  const at = await whenSent(scheduledAt ?? createdAt ?? undefined, context);
  const when = scheduledAt ? `its start ${at}` : `it was created ${at}`;
  const to = quantity(campaign.sent ?? 0, 'contact');
  const look = nextCommand(context, 'campaign', 'get', campaign.id);
  throw new ConflictError(
    `${nameOf(campaign)} has ${people} and the same ${what}. Its status is ${campaign.status}, ${when}, and it has been sent to ${to}.`,
    {
      hint: `${undone}, because contacts ${what === 'content' ? 'would' : 'could'} get the same email twice. ${settle}\nTo look at the other one: ${look}`,
    },
  );
}

async function repeatedBy(context: Context, starting: Known) {
  const now = (await context.serviceClock('ask'))();
  const at = Math.max(now, Date.parse(starting.scheduledAt ?? '') || now);
  for await (const { rows } of fetchCampaignPages(context, {})) {
    for (const row of rows) {
      if (Date.parse(row.createdAt ?? '') < now - longestDraft) return undefined;
      if (row.id === starting.id || row.status === 'DRAFT' || !isNear(row, at)) continue;
      const campaign: (CampaignSummary & Partial<Campaign>) | undefined = await fetchCampaign(
        context,
        row.id,
      );
      const what = campaign && whatIsSame(campaign, starting);
      const to = what && (await whoIsSame(context, campaign, starting));
      if (to) return { campaign, what, to };
    }
  }
  return undefined;
}

/** A draft that is resumed has no time of its start. */
function isNear(campaign: CampaignSummary, at: number): boolean {
  const { status, scheduledAt, createdAt, updatedAt } = campaign;
  const times = [scheduledAt ?? createdAt, scheduledAt == null ? updatedAt : null];
  return (
    status === 'RUNNING' ||
    times.some((one) => Math.abs(Date.parse(one ?? '') - at) < lessThanDaily)
  );
}

function whatIsSame(one: Known, other: Known): string | undefined {
  const isSame = (field: 'html' | 'content') =>
    bare(one[field]) !== '' && bare(one[field]) === bare(other[field]);
  if (isSame('html') || isSame('content')) return 'content';
  return one.subject && one.subject === other.subject && one.from === other.from
    ? 'subject and sender'
    : undefined;
}

/** A body without white space and the title of its page, which is the subject where Markdown became HTML. */
function bare(body: string | null | undefined): string {
  return (body ?? '').replace(/<title\b[^>]*>[^<]*<\/title>/i, '').replace(/\s+/g, '');
}

/** The people who would get both, in words; undefined if they are the lesser part of both books, or not known. */
async function whoIsSame(context: Context, one: Known, other: Known): Promise<string | undefined> {
  const ids = [one.contactBookId, other.contactBookId];
  if (ids[0] === ids[1]) return 'the same contact book';
  const undone = 'The contacts could not be compared.';
  const books = await Promise.all(
    ids.map(async (id) => (id ? await bookAddresses(context, id, undone) : undefined)),
  );
  const [less = [], more] = books
    .map((book) => book?.addresses ?? new Set<string>())
    .toSorted((one, next) => one.size - next.size)
    .map((addresses) => [...addresses]);
  const known = new Set(more);
  const both = less.filter((address) => known.has(address)).length;
  return both > 0 && both * 2 >= less.length ? `${grouped(both)} of the same contacts` : undefined;
}
