import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { MailerError } from '../errors.ts';

/**
 * Adds to an error that leaves open whether a campaign was started how to find out, since starting
 * it twice may send it twice.
 */
export function withLookFirst(error: unknown, context: Context, campaignId: string): unknown {
  if (error instanceof MailerError && error.outcomeUnknown) {
    const look = nextCommand(context, 'campaign', 'get', campaignId);
    const hint = `It may have been carried out all the same. Look before you run the command again:\n${look}`;
    error.details = { ...error.details, hint };
  }
  return error;
}
