import type { SettingRow } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { chosenProfile } from '../../lib/command-line/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import { settingNames } from '../../lib/service/account/setting-names.ts';

export const command = defineCommand({
  description: 'It lists all settings of the profile in use, set or not.',
  effects: {},
  prints: [rowsOf('all settings', schemas.account('settingRow'))],
  takes: ['lists'],
  examples: { 'mailer config list': 'All settings, set or not' },
  async run(context: LocalContext) {
    const { profile } = await chosenProfile(context);
    const rows = settingNames.map(
      (name): SettingRow => ({
        name,
        value: profile.settings?.[name] ?? null,
      }),
    );
    return list<SettingRow>({
      pages: [{ rows }],
      columns: [
        { field: 'name', header: 'Name' },
        { field: 'value', header: 'Value', flexible: true },
      ],
      id: ({ name }) => name,
      empty: 'No settings.',
    });
  },
});
