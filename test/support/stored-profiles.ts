import { type ConfigFile, openConfig } from '../../src/lib/service/account/config/config.ts';
import type { Profile } from '../../src/lib/service/account/config/config-types.ts';
import { createWorld, type World } from './run.ts';

/** A world with these stored profiles. */
export async function worldWith(
  profiles: Readonly<Record<string, Profile>>,
  currentProfile: string,
): Promise<World> {
  const world = createWorld();
  await configOf(world).update(() => ({ currentProfile, profiles }));
  return world;
}

/** The configuration of a world, read without the program. Any warning about it is an error. */
export function configOf(world: Pick<World, 'home'>): ConfigFile {
  return openConfig({
    directory: `${world.home}/.config/mailer`,
    user: process.geteuid?.(),
    warn: (text) => {
      throw new Error(text);
    },
    now: Date.now,
  });
}
