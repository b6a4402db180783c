import type { CampaignSummary } from '../../api/campaign.ts';
import { quantity } from '../../lib/base/text/quantity.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import {
  askToDelete,
  deleteOnce,
  refuseUnasked,
} from '../../lib/command-line/command/delete-once.ts';
import { idGiven } from '../../lib/command-line/command/names/last-made.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { assertNoName, findCampaign, withCampaign } from '../../lib/mail/campaign/find-campaign.ts';

export const command = defineCommand({
  description: 'On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { deletes: true },
  exits: { 4: 'there is no such campaign' },
  prints: [replyOf('campaign.delete')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer campaign delete "News of March"': 'Asks, then deletes it',
    'mailer campaign delete cm3k9x2f8000008l4 --yes': 'In a script',
  },
  flags: (command) =>
    command.argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, given) {
    const named = await idGiven(context, 'campaign', given);
    const isAsked = await refuseUnasked(
      context,
      (campaign?: CampaignSummary) => question(campaign?.id ?? named, campaign),
      (within) => findCampaign(within, named),
    );
    if (!isAsked)
      return await withCampaign(context, named, (id, campaign) => remove(context, id, campaign));
    // Nobody knows an id by heart, so the question shows the campaign.
    const campaign = await findCampaign(context, named);
    await askToDelete(context, question(campaign.id, campaign));
    return await remove(context, campaign.id, campaign);
  },
});

async function remove(context: Context, campaignId: string, campaign?: CampaignSummary) {
  const { reply, gone } = await deleteOnce(
    `campaign ${campaign?.name ?? campaignId}`,
    campaign ?? { id: campaignId },
    (options) => context.call('campaign.delete', { params: { campaignId } }, options),
  );
  if (gone !== undefined && campaign === undefined) await assertNoName(context, campaignId);
  return done({
    reply,
    ids: [reply.id],
    message: gone ?? `Deleted campaign ${reply.name ?? reply.id}.`,
  });
}

function question(named: string, campaign?: CampaignSummary): string {
  const { name, status, total, sent } = campaign ?? {};
  const which =
    name === undefined || name === null
      ? named
      : `${JSON.stringify(name)} (${[named, status].filter(Boolean).join(', ')})`;
  const left = Number(total ?? 0) - Number(sent ?? 0);
  const unsent = status === 'SENT' || left <= 0 ? 'unsent emails' : quantity(left, 'unsent email');
  return `This deletes campaign ${which} with its content and counters; ${unsent} will not be sent. Delete it?`;
}
