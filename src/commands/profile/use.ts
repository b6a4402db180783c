import type { ProfileUseReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import type { Config } from '../../lib/service/account/config/config-types.ts';
import { profileNamed, requireProfile } from '../../lib/service/account/profiles.ts';

export const command = defineCommand({
  description:
    'The current profile is used unless --profile or MAILER_PROFILE names another. If the new profile has a looser policy than the one before, the command shows the rules and asks; without a terminal, it needs --yes.',
  effects: { local: true },
  exits: { 4: 'there is no such profile' },
  prints: [documentOf('the current profile', schemas.account('profileUseReply'))],
  takes: ['confirmation'],
  examples: { 'mailer profile use work': 'Use this account from now on' },
  offers: { name: 'profiles' },
  flags: (command) => command.argument('<name>', 'name of a profile'),
  async run(context: LocalContext, _options, name) {
    const file = await context.configFile();
    const { confirmLooser, rulesLost } = await import('../../lib/service/policy/change-rules.ts');
    const looserIn = (config: Config) => {
      const chosen = requireProfile(config, name);
      const { currentProfile } = config;
      return rulesLost(currentProfile, profileNamed(config, currentProfile) ?? {}, [name, chosen]);
    };
    const before = await file.read();
    const looser = looserIn(before);
    const heading = `The policy of profile ${name} is looser than that of ${before.currentProfile}:`;
    await confirmLooser(context, heading, looser, `Use profile ${name}?`);
    await file.update((config) => {
      if (looserIn(config).some((line) => !looser.includes(line))) {
        throw new UsageError('Another command has changed the profiles.', {
          hint: 'Nothing was changed. Run the command again.',
        });
      }
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
