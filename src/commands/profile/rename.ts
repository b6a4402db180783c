import type { ProfileRenameReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import {
  checkProfileName,
  profileNamed,
  requireProfile,
} from '../../lib/service/account/profiles.ts';

export const command = defineCommand({
  description: 'Its key and its settings do not change.',
  effects: { local: true },
  exits: { 4: 'there is no such profile' },
  prints: [documentOf('both names', schemas.account('profileRenameReply'))],
  examples: { 'mailer profile rename default work': 'Rename the profile default to work' },
  offers: { old: 'profiles' },
  flags: (command) =>
    command.argument('<old>', 'name of a profile').argument('<new>', 'its new name'),
  async run(context, _options, from, to) {
    checkProfileName(to);
    const file = await context.configFile();
    await file.update((config) => {
      requireProfile(config, from);
      if (profileNamed(config, to) !== undefined) {
        throw new UsageError(`Profile "${to}" already exists.`);
      }
      const profiles = Object.fromEntries(
        Object.entries(config.profiles).map(([name, profile]) => [
          name === from ? to : name,
          profile,
        ]),
      );
      const currentProfile = config.currentProfile === from ? to : config.currentProfile;
      return { ...config, currentProfile, profiles };
    });
    // Else, max-per-day would begin at 0 again.
    (await context.dayCount()).rename(from, to);
    return done({
      reply: { name: to, formerName: from } satisfies ProfileRenameReply,
      ids: [to],
      message: `Renamed profile ${from} to ${to}.`,
    });
  },
});
