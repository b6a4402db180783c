import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import type { MailerError } from '../errors.ts';

/**
 * The hint of an error that leaves open whether a campaign was started: how to find out, since starting
 * it twice may send it twice.
 */
export function lookFirst(context: Context, campaignId: string) {
  const look = nextCommand(context, 'campaign', 'get', campaignId);
  return ({ outcomeUnknown }: MailerError) =>
    outcomeUnknown
      ? `It may have been carried out all the same. Look before you run the command again:\n${look}`
      : undefined;
}
