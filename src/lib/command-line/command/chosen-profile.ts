import { profileName, profileNamed, requireProfile } from '../../service/account/profiles.ts';
import type { Context } from './context.ts';

/**
 * The profile that flags, the environment or `mailer profile use` choose, empty if nothing is stored in it yet. Throws a `UsageError` if a flag or the environment names one that does not
 * exist.
 */
export async function chosenProfile({
  configFile,
  flags,
  system,
}: Pick<Context, 'configFile' | 'flags' | 'system'>) {
  const config = await (await configFile()).read();
  const name = profileName(flags, system.env, config);
  const profile =
    name === config.currentProfile
      ? (profileNamed(config, name) ?? {})
      : requireProfile(config, name);
  return { config, name, profile };
}
