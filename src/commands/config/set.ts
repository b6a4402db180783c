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
    const { checkSetting } = await import('../../lib/service/account/setting-values.ts');
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
