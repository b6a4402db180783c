import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import { isAbsolute } from 'node:path';

/**
 * The real path of a directory, if nobody but the user and root decides what is there: from the root
 * of the file system down, each directory and link is theirs, and in none may others remove or
 * replace something. Each is looked at where that has been found of all above it, so that it cannot
 * be another one by the time it is used. Undefined otherwise.
 *
 * With `make`, what is missing of it is made. `user` is the user's id, or undefined where files have
 * no owners to look at.
 */
export function ownDirectory(
  path: string,
  user: number | undefined,
  { make = false } = {},
): string | undefined {
  // Where it would lie depends on the working directory.
  if (!isAbsolute(path)) return undefined;
  if (user === undefined) {
    if (make) mkdirSync(path, { recursive: true });
    return path;
  }
  const names = path.split('/');
  let own = '';
  for (const [index, name] of names.entries()) {
    const here = `${own}/${name}`;
    const stat = lstatSync(here, { throwIfNoEntry: false });
    if (stat === undefined) {
      if (!make) return undefined;
      // It fails where somebody has made one meanwhile.
      mkdirSync(here, { mode: 0o700 });
    } else if (stat.uid !== user && stat.uid !== 0) {
      return undefined;
    } else if (stat.isSymbolicLink()) {
      const target = readlinkSync(here);
      const real = [isAbsolute(target) ? '' : own, target, ...names.slice(index + 1)];
      return ownDirectory(real.join('/'), user, { make });
    } else if (!isClosed(stat) && !isSticky(stat)) {
      return undefined;
    }
    if (name !== '') own = here;
  }
  return own;
}

/** Whether nobody may remove or replace what others have in a directory. */
function isSticky({ mode }: Stats): boolean {
  return (mode & 0o1000) !== 0;
}

/** Whether only its owner may write to it. */
function isClosed({ mode }: Stats): boolean {
  return (mode & 0o022) === 0;
}

/** What is in a file that only the user may write to; undefined for all else that may be there. */
export function readOwn(path: string, user: number | undefined): Buffer | undefined {
  // A pipe would have to be waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(path, flags);
  try {
    const stat = fstatSync(descriptor);
    const isOwn = user === undefined || (stat.uid === user && isClosed(stat));
    if (!isOwn || !stat.isFile()) return undefined;
    const content = Buffer.allocUnsafe(stat.size);
    return readSync(descriptor, content) === stat.size ? content : undefined;
  } finally {
    closeSync(descriptor);
  }
}
