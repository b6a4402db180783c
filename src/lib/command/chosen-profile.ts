import type { Config, Profile } from '../account/config-types.ts';
import { profileNamed, requireProfile } from '../account/profiles.ts';
import { UsageError } from '../errors.ts';
import type { Context } from './context.ts';

/** The profile that flags, environment and `mailer profile use` have chosen. */
interface ChosenProfile {
  readonly config: Config;
  readonly name: string;
  /** An empty one when nothing has been stored in it yet. */
  readonly profile: Profile;
}

/**
 * The profile in force. Throws a `UsageError` when a flag or the environment names one that does
 * not exist, and with `--sandbox`, which has none.
 */
export async function chosenProfile(context: Context): Promise<ChosenProfile> {
  const { profile: name } = await context.account();
  if (name === undefined) throw new UsageError('With --sandbox there is no profile.');
  const config = await (await context.configFile()).read();
  const profile =
    name === config.currentProfile
      ? (profileNamed(config, name) ?? {})
      : requireProfile(config, name);
  return { config, name, profile };
}
