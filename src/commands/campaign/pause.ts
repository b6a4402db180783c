import type { CampaignSummary } from '../../api/campaign.ts';
import { ConflictError, MailerError, when } from '../../lib/base/errors.ts';
import { compact } from '../../lib/base/text/compact.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { fetchCampaign, withCampaign } from '../../lib/mail/campaign/find-campaign.ts';
import { nameOf } from '../../lib/mail/campaign/name-of.ts';
import { restRecipe } from '../../lib/mail/campaign/rest-recipe.ts';

export const command = defineCommand({
  description:
    'Emails that were already sent are still delivered. It is a conflict if the campaign is a draft or has been sent; nothing is changed, because a service would let a paused one be resumed.',
  effects: { changes: true },
  exits: { 4: 'there is no such campaign', 5: 'it has been sent, or is a draft' },
  prints: [replyOf('campaign.pause')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests'],
  examples: { 'mailer campaign pause "News of March"': 'Stop after the current batch' },
  flags: (command) =>
    command.argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, named) {
    const pause = async (campaignId: string, listed?: CampaignSummary) => {
      const { flags, system } = context;
      const deadline = system.monotonic() + patience;
      const campaign =
        listed ??
        (flags.dryRun === true
          ? undefined
          : await fetchCampaign(context, campaignId, { deadline }).catch(
              when(MailerError, () => undefined),
            ));
      refuseUnstarted(context, campaign);
      const reply = await context.call('campaign.pause', { params: { campaignId } });
      return done({
        reply,
        ids: [campaignId],
        message: compact(
          `Paused. To resume it: ${nextCommand(context, 'campaign', 'resume', campaignId)}`,
          !campaign?.sent &&
            `To correct it, if nobody has got it: ${nextCommand(context, 'campaign', 'replace', campaignId)}`,
          restRecipe,
        ),
      });
    };
    return await withCampaign(context, named, pause);
  },
});

/** How long to wait for the status, in milliseconds: it must not delay a pause that is urgent. */
const patience = 3000;

/** Throws a `ConflictError` for a campaign that sends nothing: paused, it could be resumed, and would be sent again. */
function refuseUnstarted(context: Context, campaign: CampaignSummary | undefined): void {
  const { id, status } = campaign ?? {};
  if (campaign === undefined || id === undefined || (status !== 'SENT' && status !== 'DRAFT'))
    return;
  const is = status === 'SENT' ? 'has been sent' : 'is a draft';
  throw new ConflictError(`${nameOf(campaign)} ${is}, so there is nothing to pause.`, {
    hint: `Nothing was changed. To look at it: ${nextCommand(context, 'campaign', 'get', id)}`,
  });
}
