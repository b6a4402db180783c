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
import { attempt } from '../../../shared/attempt.ts';

/** A directory, link or file by which somebody else controls what is at a path. */
export interface UntrustedPart {
  readonly path: string;
  readonly stats: Stats;
}

/** How to examine a path. */
interface LookOptions {
  /** Whether to create what is missing, as directories. */
  readonly make?: boolean;
  /** Whether the user is the only member of a group. Default: always false. */
  readonly isPrivateGroup?: (group: number) => boolean;
  /**
   * The user's home directory in all its spellings. On a path into it, nothing above it is checked.
   */
  readonly homes?: readonly string[];
  /** Directories that the user trusts: on a path into one of them, nothing is checked. */
  readonly trusted?: readonly string[];
}

/** The real path, even if it does not exist yet; or the part of it that somebody else controls. */
type VerifiedPath =
  | { readonly real: string; readonly isThere: boolean; readonly foreign?: undefined }
  | { readonly foreign: UntrustedPart };

/** More links than this in one path form a circle. */
const mostLinks = 40;

/**
 * Checks a path from the root down: the user or root must own each directory and link, and others
 * must not be able to remove or replace anything in it. Each part is checked after all parts above
 * it, so nobody can replace it afterwards.
 */
export function verifyPath(
  path: string,
  user: number,
  options: LookOptions = {},
  links = mostLinks,
): VerifiedPath {
  const names = path.split('/');
  const home = homeOn(path, options);
  const isTrusted = options.trusted?.some((one) => `${path}/`.startsWith(one.replace(/\/?$/, '/')));
  let own = '';
  for (const [index, name] of names.entries()) {
    const here = `${own}/${name}`;
    const stats = options.make === true ? makeAndLook(here) : lookAt(here);
    if (stats === undefined) {
      return { real: [own, ...names.slice(index)].join('/'), isThere: false };
    }
    if (!isTrusted && here.length >= home.length && !isControlledBy(user, stats, options)) {
      return { foreign: { path: here.replace('//', '/'), stats } };
    }
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(here);
      const real = [isAbsolute(target) ? '' : own, target, ...names.slice(index + 1)].join('/');
      if (links === 0) throw inACircle(path);
      return verifyPath(real, user, options, links - 1);
    }
    if (name !== '') own = here;
  }
  return { real: own, isThere: true };
}

/** The home directory that the path leads into; empty if none. */
function homeOn(path: string, { homes = [] }: LookOptions): string {
  return homes.find((one) => path.startsWith(`${one}/`)) ?? '';
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Checks a directory even if it was just created: somebody else may have been first. */
function makeAndLook(path: string): Stats {
  const there = lookAt(path);
  if (there !== undefined) return there;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (lookAt(path) === undefined) throw error;
  }
  return lstatSync(path);
}

/** Whether only the user and root can change this, and what is in it. */
export function isControlledBy(user: number, stats: Stats, options: LookOptions): boolean {
  if (stats.uid !== user && stats.uid !== 0) return false;
  if (stats.isDirectory() && isSticky(stats)) return true;
  // Links have no modes; pipes and devices are never read.
  if (!stats.isDirectory() && !stats.isFile()) return true;
  const { mode, gid } = stats;
  return isClosed(stats) || ((mode & 0o002) === 0 && options.isPrivateGroup?.(gid) === true);
}

/** Whether others may write to it or replace what is in it. */
export function isOpenToOthers(stats: Stats): boolean {
  const isSafe = stats.isSymbolicLink() || (stats.isDirectory() && isSticky(stats));
  return !isSafe && !isClosed(stats);
}

/** All parts of a path that others control, as far as they can be examined: what to correct. */
export function foreignParts(path: string, user: number, options: LookOptions): UntrustedPart[] {
  const names = path.split('/');
  return names.flatMap((_, index) => {
    const part = names.slice(0, index + 1).join('/') || '/';
    if (part.length < homeOn(path, options).length) return [];
    const stats = attempt(() => lstatSync(part), undefined);
    return stats === undefined || isControlledBy(user, stats, options) ? [] : { path: part, stats };
  });
}

function inACircle(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error('too many links'), { code: 'ELOOP', syscall: 'open', path });
}

/**
 * The real path of a directory, if only the user and root control it; `make` creates missing parts.
 * `user` is undefined if files have no owners.
 */
export function ownDirectory(
  path: string,
  user: number | undefined,
  { make = false } = {},
): string | undefined {
  // A relative path would depend on the working directory.
  if (!isAbsolute(path)) return undefined;
  if (user !== undefined) {
    const way = verifyPath(path, user, { make });
    return way.foreign === undefined && way.isThere ? way.real : undefined;
  }
  if (make) mkdirSync(path, { recursive: true });
  return path;
}

/** Whether nobody may remove or replace other users' files in a directory. */
function isSticky({ mode }: Stats): boolean {
  return (mode & 0o1000) !== 0;
}

/** Whether only its owner may write to it. */
function isClosed({ mode }: Stats): boolean {
  return (mode & 0o022) === 0;
}

/** The content of a file that only the user may write to; undefined for anything else. */
export function readOwn(path: string, user: number | undefined): Buffer | undefined {
  // Otherwise opening a pipe would wait for a writer.
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
