import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';

/** The place of a file cannot be got at, so that nobody knows what is there. */
export class UnreachablePlace extends UsageError {}

/**
 * The user's home directory. Throws where there is none, as for a number that no user has, which is
 * usual in containers; `variable` names a place in its stead.
 */
export function homeOf({ homeDirectory }: Pick<System, 'homeDirectory'>, variable: string): string {
  if (homeDirectory !== undefined) return homeDirectory;
  throw new UnreachablePlace(`This user has no home directory: set HOME or ${variable}.`);
}
