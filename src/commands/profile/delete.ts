import type { ProfileDeleteReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import {
  type Config,
  emptyConfig,
  type Profile,
} from '../../lib/service/account/config/config-types.ts';
import { requireProfile, withoutProfile } from '../../lib/service/account/profiles.ts';

export const command = defineCommand({
  description:
    'This also deletes its key, its settings and cached names for completion. On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { deletes: true, local: true },
  exits: { 4: 'there is no such profile' },
  prints: [documentOf('its name and the current profile', schemas.account('profileDeleteReply'))],
  takes: ['confirmation'],
  examples: { 'mailer profile delete work': 'Delete a profile with its key and settings' },
  offers: { name: 'profiles' },
  flags: (command) => command.argument('<name>', 'name of a profile'),
  async run(context: LocalContext, _options, name) {
    const file = await context.configFile();
    const profile = requireProfile(await file.read(), name);
    const { baseUrl } = profile;
    const service = baseUrl === undefined ? '' : ` (${baseUrl})`;
    const rules = await rulesDeleted(name, profile);
    await context.prompts.confirm(
      `Delete profile ${name}${service}, its key and its settings?`,
      'Nothing was deleted',
      rules,
    );
    if (!context.prompts.asks) context.notes.say(...rules);
    const { currentProfile } = await file.update((config) => {
      requireProfile(config, name);
      return withCurrent(withoutProfile(config, name), name);
    });
    const { clearCache } = await import('../../lib/command-line/completion/cache.ts');
    clearCache(context.system);
    return done({
      reply: { name, currentProfile } satisfies ProfileDeleteReply,
      ids: [name],
      message: `Deleted profile ${name}. The current profile is ${currentProfile}.`,
    });
  },
});

/** The rules of a profile that go with it, in lines. */
async function rulesDeleted(name: string, profile: Profile): Promise<readonly string[]> {
  if (profile.policy === undefined) return [];
  const { rulesLost } = await import('../../lib/service/policy/change-rules.ts');
  const rules = rulesLost(name, profile).map((rule) => `  ${rule}`);
  return [`This also removes the policy of profile ${name}:`, ...rules];
}

/** Without its current profile: the only other one becomes current; of several, only `default` can. */
function withCurrent(config: Config, deleted: string): Config {
  if (config.currentProfile !== deleted) return config;
  const [first, second] = Object.keys(config.profiles);
  const only = second === undefined ? first : undefined;
  return { ...config, currentProfile: only ?? emptyConfig.currentProfile };
}
