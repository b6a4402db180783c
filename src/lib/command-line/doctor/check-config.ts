import { dirname } from 'node:path';
import { type MailerError, NotFoundError } from '../../base/errors.ts';
import { UnreachablePlace } from '../../base/files/home-directory.ts';
import { octal } from '../../base/text/octal.ts';
import { type ShellSystem, setToPath, shellQuote } from '../../base/text/shell-quote.ts';
import { visible } from '../../base/text/visible.ts';
import type { ConfigInspection } from '../../service/account/config/inspect.ts';
import {
  needsNoProfile,
  otherProfiles,
  profileNamed,
  requireProfile,
} from '../../service/account/profiles.ts';
import type { Account } from '../../service/account/resolve-account.ts';
import type { Context } from '../command/context.ts';
import { type Check, failed, oddDirectory, ok, phrase, type Warning, warning } from './check.ts';

/**
 * Checks that the configuration works and is private. `ignored` are sentences about what a flag overrides.
 */
export function checkConfig(
  context: Pick<Context, 'system' | 'flags'>,
  look: ConfigInspection,
  { profile: name = '' }: Account,
  ignored: readonly string[],
): Check {
  const { env } = context.system;
  const isNeeded = !needsNoProfile(context.flags, env);
  if (look.problem !== undefined) return problemWith(look.problem, isNeeded, context.system);
  const byName = context.flags.profile?.trim() ? '--profile' : 'MAILER_PROFILE';
  const isNamed = byName === '--profile' || Boolean(env.MAILER_PROFILE?.trim());
  try {
    if (isNamed) requireProfile(look.config, name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return problemWith(error, true, context.system);
  }
  const others = isNeeded ? otherProfiles(look.config, name) : undefined;
  if (others !== undefined) {
    return failed(
      'config',
      'not_found',
      `The current profile "${visible(name)}" does not exist`,
      others,
    );
  }
  const bad = look.badSettings.find(({ profile }) => profile === name);
  if (bad !== undefined) {
    const unset = ['mailer', 'config', 'unset', bad.name, '--profile', name];
    return failed(
      'config',
      'usage',
      `${look.path}, profile ${name}: ${bad.reason}`,
      `Remove the setting: ${shellQuote(unset, context.system)}`,
    );
  }
  const profile = `profile ${name}${isNamed ? ` (${byName})` : ''}`;
  const found = look.exists ? `${profile} in ${look.path}` : `There is no ${look.path} yet`;
  const oddities = [
    ...storage(look, isNeeded),
    ...modes(look, context),
    ...overrides(env, look, name, ignored),
    ...oddDirectory(context.system, 'MAILER_CONFIG_DIR', 'XDG_CONFIG_HOME'),
  ];
  if (oddities.length === 0) return ok('config', found);
  return warning(
    'config',
    [found, ...oddities.map(([detail]) => detail)].join('; '),
    oddities.map(([, remedy]) => remedy).join('; '),
  );
}

function problemWith(error: MailerError, isNeeded: boolean, system: ShellSystem): Check {
  const { code, message, details } = error;
  const example = setToPath('MAILER_CONFIG_DIR', 'path/to/a/directory', system);
  const remedy = details.hint ?? `For example: ${example}`;
  return error instanceof UnreachablePlace && !isNeeded
    ? warning(
        'config',
        `${phrase(message)}; not needed, because key and URL are in the environment`,
        remedy,
      )
    : failed('config', code, message, remedy);
}

/** If key and URL are in the environment, there is nothing to store. */
function storage({ path, writable }: ConfigInspection, isNeeded: boolean): Warning[] {
  if (writable || !isNeeded) return [];
  const directory = dirname(path);
  return [
    [
      `nothing can be stored in ${directory}`,
      `Change its permissions or its owner, or set another directory in MAILER_CONFIG_DIR`,
    ],
  ];
}

function modes({ exposed }: ConfigInspection, { system }: Pick<Context, 'system'>): Warning[] {
  return exposed.map(({ path, mode, wanted }) => [
    `others may use ${path} (mode ${octal(mode)})`,
    shellQuote(['chmod', octal(wanted), path], system),
  ]);
}

/** Shows only the names of variables. */
function overrides(
  env: Context['system']['env'],
  { config }: ConfigInspection,
  name: string,
  ignored: readonly string[],
): Warning[] {
  if (ignored.length > 0) {
    return ignored.map((text) => [phrase(text), 'To use them, leave --profile out']);
  }
  const { baseUrl, apiKey, keyCommand } = profileNamed(config, name) ?? {};
  const covered = [
    ['MAILER_API_KEY', apiKey ?? keyCommand],
    ['MAILER_BASE_URL', baseUrl],
  ].flatMap(([variable = '', stored]) => {
    const value = env[variable]?.trim();
    return value && stored !== undefined && stored !== value ? [variable] : [];
  });
  if (covered.length === 0) return [];
  return [
    [
      `${covered.join(' and ')} of the environment ${covered.length === 1 ? 'takes' : 'take'} precedence`,
      `To use what the profile has: unset ${covered.join(' ')}`,
    ],
  ];
}
