import { parseChoice } from '../lib/base/input/choice.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { handlerUrl } from '../lib/command-line/webhook/handler-url.ts';
import { readSecret, secretVariable } from '../lib/command-line/webhook/secret.ts';
import type { NewWebhook } from '../sandbox/model/webhooks.ts';
import { eventTypes } from '../shared/webhook/event-types.ts';
import { sandboxSecret } from '../shared/webhook/sandbox-secret.ts';

interface WebhookFlags {
  /** URLs as given. */
  readonly urls: readonly string[];
  /** The name of the flag or argument that has them. */
  readonly flag: string;
  /** Events, and the name of their flag. */
  readonly events: readonly string[] | undefined;
  readonly eventsFlag: string;
  readonly allowRemote: boolean | undefined;
  readonly secretFile: string | undefined;
  readonly temporary: boolean;
}

/**
 * The endpoints that flags describe. Calls are signed with the secret of the file or the environment, otherwise with
 * the sandbox's own, which is no secret and is told.
 */
export async function webhooksGiven(context: Context, flags: WebhookFlags): Promise<NewWebhook[]> {
  const { urls, flag, temporary } = flags;
  if (urls.length === 0) return [];
  const events = (flags.events ?? []).map(parseChoice(flags.eventsFlag, eventTypes));
  const all = urls.map((url) => handlerUrl(url, flag, flags.allowRemote).href);
  const hasSecret = flags.secretFile !== undefined || context.system.env[secretVariable];
  const secret = hasSecret ? await readSecret(flags.secretFile, context) : sandboxSecret;
  if (!hasSecret) {
    context.notes.say(
      `Calls are signed with ${sandboxSecret}; to change it, set ${secretVariable}.`,
    );
  }
  return all.map((url) => ({ url, events, secret, temporary }));
}
