import type { ProfileRow } from '../../json-schemas/account.ts';
import { schemas } from '../../json-schemas/load.ts';
import { hintFor } from '../../lib/base/text/job-hint.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { LocalContext } from '../../lib/command-line/command/context.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import { maskKey } from '../../lib/service/account/api-key.ts';

export const command = defineCommand({
  description: 'A profile is a base URL, a key and settings. Keys are masked.',
  effects: {},
  prints: [rowsOf('all profiles', schemas.account('profileRow'))],
  takes: ['lists'],
  examples: {
    'mailer profile list': 'All accounts; the current one is marked',
    'mailer profile list --quiet': 'Only their names',
  },
  async run(context: LocalContext) {
    const { currentProfile, profiles } = await (await context.configFile()).read();
    const rows = Object.entries(profiles)
      .map(([name, { apiKey, baseUrl = null, keyCommand = null }]): ProfileRow => {
        const key = apiKey === undefined ? null : maskKey(apiKey, context.system);
        return { name, current: name === currentProfile, baseUrl, key, keyCommand };
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    return list<ProfileRow>({
      pages: [{ rows }],
      columns: [
        { field: 'name', header: 'Name' },
        { field: 'current', header: 'Current', cell: ({ current }) => (current ? 'yes' : '') },
        { field: 'baseUrl', header: 'Base URL', flexible: true },
        {
          field: 'key',
          header: 'Key',
          cell: ({ key, keyCommand }) => key ?? (keyCommand === null ? null : 'from a command'),
        },
        { field: 'keyCommand', header: 'Key command', inDetails: true },
      ],
      id: ({ name }) => name,
      empty: hintFor(context.system.env, 'No profiles. Create one with: mailer login'),
    });
  },
});
