import type { CampaignSummary } from '../../api/campaign.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../errors.ts';
import { nextCommand } from '../next-command.ts';
import { briefStateOf } from './counters.ts';
import { type Ending, nameOf } from './watch.ts';

/** The exit code of a watch that has ended this way. */
export const exitCodeOf: Readonly<Record<Ending, number>> = {
  sent: 0,
  paused: exitCodes.wait_failed,
  draft: exitCodes.wait_failed,
  timeout: exitCodes.wait_timeout,
};

/** What there is to say of the end of a watch, and what to do next; nothing when all was sent. */
export function noteOf(
  context: Context,
  campaign: CampaignSummary,
  ending: Ending,
): readonly string[] | undefined {
  const next = (verb: string, ...flags: readonly string[]) =>
    nextCommand(context, 'campaign', verb, campaign.id, ...flags);
  switch (ending) {
    case 'sent':
      return undefined;
    case 'paused':
      return [
        `${nameOf(campaign)} is ${briefStateOf(campaign)}.`,
        `To go on with it: ${next('resume')}`,
      ];
    case 'draft':
      return [
        `${nameOf(campaign)} is a DRAFT: nothing is sent until it is scheduled.`,
        `To start it: ${next('schedule', '--now')}`,
        `To start it later: ${next('schedule', '--scheduled-at', 'tomorrow 9am')}`,
      ];
    case 'timeout':
      return [
        `${nameOf(campaign)} is ${briefStateOf(campaign)}, when time is up.`,
        `To go on watching: ${next('watch')}`,
      ];
  }
}
