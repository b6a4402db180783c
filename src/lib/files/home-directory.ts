import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';

/** A place that cannot be reached, so that nobody knows what is there. */
export class UnreachablePlace extends UsageError {}

/** The home directory. Throws without one, as is usual for users in containers; names `variable`. */
export function homeOf({ homeDirectory }: Pick<System, 'homeDirectory'>, variable: string): string {
  if (homeDirectory !== undefined) return homeDirectory;
  throw new UnreachablePlace(`This user has no home directory: set HOME or ${variable}.`);
}
