import { maskKey } from '../lib/account/api-key.ts';
import { defineCommand } from '../lib/command/command.ts';
import type { Context } from '../lib/command/context.ts';
import { MailerError, withHint } from '../lib/errors.ts';
import type { WhoamiReply } from '../lib/json-schemas/account.ts';
import { record } from '../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox'],
  examples: [
    ['mailer whoami', 'Profile, base URL and key, and whether they work'],
    ['mailer whoami --quiet', 'Only the name of the profile'],
  ],
  flags: (command) => command,
  async run(context) {
    const account = await context.account();
    const { baseUrl } = account;
    const { key, error } = await tryOut(context);
    const problem = error && {
      code: error.code,
      message: error.message,
      ...(error.details.status === undefined ? {} : { status: error.details.status }),
    };
    const reachable = key === undefined ? null : error?.code !== 'unavailable';
    return record({
      reply: {
        profile: account.profile ?? null,
        baseUrl: baseUrl ?? null,
        baseUrlSource: account.baseUrlSource ?? null,
        key: key === undefined ? null : maskKey(key),
        keySource: account.keySource ?? null,
        reachable,
        problem: problem ?? null,
      } satisfies WhoamiReply,
      rows: [
        ['profile', 'Profile', account.profile],
        ['baseUrl', 'Base URL', baseUrl],
        ['baseUrlSource', 'from', account.baseUrlSource],
        ['key', 'Key', key && maskKey(key)],
        ['keySource', 'from', account.keySource],
        ['reachable', 'Reachable', reachable === null ? 'not tried' : reachable ? 'yes' : 'no'],
        ['problem', 'Problem', problem?.message],
      ],
      quiet: account.profile ?? 'sandbox',
      failure: error,
    });
  },
});

/** What comes of one call: an error of the key or the service is a result here. */
async function tryOut(context: Context): Promise<{ key?: string; error?: MailerError }> {
  const account = await context.account();
  let key: string | undefined;
  try {
    key = await account.key();
    await context.call('domain.list', {});
    return { key };
  } catch (error) {
    if (!(error instanceof MailerError) || !isAnswer(error)) throw error;
    const { baseUrl, keySource } = account;
    let hint: string | undefined;
    if (error.details.status === 403 && baseUrl !== undefined && keySource !== undefined) {
      const { otherKey } = await import('../lib/doctor/key.ts');
      hint = otherKey(context, keySource, baseUrl);
    }
    return { ...(key === undefined ? {} : { key }), error: withHint(error, hint) };
  }
}

/** Whether the error says something about the account, not about how the command was given. */
function isAnswer({ code }: MailerError): boolean {
  return !['usage', 'internal', 'interrupted', 'terminated'].includes(code);
}
