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
  description:
    'Settings are defaults for flags. They belong to a profile: the current one, or the one that --profile names.',
  effects: { local: true },
  prints: [documentOf('the setting', schemas.account('settingReply'))],
  quiet: 'print nothing',
  examples: {
    'mailer config set from "Ana <ana@example.com>"': 'Set the default sender',
    'mailer config set output json': 'Print JSON by default',
    'mailer config set timezone Europe/Berlin --profile work': 'In another profile',
  },
  offers: { name: settingNames },
  flags: (command) =>
    command
      .argument('<name>', 'from, reply-to, timezone, output, timeout, retries or local-mail-to')
      .argument('<value>', 'its value'),
  async run(context: LocalContext, _options, argument, text) {
    const setting = checkSettingName(argument);
    const { checkSetting } = await import('../../lib/account/setting-values.ts');
    const value = checkSetting(setting, text);
    const { name } = await chosenProfile(context);
    const file = await context.configFile();
    await file.update((config) => {
      const profile = profileNamed(config, name);
      const settings = { ...profile?.settings, [setting]: value };
      return withProfile(config, name, { ...profile, settings });
    });
    return done({
      reply: { profile: name, name: setting, value } satisfies SettingReply,
      ids: [],
      message: `Set ${setting} to ${value} in profile ${name}.`,
    });
  },
});
