import type { SettingReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { chosenProfile } from '../../lib/command-line/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { profileNamed, withProfile } from '../../lib/service/account/profiles.ts';
import { checkSettingName, settingNames } from '../../lib/service/account/setting-names.ts';

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
