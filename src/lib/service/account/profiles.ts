import { NotFoundError, UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';
import type { Config, Profile } from './config/config-types.ts';

/** Whether flags and environment give key and URL: system users often have no home directory. */
export function needsNoProfile(
  flags: { readonly profile?: string; readonly baseUrl?: string },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const url = flags.baseUrl?.trim() || env.MAILER_BASE_URL?.trim();
  return !isProfileNamed(flags, env) && Boolean(url && env.MAILER_API_KEY?.trim());
}

/** Whether a flag or the environment names a profile, which must exist then. */
export function isProfileNamed(
  flags: { readonly profile?: string },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return Boolean(flags.profile?.trim() || env.MAILER_PROFILE?.trim());
}

/** The name of the profile in use: from the flag, else the environment, else the current one. */
export function profileName(
  flags: { readonly profile?: string },
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
): string {
  return flags.profile?.trim() || env.MAILER_PROFILE?.trim() || config.currentProfile;
}

/** The profile of that name. */
export function profileNamed(config: Config, name: string): Profile | undefined {
  // A name such as `constructor` would otherwise find an inherited property.
  return Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
}

/** The profile of that name. Throws a `NotFoundError` that lists the existing ones if there is none. */
export function requireProfile(config: Config, name: string): Profile {
  const profile = profileNamed(config, name);
  if (profile !== undefined) return profile;
  throw new NotFoundError(`There is no profile "${visible(name)}".`, {
    hint:
      namesIn(config) === ''
        ? `There are no profiles yet. Create one with: mailer login${isName(name) ? ` --profile ${name}` : ''}`
        : `Profiles: ${namesIn(config)}`,
  });
}

/** What to do if the current profile does not exist; undefined if it does, or if there is no other one. */
export function otherProfiles(config: Config, name: string): string | undefined {
  if (profileNamed(config, name) !== undefined || namesIn(config) === '') return undefined;
  return `To choose another: mailer profile use NAME. Profiles: ${namesIn(config)}`;
}

function namesIn({ profiles }: Config): string {
  return Object.keys(profiles).sort().map(visible).join(', ');
}

function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}

/** Returns `name` if it is a valid profile name; throws a `UsageError` otherwise. */
export function checkProfileName(name: string): string {
  if (isName(name)) return name;
  throw new UsageError(`"${visible(name)}" cannot be the name of a profile.`, {
    hint: 'Use 1 to 64 letters, digits, dots, underscores and hyphens; a letter or digit first.',
  });
}

/** The configuration with `profile` stored as `name`, replacing an existing one. */
export function withProfile(config: Config, name: string, profile: Profile): Config {
  return { ...config, profiles: { ...config.profiles, [name]: profile } };
}

/** The configuration without the profile `name`. */
export function withoutProfile(config: Config, name: string): Config {
  const profiles = Object.entries(config.profiles).filter(([other]) => other !== name);
  return { ...config, profiles: Object.fromEntries(profiles) };
}
