import type { LogoutReply } from '../json-schemas/account.ts';
import { schemas } from '../json-schemas/load.ts';
import { chosenProfile } from '../lib/command-line/command/chosen-profile.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { done } from '../lib/command-line/output/result.ts';
import type { Profile } from '../lib/service/account/config/config-types.ts';
import { profileNamed, withProfile } from '../lib/service/account/profiles.ts';

export const command = defineCommand({
  description:
    'The base URL and the settings of the profile are kept. Cached names for completion are deleted.',
  effects: { local: true },
  prints: [documentOf('the profile and its file', schemas.account('logoutReply'))],
  takes: ['confirmation'],
  examples: {
    'mailer logout': 'Remove the key of the current profile; its settings stay',
    'mailer logout --profile work': 'Remove the key of another one',
  },
  async run(context) {
    const { config, name, profile } = await chosenProfile(context);
    const file = await context.configFile();
    const reply = { profile: name, path: file.path } satisfies LogoutReply;
    if (!holdsKey(profile)) {
      // A login that was killed while it stored the key may have left the key in a temporary file.
      await file.removeLeftovers();
      const message = `Profile ${name} has no key.`;
      return done({ reply, ids: [], message, isNothing: true });
    }
    const others = Object.values(config.profiles).filter(holdsKey).length - 1;
    if (others > 0 && !context.flags.profile) {
      await context.prompts.confirm(
        `Remove the key of profile ${name} (${profile.baseUrl})?`,
        'Nothing was removed',
      );
    }
    await file.update((config) => {
      const { apiKey: _, keyCommand: __, ...rest } = profileNamed(config, name) ?? {};
      return withProfile(config, name, rest);
    });
    const { clearCache } = await import('../lib/command-line/completion/cache.ts');
    clearCache(context.system);
    if (context.system.env.MAILER_API_KEY) {
      context.notes.warn('MAILER_API_KEY is still set and will be used.');
    }
    return done({ reply, ids: [name], message: `Removed the key of profile ${name}.` });
  },
});

function holdsKey({ apiKey, keyCommand }: Profile): boolean {
  return apiKey !== undefined || keyCommand !== undefined;
}
