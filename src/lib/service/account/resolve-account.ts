import { AuthError, UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { visible } from '../../base/text/visible.ts';
import { isPrivate, normalizeBaseUrl, originOf } from '../http/network/base-url.ts';
import { keyFromCommand, parseApiKey } from './api-key.ts';
import type { Config } from './config/config-types.ts';
import {
  profileName as nameInForce,
  otherProfiles,
  profileNamed,
  requireProfile,
} from './profiles.ts';

/** Where a value came from, as `whoami` shows it: `--base-url`, `MAILER_API_KEY`, `profile work`. */
export type Source = string;

/** The flags that select an account. */
export interface AccountFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly sandbox?: boolean;
  /** Whether the key may go over plain http. */
  readonly allowHttp?: boolean;
}

/** The service and key that flags, environment and profile select. */
export interface Account {
  /** The profile's name, or undefined with `--sandbox`. */
  readonly profile: string | undefined;
  /** Without trailing slash and version; undefined without one. Throws a `UsageError` if it is wrong. */
  readonly baseUrl: string | undefined;
  readonly baseUrlSource: Source | undefined;
  /** Undefined when there is no key. */
  readonly keySource: Source | undefined;
  /** The key; a key command runs only once. Throws an `AuthError` without a key that may be sent. */
  key(): Promise<string>;
  /** The base URL. Throws like `baseUrl`, and if there is none; an `AuthError` if there is no key either. */
  service(): string;
}

export interface AccountOptions {
  readonly flags: AccountFlags;
  readonly env: System['env'];
  readonly config: Config;
  readonly runShell: System['runShell'];
  /** Takes a warning about ignored variables. */
  readonly warn: (text: string) => void;
}

interface Found {
  readonly value: string;
  readonly source: Source;
}

/** The parts of an account, unchecked. */
type Parts = ReturnType<typeof findParts>;

/**
 * Combines flags, environment and profile, in this order of precedence; but `--profile` takes precedence
 * over the environment, and `warn` reports ignored variables. An empty value counts as absent.
 *
 * Never throws, so that commands that repair a configuration can run; the account's members throw when used.
 */
export function resolveAccount(options: AccountOptions): Account {
  const parts = findParts(options);
  const { profileName, url } = parts;
  const keySource = (parts.keyInEnv ?? parts.storedKey ?? parts.keyCommand)?.source;
  let warned = false;
  const baseUrl = () => {
    if (parts.named) requireProfile(options.config, profileName);
    // Not earlier: a command that needs neither key nor URL has nothing to warn about.
    if (!warned) warnOfIgnored(parts, options.warn);
    warned = true;
    return url && normalizeBaseUrl(url.value, url.source);
  };
  const service = () => {
    const known = baseUrl();
    if (known !== undefined) return known;
    throw keySource === undefined
      ? notLoggedIn(options.config, profileName, options.env)
      : noBaseUrl();
  };
  let key: Promise<string> | undefined;
  return {
    profile: profileName,
    get baseUrl() {
      return baseUrl();
    },
    baseUrlSource: url?.source,
    keySource,
    key() {
      key ??= findKey(parts, service, options);
      return key;
    },
    service,
  };
}

function findParts({ flags, env, config }: AccountOptions) {
  const byFlag = found(flags.profile, '--profile');
  const name = byFlag ?? found(env.MAILER_PROFILE, 'MAILER_PROFILE');
  const profileName = nameInForce(flags, env, config);
  const profile = profileNamed(config, profileName);
  const source = `profile ${profileName}`;
  const storedUrl = found(profile?.baseUrl, source);
  const storedKey = found(profile?.apiKey, source);
  const keyCommand = found(profile?.keyCommand, `key command of ${source}`);

  const urlByFlag = found(flags.baseUrl, '--base-url');
  const urlInEnv = found(env.MAILER_BASE_URL, 'MAILER_BASE_URL');
  const keyInEnv = found(env.MAILER_API_KEY, 'MAILER_API_KEY');
  const ignoresUrl = byFlag !== undefined && storedUrl !== undefined && urlInEnv !== undefined;
  const hasKey = storedKey !== undefined || keyCommand !== undefined;
  // A key set along with a URL must not go to another URL.
  const ignoresKey = byFlag !== undefined && keyInEnv !== undefined && (hasKey || ignoresUrl);

  return {
    profileName,
    /** Whether a flag or the environment named the profile, which must exist then. */
    named: name !== undefined,
    profile,
    url: urlByFlag ?? (ignoresUrl ? undefined : urlInEnv) ?? storedUrl,
    keyInEnv: ignoresKey ? undefined : keyInEnv,
    storedKey,
    keyCommand,
    /** Environment variables that `--profile` overrides. */
    ignored: [
      ...(ignoresKey ? [keyInEnv.source] : []),
      ...(ignoresUrl && urlByFlag === undefined ? [urlInEnv.source] : []),
    ],
  };
}

async function findKey(
  { profileName, named, profile, keyInEnv, storedKey, keyCommand }: Parts,
  service: () => string,
  { flags, config, env, runShell }: AccountOptions,
): Promise<string> {
  if (named) requireProfile(config, profileName);
  if (keyInEnv === undefined && storedKey === undefined && keyCommand === undefined) {
    throw notLoggedIn(config, profileName, env);
  }
  const target = service();
  const owner = originOf(profile?.baseUrl);
  const isOfProfile = owner === originOf(target);
  assertPrivate(target, flags.allowHttp === true || (isOfProfile && profile?.allowHttp === true));
  if (keyInEnv !== undefined) return parseApiKey(keyInEnv.value, keyInEnv.source);
  if (!isOfProfile) throw foreignService(profileName, owner, target);
  if (storedKey !== undefined) return parseApiKey(storedKey.value, storedKey.source);
  if (keyCommand !== undefined) {
    return await keyFromCommand(keyCommand.value, keyCommand.source, runShell);
  }
  throw notLoggedIn(config, profileName, env);
}

/** Throws an `AuthError` if others could read a key on its way to `url`. */
export function assertPrivate(url: string, allowHttp: boolean): void {
  if (allowHttp || isPrivate(url)) return;
  throw new AuthError(`The key was not sent: ${url} is plain http, which others can read.`, {
    hint: 'Use https, or add --allow-http to send it anyway.',
  });
}

function foreignService(profileName: string, owner: string | undefined, target: string): AuthError {
  const ownerText = owner === undefined ? 'has no base URL' : `is for ${owner}`;
  return new AuthError(
    `The key of profile ${profileName} ${ownerText}; it was not sent to ${originOf(target)}.`,
    { hint: 'Give the key for this URL in MAILER_API_KEY, or name its profile with --profile.' },
  );
}

function notLoggedIn(config: Config, profileName: string, env: AccountOptions['env']): AuthError {
  if (env.MAILER_API_KEY?.trim() === '') {
    return new AuthError('There is no API key: MAILER_API_KEY is set but empty.', {
      hint: 'In CI, this usually means that the secret does not exist, or that this job may not read it.',
    });
  }
  const hint = otherProfiles(config, profileName);
  if (hint !== undefined) {
    const reason = `the current profile "${visible(profileName)}" does not exist`;
    return new AuthError(`There is no API key: ${reason}.`, { hint });
  }
  return new AuthError('There is no API key.', {
    hint: 'Log in with: mailer login. To try things out without an account, add --sandbox.',
  });
}

function noBaseUrl(): UsageError {
  return new UsageError('There is no base URL.', {
    hint: 'Give it with --base-url or MAILER_BASE_URL, or store it with: mailer login',
  });
}

function found(value: string | undefined, source: Source): Found | undefined {
  const trimmed = value?.trim() ?? '';
  return trimmed === '' ? undefined : { value: trimmed, source };
}

function warnOfIgnored({ ignored, profileName }: Parts, warn: (text: string) => void): void {
  if (ignored.length === 0) return;
  const verb = ignored.length === 1 ? 'is' : 'are';
  warn(`${ignored.join(' and ')} ${verb} ignored: --profile ${profileName} takes precedence.`);
}
