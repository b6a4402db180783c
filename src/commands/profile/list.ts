import { maskKey } from '../../lib/account/api-key.ts';
import type { Profile } from '../../lib/account/config/config-types.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { LocalContext } from '../../lib/command/context.ts';
import { rowsOf } from '../../lib/command/prints.ts';
import type { ProfileRow } from '../../lib/json-schemas/account.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { list } from '../../lib/output/result.ts';
import { hintFor } from '../../lib/text/job-hint.ts';

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
      .map(([name, { apiKey, ...profile }]) => {
        const key = apiKey === undefined ? null : maskKey(apiKey, context.system);
        return rowOf(name, { ...profile, key }, name === currentProfile);
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

function rowOf(
  name: string,
  { baseUrl, key, keyCommand }: Omit<Profile, 'apiKey'> & Pick<ProfileRow, 'key'>,
  current: boolean,
): ProfileRow {
  return {
    name,
    current,
    baseUrl: baseUrl ?? null,
    key,
    keyCommand: keyCommand ?? null,
  };
}
