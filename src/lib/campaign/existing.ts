import type { Campaign, CampaignSummary, CreateCampaignBody } from '../../api/campaign.ts';
import type { Context } from '../command/context.ts';
import { differs, existing, type NameFlags } from '../command/names/if-missing.ts';
import type { NameOf } from '../http/check.ts';
import { findCampaign } from './find.ts';
import { fetchCampaignPages } from './pages.ts';

/**
 * The campaign that has the name of a new one, is not sent yet, and is to be used with `--if-missing`: the same, and as
 * far as the new one would be. Otherwise like `existing`.
 */
export async function existingCampaign(
  context: Context,
  flags: NameFlags,
  body: CreateCampaignBody,
  nameOf: NameOf,
): Promise<CampaignSummary | undefined> {
  const { name } = body;
  const listed = await existing(context, flags, {
    kind: 'campaign',
    name,
    list: () => unsentOf(context, name),
    operation: 'campaign.create',
    input: { body },
    nameOf,
  });
  if (listed === undefined) return undefined;
  const campaign = await findCampaign(context, listed.id);
  const how = difference(campaign, body, (await context.clock())());
  if (how !== undefined) throw differs(campaign, 'campaign', how);
  return campaign;
}

/** The campaigns that are not sent yet and have this name. */
async function unsentOf(context: Context, name: string): Promise<CampaignSummary[]> {
  const found: CampaignSummary[] = [];
  for await (const { rows } of fetchCampaignPages(context, { search: name })) {
    found.push(...rows.filter((one) => one.name === name && one.status !== 'SENT'));
  }
  return found;
}

/** How a campaign differs from a new one, in words; undefined if it does not. */
function difference(
  campaign: CampaignSummary & Partial<Campaign>,
  body: CreateCampaignBody,
  now: number,
): string | undefined {
  const others = [
    ['contactBookId', 'goes to another contact book'],
    ['from', 'has another sender'],
    ['subject', 'has another subject'],
  ] as const;
  for (const [field, how] of others) {
    if (campaign[field] != null && campaign[field] !== body[field]) return `but ${how}`;
  }
  const { html } = campaign;
  if (html != null && body.html !== undefined && html.trim() !== body.html.trim()) {
    return 'but has another text';
  }
  return isAsFar(campaign, body, now) ? undefined : `but its status is ${campaign.status}`;
}

/** Whether a campaign is a draft or started, as the new one would be. */
function isAsFar(
  { status, scheduledAt }: CampaignSummary,
  body: CreateCampaignBody,
  now: number,
): boolean {
  if (body.sendNow !== true && body.scheduledAt === undefined) return status === 'DRAFT';
  const at = Date.parse(scheduledAt ?? '');
  const isInTime = body.sendNow === true ? at <= now : at === Date.parse(body.scheduledAt ?? '');
  return status === 'RUNNING' || (status === 'SCHEDULED' && isInTime);
}
