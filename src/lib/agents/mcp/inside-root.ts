import { realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';

/** The directory of `--root`, without links. Throws a `UsageError` if there is none. */
export function rootDirectory(path: string, cwd: string): string {
  const real = attempt(() => realpathSync(resolve(cwd, path)), undefined);
  if (real !== undefined && statSync(real).isDirectory()) return real;
  throw new UsageError(`--root ${visible(path)} is not a directory`);
}

/**
 * A file below the root, as its path without links. Throws the same `UsageError` for a file that is not there and for one
 * elsewhere, so that nobody learns what else the machine has.
 */
export function fileInside(root: string, path: string, endings?: readonly string[]): string {
  const real = attempt(() => realpathSync(resolve(root, path)), undefined);
  const way = real === undefined ? '..' : relative(root, real);
  const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (real === undefined || isOutside || !statSync(real).isFile()) {
    throw new UsageError(`There is no file ${visible(path)} below the root of this server`);
  }
  if (endings !== undefined && !endings.includes(extname(real).slice(1).toLowerCase())) {
    throw new UsageError(`${visible(path)}: only files that end in ${endings.join(', ')}`);
  }
  return real;
}
