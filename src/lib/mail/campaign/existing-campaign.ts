import type { Campaign, CampaignSummary, CreateCampaignBody } from '../../../api/campaign.ts';
import type { Context } from '../../command-line/command/context.ts';
import { differs, existing, type NameFlags } from '../../command-line/command/names/if-missing.ts';
import type { NameOf } from '../../service/http/check-request.ts';
import { fetchCampaignPages } from './campaign-pages.ts';
import { findCampaign } from './find-campaign.ts';

/**
 * The campaign that has the name of a new one and is to be used with `--if-missing`: one that is not sent yet, the same,
 * and as far as the new one would be; or, of one that starts, the same that has been sent, because a repeated command
 * must not mail twice. Otherwise like `existing`.
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
    list: () => candidates(context, body, flags),
    operation: 'campaign.create',
    input: { body },
    nameOf,
  });
  if (listed === undefined) return undefined;
  const campaign = await findCampaign(context, listed.id);
  const how = difference(campaign, body, (await context.serviceClock('ask'))());
  if (how === undefined) return campaign;
  if (campaign.status === 'SENT') return undefined;
  throw differs(campaign, 'campaign', how);
}

/**
 * The campaigns of this name that are not sent yet. If there are none, for a start: the newest that has been sent and
 * looks the same; without `--if-missing`, only one of the last day, because a command that is repeated mails everybody
 * twice, and a later one may be meant.
 */
async function candidates(
  context: Context,
  body: CreateCampaignBody,
  { ifMissing }: NameFlags,
): Promise<CampaignSummary[]> {
  const unsent: CampaignSummary[] = [];
  let sent: CampaignSummary | undefined;
  for await (const { rows } of fetchCampaignPages(context, { search: body.name })) {
    for (const one of rows) {
      if (one.name !== body.name) continue;
      if (one.status !== 'SENT') unsent.push(one);
      else if (one.subject === body.subject && one.from === body.from) sent ??= one;
    }
  }
  if (!isStart(body) || unsent.length > 0 || sent === undefined) return unsent;
  const isKept = ifMissing === true || (await isRepeated(context, sent, body));
  return isKept ? [sent] : [];
}

const day = 24 * 60 * 60 * 1000;

/** Whether a new campaign repeats one of the last day. */
async function isRepeated(context: Context, sent: CampaignSummary, body: CreateCampaignBody) {
  const now = (await context.serviceClock('ask'))();
  if (!(now - Date.parse(sent.createdAt ?? '') < day)) return false;
  return difference(await findCampaign(context, sent.id), body, now) === undefined;
}

function isStart({ sendNow, scheduledAt }: CreateCampaignBody): boolean {
  return sendNow === true || scheduledAt !== undefined;
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
  if (!isStart(body)) return status === 'DRAFT';
  const at = Date.parse(scheduledAt ?? '');
  const isInTime = body.sendNow === true ? at <= now : at === Date.parse(body.scheduledAt ?? '');
  if (status === 'SENT') return body.sendNow === true || isInTime;
  return status === 'RUNNING' || (status === 'SCHEDULED' && isInTime);
}
