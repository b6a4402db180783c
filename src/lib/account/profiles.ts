import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import type { Config, Profile } from './config/types.ts';

/** Whether key and URL are in flags and environment: users for services often have no own home. */
export function needsNoProfile(
  flags: { readonly profile?: string; readonly baseUrl?: string },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const isNamed = Boolean(flags.profile?.trim() || env.MAILER_PROFILE?.trim());
  const url = flags.baseUrl?.trim() || env.MAILER_BASE_URL?.trim();
  return !isNamed && Boolean(url && env.MAILER_API_KEY?.trim());
}

/** The name of the profile in force: by flag, else by environment, else the current one. */
export function profileName(
  flags: { readonly profile?: string },
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
): string {
  return flags.profile?.trim() || env.MAILER_PROFILE?.trim() || config.currentProfile;
}

/** The profile of that name. */
export function profileNamed(config: Config, name: string): Profile | undefined {
  // Names such as `constructor` would otherwise find what all objects have.
  return Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
}

/** The profile of that name; a `UsageError` that lists those there are when there is none. */
export function requireProfile(config: Config, name: string): Profile {
  const profile = profileNamed(config, name);
  if (profile !== undefined) return profile;
  const names = Object.keys(config.profiles).sort();
  throw new UsageError(`There is no profile "${visible(name)}".`, {
    hint:
      names.length === 0
        ? `There are no profiles yet. Create one with: mailer login${isName(name) ? ` --profile ${name}` : ''}`
        : `There are: ${names.map(visible).join(', ')}`,
  });
}

function isName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}

/** `name`, when a profile may be called that; a `UsageError` otherwise. */
export function checkProfileName(name: string): string {
  if (isName(name)) return name;
  throw new UsageError(`"${visible(name)}" cannot be the name of a profile.`, {
    hint: 'Use 1 to 64 letters, digits, dots, underscores and hyphens; a letter or digit first.',
  });
}

/** The configuration with `profile` under `name`, in place of the one there, if any. */
export function withProfile(config: Config, name: string, profile: Profile): Config {
  return { ...config, profiles: { ...config.profiles, [name]: profile } };
}

/** The configuration without the profile `name`. */
export function withoutProfile(config: Config, name: string): Config {
  const profiles = Object.entries(config.profiles).filter(([other]) => other !== name);
  return { ...config, profiles: Object.fromEntries(profiles) };
}
