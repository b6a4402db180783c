import type { LoginReply } from '../json-schemas/account.ts';
import { schemas } from '../json-schemas/load.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { askCredentials, type Credentials } from '../lib/command-line/login/credentials.ts';
import { tryOut } from '../lib/command-line/login/try-out.ts';
import { done } from '../lib/command-line/output/result.ts';
import { maskKey } from '../lib/service/account/api-key.ts';
import type { Config } from '../lib/service/account/config/config-types.ts';
import {
  checkProfileName,
  profileName,
  profileNamed,
  withProfile,
} from '../lib/service/account/profiles.ts';
import { unusualKeyFormat } from '../lib/service/http/unusual-key.ts';

export const command = defineCommand({
  description:
    'On a terminal, it asks for the values that no flag gives; the key is not shown. The key is tested with one call, then stored in a file that only you can read. With --key-command, the command is stored instead, and run each time the key is needed.',
  effects: { reads: true, local: true },
  exits: { 3: 'the key was rejected; nothing was stored' },
  prints: [documentOf('what was stored', schemas.account('loginReply'))],
  takes: ['service'],
  examples: {
    'mailer login': 'Ask for base URL and key',
    'mailer login --base-url mail.example.com --with-token < key.txt': 'Read the key from stdin',
    'mailer login --profile work --key-command "pass show mailer"':
      'Store a command that prints the key',
  },
  flags: (command) =>
    command
      .option('--with-token', 'read the key from stdin')
      .option('--key-command <command>', 'store a command that prints the key, instead of the key'),
  async run(context, options) {
    const { flags, system, notes } = context;
    const file = await context.configFile();
    const config = await file.read();
    const name = checkProfileName(profileName(flags, system.env, config));
    const existing = profileNamed(config, name);
    const asked = await askCredentials(context, options, existing);
    const oddForm = unusualKeyFormat(asked.apiKey);
    if (oddForm !== undefined) notes.warn(oddForm);
    const credentials = { ...asked, baseUrl: await tryOut(context, asked) };

    const { currentProfile } = await file.update((config) => store(config, name, credentials));
    const current = currentProfile === name;
    if (!current) {
      notes.say(`The current profile is ${currentProfile}. To switch: mailer profile use ${name}`);
    }
    warnOfEnvironment(context);
    const { baseUrl, apiKey, keyCommand } = credentials;
    const key = maskKey(apiKey, system);
    const shown = system.stdout.isTTY === true ? `the key ${key}` : 'the key';
    const stored = keyCommand === undefined ? shown : 'the key command';
    return done({
      reply: {
        profile: name,
        current,
        baseUrl,
        key,
        keyCommand: keyCommand ?? null,
        path: file.path,
      } satisfies LoginReply,
      ids: [name],
      message: `Logged in to ${baseUrl}. Stored ${stored} as profile ${name} in ${file.path}`,
    });
  },
});

/** Keeps settings and unknown keys of the profile. The profile becomes current if none is. */
function store(config: Config, name: string, credentials: Credentials): Config {
  const { apiKey: _, keyCommand: __, allowHttp: ___, ...kept } = profileNamed(config, name) ?? {};
  const { baseUrl, apiKey, keyCommand, allowHttp } = credentials;
  const changed = withProfile(config, name, {
    ...kept,
    baseUrl,
    ...(keyCommand === undefined ? { apiKey } : { keyCommand }),
    ...(allowHttp ? { allowHttp } : {}),
  });
  const hasCurrent = profileNamed(changed, config.currentProfile) !== undefined;
  return hasCurrent ? changed : { ...changed, currentProfile: name };
}

function warnOfEnvironment({ system, notes }: Context): void {
  const set = ['MAILER_API_KEY', 'MAILER_BASE_URL'].filter((name) => system.env[name]);
  if (set.length === 0) return;
  const verb = set.length === 1 ? 'is set and overrides' : 'are set and override';
  notes.warn(`${set.join(' and ')} ${verb} what was stored, except with --profile.`);
}
