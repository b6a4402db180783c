import type { SettingReply } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { chosenProfile } from '../../lib/command-line/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { textResult } from '../../lib/command-line/output/result.ts';
import { checkSettingName, settingNames } from '../../lib/service/account/setting-names.ts';

export const command = defineCommand({
  description: 'If the setting is not set, it prints nothing.',
  effects: {},
  prints: [documentOf('the setting', schemas.account('settingReply'))],
  examples: { 'mailer config get from': 'Print one setting, or nothing if it is not set' },
  offers: { name: settingNames },
  flags: (command) => command.argument('<name>', 'name of a setting'),
  async run(context: LocalContext, _options, argument) {
    const setting = checkSettingName(argument);
    const { name, profile } = await chosenProfile(context);
    const value = profile.settings?.[setting];
    return textResult({
      reply: { profile: name, name: setting, value: value ?? null } satisfies SettingReply,
      text: value ?? '',
    });
  },
});
