import type { CampaignSummary } from '../../api/campaign.ts';
import { bestEffort } from '../../lib/command-line/command/best-effort.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { whenSent } from '../../lib/command-line/command/summary.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { startCampaign } from '../../lib/mail/campaign/confirm-start.ts';
import { fetchCampaign } from '../../lib/mail/campaign/find-campaign.ts';
import { addStartFlags } from '../../lib/mail/campaign/start-flags.ts';

export const command = defineCommand({
  description:
    'A draft is started, too. It is a conflict if the campaign was sent before or is being sent, or if another campaign sends the same people the same content, or the same subject from the same sender, less than 24 hours before or after; --again starts it. Before the campaign starts, mailer shows its sender, contact book, time and number of subscribed contacts (for a book of more than 5,000, of all contacts), and asks; without a terminal, it needs --yes. The question also says how many contacts have no value for a placeholder without a fallback; with --yes, that is an error unless --allow-blank is given. With --expect-contacts, it starts only if it goes to that many, even with --yes.',
  effects: { mails: true },
  exits: {
    4: 'there is no such campaign',
    5: 'without --again: the campaign was sent before, or is being sent, or another one sends the same less than 24 hours before or after',
  },
  prints: [replyOf('campaign.resume')],
  takes: ['service', 'sandbox', 'dry runs', 'approval', 'confirmation'],
  examples: { 'mailer campaign resume "News of March"': 'Resume a paused campaign' },
  flags: (command) =>
    addStartFlags(
      command.argument('<campaign>', 'id or exact name; @last for the last one created here'),
    ),
  async run(context, options, named) {
    const how = ({ scheduledAt }: CampaignSummary) => ({
      question: 'Resume it?',
      undone: 'Nothing was resumed',
      scheduledAt,
    });
    return await startCampaign(
      context,
      named,
      how,
      options,
      async (campaignId, passed, sending) => {
        const input = { params: { campaignId } };
        const reply = await context.callPassed(passed, 'campaign.resume', input, sending);
        return done({
          reply,
          ids: [campaignId],
          message: `${await resumedInWords(context, campaignId)} To follow it: ${nextCommand(context, 'campaign', 'watch', campaignId)}`,
        });
      },
    );
  },
});

/** What the service has made of a resumed campaign: one whose time is still to come is only scheduled again. */
async function resumedInWords(context: Context, campaignId: string): Promise<string> {
  const campaign = await bestEffort(context, (within) =>
    fetchCampaign(context, campaignId, within),
  );
  if (campaign?.status !== 'SCHEDULED' || !campaign.scheduledAt) return 'Resumed.';
  return `Resumed: it is SCHEDULED, and starts on ${await whenSent(campaign.scheduledAt, context)}.`;
}
