import type { ProfileUseReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { requireProfile } from '../../lib/service/account/profiles.ts';

export const command = defineCommand({
  description: 'The current profile is used unless --profile or MAILER_PROFILE names another.',
  effects: { local: true },
  exits: { 4: 'there is no such profile' },
  prints: [documentOf('the current profile', schemas.account('profileUseReply'))],
  examples: { 'mailer profile use work': 'Use this account from now on' },
  offers: { name: 'profiles' },
  flags: (command) => command.argument('<name>', 'name of a profile'),
  async run(context: LocalContext, _options, name) {
    const file = await context.configFile();
    await file.update((config) => {
      requireProfile(config, name);
      return { ...config, currentProfile: name };
    });
    const { MAILER_PROFILE: overriding } = context.system.env;
    if (overriding && overriding !== name) {
      context.notes.warn(`MAILER_PROFILE is set to ${overriding}, which takes precedence.`);
    }
    return done({
      reply: { currentProfile: name } satisfies ProfileUseReply,
      ids: [name],
      message: `The current profile is ${name}.`,
    });
  },
});
