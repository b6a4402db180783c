import { profileNamed, withProfile } from '../../lib/account/profiles.ts';
import { checkSettingName, settingNames } from '../../lib/account/setting-names.ts';
import { chosenProfile } from '../../lib/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { LocalContext } from '../../lib/command/context.ts';
import { documentOf } from '../../lib/command/prints.ts';
import type { SettingReply } from '../../lib/json-schemas/account.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description: 'The built-in default applies again.',
  effects: { local: true },
  prints: [documentOf('the setting', schemas.account('settingReply'))],
  quiet: 'print nothing',
  examples: { 'mailer config unset from': 'Remove the default sender' },
  offers: { name: settingNames },
  flags: (command) => command.argument('<name>', 'name of a setting'),
  async run(context: LocalContext, _options, argument) {
    const setting = checkSettingName(argument);
    const { name, profile } = await chosenProfile(context);
    const reply = { profile: name, name: setting, value: null } satisfies SettingReply;
    if (profile.settings?.[setting] === undefined) {
      const message = `${setting} is not set in profile ${name}.`;
      return done({ reply, ids: [], message, isNothing: true });
    }
    const file = await context.configFile();
    await file.update((config) => {
      const { [setting]: _, ...settings } = profileNamed(config, name)?.settings ?? {};
      return withProfile(config, name, { ...profileNamed(config, name), settings });
    });
    return done({ reply, ids: [], message: `Removed ${setting} from profile ${name}.` });
  },
});
