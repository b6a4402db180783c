import { bash } from './bash.ts';
import { fish } from './fish.ts';
import { powershell } from './powershell.ts';
import type { Shell } from './typed.ts';
import { zsh } from './zsh.ts';

/** The protocol of each shell, by its name. */
export const shells: ReadonlyMap<string, Shell> = new Map(
  Object.entries({ bash, fish, powershell, zsh }),
);
