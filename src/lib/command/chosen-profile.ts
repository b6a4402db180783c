import type { Config, Profile } from '../account/config/types.ts';
import { profileName, profileNamed, requireProfile } from '../account/profiles.ts';
import type { Context } from './context.ts';

/** The profile that flags, environment and `mailer profile use` have chosen. */
interface ChosenProfile {
  readonly config: Config;
  readonly name: string;
  /** An empty one when nothing has been stored in it yet. */
  readonly profile: Profile;
}

/** The profile in use. A `UsageError` when a flag or the environment names one that does not exist. */
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
