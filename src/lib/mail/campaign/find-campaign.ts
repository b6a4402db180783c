import type { CampaignSummary } from '../../../api/campaign.ts';
import {
  type MailerError,
  NotFoundError,
  UnavailableError,
  UsageError,
  withHint,
} from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { idGiven } from '../../command-line/command/names/last-made.ts';
import {
  howToList,
  noneNamed,
  oneNamed,
  refuseEmpty,
} from '../../command-line/command/names/named.ts';
import { dryRunByName } from '../../command-line/command/names/named-dry-run.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { withFallback } from '../../service/http/operation-fallback.ts';
import { type CampaignFilter, fetchCampaignPages } from './campaign-pages.ts';

const kind = 'campaign';

/**
 * Calls `use` with the campaign whose id or exact name is `given`, or `@last`. What looks like an id is tried
 * as an id first, and as a name only if the service has no such id; everything else is looked up as a name
 * first.
 *
 * `use` gets the id, and the campaign if it was looked up. Throws a `UsageError` for a name that several
 * campaigns have, and a `NotFoundError` if there is none.
 */
export async function withCampaign<Value>(
  context: Context,
  given: string,
  use: (id: string, campaign?: CampaignSummary) => Promise<Value>,
): Promise<Value> {
  refuseEmpty(kind, given);
  const named = await idGiven(context, kind, given);
  if (looksLikeId(named)) return await withId(context, named, use);
  if (context.flags.dryRun === true) {
    return await dryRunByName(context, kind, named, use);
  }
  const campaign = await findByName(context, named);
  if (campaign !== undefined) context.names.set(campaign.id, named);
  try {
    return await use(campaign?.id ?? (await assertId(context, named)), campaign);
  } catch (error) {
    throw withHint(error, orWhatThereIs(context));
  }
}

/**
 * A campaign by id, exact name or `@last`, in full if the service can fetch one. Throws like `withCampaign`.
 */
export async function findCampaign(
  context: Context,
  given: string,
  options: Pick<CallOptions, 'deadline'> = {},
): Promise<CampaignSummary> {
  refuseEmpty(kind, given);
  const named = await idGiven(context, kind, given);
  const isIdFirst = looksLikeId(named);
  const byName = () => findByName(context, named, options);
  const inFull = async (id: string, listed?: CampaignSummary) =>
    (await isId(id)) ? await look(context, id, listed, options) : listed;
  const listed = isIdFirst ? undefined : await byName();
  const found = await inFull(listed?.id ?? named, listed);
  const other = found === undefined && isIdFirst ? await byName() : undefined;
  const either = found ?? (other && (await inFull(other.id, other)));
  if (either === undefined) throw noneNamed(context, kind, named);
  return either;
}

/** The campaign with an id; undefined if the service says that there is none. */
export async function fetchCampaign(
  context: Context,
  campaignId: string,
  options: Pick<CallOptions, 'deadline'> = {},
): Promise<CampaignSummary | undefined> {
  try {
    return await context.call('campaign.get', { params: { campaignId } }, options);
  } catch (error) {
    // Without a code, the 404 may mean that the operation is missing.
    if (error instanceof NotFoundError && error.details.apiCode !== undefined) return undefined;
    throw error;
  }
}

/** The campaign with an id. If the service lacks the operation, the campaign as listed. */
async function look(
  context: Context,
  id: string,
  listed: CampaignSummary | undefined,
  options: Pick<CallOptions, 'deadline'>,
): Promise<CampaignSummary | undefined> {
  const find = withFallback(
    () => fetchCampaign(context, id, options),
    async () => listed ?? (await findById(context, id, {}, options)),
  );
  return await find();
}

/** Searches the pages of a filter for the campaign with this id, and stops when it is found. */
export async function findById(
  context: Context,
  id: string,
  filter: CampaignFilter,
  options: Pick<CallOptions, 'deadline'> = {},
): Promise<CampaignSummary | undefined> {
  for await (const { rows } of fetchCampaignPages(context, filter, options)) {
    const campaign = rows.find((one) => one.id === id);
    if (campaign !== undefined) return campaign;
  }
  return undefined;
}

/** Whether an argument is tried as an id before it is tried as a name. */
function looksLikeId(named: string): boolean {
  return /^(?=.*\d)[A-Za-z0-9_-]{6,}$/.test(named);
}

/** The hint for an error about an unknown campaign: its own, if it has one. */
function orWhatThereIs(context: Context) {
  return ({ code, details }: MailerError) =>
    code === 'not_found' && details.hint === undefined ? howToList(context, kind) : undefined;
}

/** Returns `id` if it is a valid one; otherwise throws a `NotFoundError`. */
async function assertId(context: Context, id: string): Promise<string> {
  if (await isId(id)) return id;
  throw noneNamed(context, kind, id);
}

async function withId<Value>(
  context: Context,
  id: string,
  use: (id: string, campaign?: CampaignSummary) => Promise<Value>,
): Promise<Value> {
  try {
    return await use(id);
  } catch (error) {
    // If the outcome is unknown, the 404 may mean that a first delete succeeded.
    if (!(error instanceof NotFoundError) || error.outcomeUnknown) throw error;
    const campaign = await findByName(context, id).catch((why: unknown) => {
      throw why instanceof UsageError ? why : error;
    });
    if (campaign !== undefined) return await use(campaign.id, campaign);
    throw withHint(error, orWhatThereIs(context));
  }
}

/** Throws if a campaign has the unknown id as its name: an earlier attempt did not delete that one. */
export async function assertNoName(context: Context, named: string): Promise<void> {
  const campaign = await findByName(context, named);
  if (campaign === undefined) return;
  throw new UnavailableError(
    `There is no campaign with the id ${named}, but one with this name, which was not deleted. An earlier attempt had no response.`,
    { hint: `To delete it: ${nextCommand(context, 'campaign', 'delete', campaign.id)}` },
  );
}

async function findByName(
  context: Context,
  name: string,
  options: Pick<CallOptions, 'deadline'> = {},
): Promise<CampaignSummary | undefined> {
  const found: CampaignSummary[] = [];
  for await (const { rows } of fetchCampaignPages(context, { search: name }, options)) {
    found.push(...rows.filter((one) => one.name === name));
  }
  return oneNamed(found, kind, name, ({ status, createdAt }) => [status, createdAt]);
}

async function isId(text: string): Promise<boolean> {
  const { pathId } = await import('../../../api/fields.ts');
  return pathId.safeParse(text).success;
}
