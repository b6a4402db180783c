import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';

/** The hint if a campaign may have been started: check first, because a second start may send it twice. */
export function checkBeforeRetryHint(context: Context, campaignId: string): string {
  const look = nextCommand(context, 'campaign', 'get', campaignId);
  return `The request may have been carried out. Check before you run the command again:\n${look}`;
}
