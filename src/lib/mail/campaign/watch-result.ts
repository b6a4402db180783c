import type { CampaignSummary } from '../../../api/campaign.ts';
import { type MailerError, WaitFailedError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { briefStateOf } from './counters.ts';
import { nameOf } from './name-of.ts';
import { awaitedCampaign, type CampaignWait, type Ending } from './watch-campaign.ts';

/** The failure after a watch, and what to do next; undefined if everything was sent. */
export function watchFailure(
  context: Context,
  { waiting }: CampaignWait,
  campaign: CampaignSummary,
  ending: Ending,
): MailerError | undefined {
  const next = (verb: string, ...flags: readonly string[]) =>
    nextCommand(context, 'campaign', verb, campaign.id, ...flags);
  switch (ending) {
    case 'sent':
      return undefined;
    case 'paused':
      return new WaitFailedError(`${nameOf(campaign)} is ${briefStateOf(campaign)}.`, {
        hint: `To resume it: ${next('resume')}`,
      });
    case 'draft':
      return new WaitFailedError(
        `${nameOf(campaign)} is a DRAFT: nothing is sent until it is scheduled.`,
        {
          hint: [
            `To start it: ${next('schedule', '--now')}`,
            `To start it later: ${next('schedule', '--scheduled-at', 'tomorrow 9am')}`,
          ].join('\n'),
        },
      );
    case 'timeout':
      return waiting.timeIsUp(awaitedCampaign(context, campaign));
  }
}
