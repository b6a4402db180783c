import type { Config, Profile } from '../account/config/config-types.ts';
import { profileName, profileNamed, requireProfile } from '../account/profiles.ts';
import type { Context } from './context.ts';

/** The profile that flags, the environment or `mailer profile use` choose. */
interface ChosenProfile {
  readonly config: Config;
  readonly name: string;
  /** Empty if nothing is stored in it yet. */
  readonly profile: Profile;
}

/**
 * The profile in use. Throws a `UsageError` if a flag or the environment names one that does not
 * exist.
 */
export async function chosenProfile({
  configFile,
  flags,
  system,
}: Pick<Context, 'configFile' | 'flags' | 'system'>): Promise<ChosenProfile> {
  const config = await (await configFile()).read();
  const name = profileName(flags, system.env, config);
  const profile =
    name === config.currentProfile
      ? (profileNamed(config, name) ?? {})
      : requireProfile(config, name);
  return { config, name, profile };
}
