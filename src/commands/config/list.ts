import { settingNames } from '../../lib/account/setting-names.ts';
import { chosenProfile } from '../../lib/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { LocalContext } from '../../lib/command/context.ts';
import { rowsOf } from '../../lib/command/prints.ts';
import type { SettingRow } from '../../lib/json-schemas/account.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { list } from '../../lib/output/result.ts';

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
