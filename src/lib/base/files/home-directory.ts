import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';

/** The error for a place that cannot be reached, so its content is unknown. */
export class UnreachablePlace extends UsageError {}

/** The home directory. Throws if there is none, which is common in containers; names `variable`. */
export function homeOf({ homeDirectory }: Pick<System, 'homeDirectory'>, variable: string): string {
  if (homeDirectory !== undefined) return homeDirectory;
  throw new UnreachablePlace(`This user has no home directory: set HOME or ${variable}.`);
}
