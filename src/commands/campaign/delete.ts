import type { CampaignSummary } from '../../api/campaign.ts';
import { assertNoName, withCampaign } from '../../lib/campaign/find.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { deleteOnce } from '../../lib/command/delete-once.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    ['mailer campaign delete "News of March"', 'Asks, then deletes it'],
    ['mailer campaign delete cm3k9x2f8000008l4 --yes', 'In a script'],
  ],
  flags: (command) => command.argument('<campaign>', 'id or exact name'),
  async run(context, _options, named) {
    // Where no question can be asked this throws, before anything is looked up.
    if (!context.prompts.possible) await context.prompts.confirm(question(named));
    return await withCampaign(context, named, async (campaignId, campaign) => {
      await context.prompts.confirm(question(campaignId, campaign));
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
    });
  },
});

function question(named: string, campaign?: CampaignSummary): string {
  const { name, status } = campaign ?? {};
  const which =
    name === undefined || name === null
      ? named
      : `${JSON.stringify(name)} (${[named, status].filter(Boolean).join(', ')})`;
  return `This deletes campaign ${which} with its content and counters; unsent emails will not be sent. Delete it?`;
}
