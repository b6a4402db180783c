import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { attempt } from '../../../../shared/attempt.ts';
import { makeDirectories } from '../../../base/files/make-directories.ts';
import { foreignParts, isControlledBy, verifyPath } from '../../../base/files/own-files.ts';
import { isPrivateGroup } from '../../../base/files/private-group.ts';
import { openRegular } from '../../../base/files/regular-file.ts';
import { untrusted } from './untrusted.ts';

/** Who must own the configuration. */
export interface Owner {
  /** The user's id; undefined where files have no owners. */
  readonly user: number | undefined;
  /** The account's home directory, regardless of HOME. */
  readonly accountHome?: string | undefined;
}

/**
 * The real path of a configuration file, and whether it exists. Throws an `UntrustedConfig` if others could change or replace it,
 * since it names commands to run and services that get keys, for root too. `make` creates missing
 * directories. Like sshd, does not check above the home directory: whoever controls that controls the
 * account anyway.
 */
export function trustedWay(path: string, owner: Owner, { make = false } = {}) {
  const { user } = owner;
  if (user === undefined) {
    if (make) makeDirectories(path);
    return { real: targetOf(path), isThere: existsSync(path) };
  }
  const way = verifyPath(path, user, { make, ...lookOptions(user, owner) });
  if (way.foreign !== undefined) {
    const own = make ? [path] : [path, dirname(path)];
    const parts = foreignParts(path, user, lookOptions(user, owner));
    const all = [way.foreign, ...parts.filter((one) => one.path !== way.foreign.path)];
    throw untrusted({ path, user, foreign: all, own });
  }
  return way;
}

/** The text of a configuration file; undefined if there is none. Throws like `trustedWay`. */
export function readTrusted(path: string, owner: Owner): string | undefined {
  // A file that does not exist needs no check.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const { real, isThere } = trustedWay(path, owner);
  if (!isThere) return undefined;
  const descriptor = openTrusted(real, owner, constants.O_RDONLY);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Creates an empty file for the user only, if there is none, and returns its real path. */
export function makeTrusted(path: string, owner: Owner): string {
  const { real } = trustedWay(path, owner);
  closeSync(openTrusted(real, owner, constants.O_WRONLY | constants.O_CREAT));
  return real;
}

/** Opens a path that `trustedWay` returned. Rejects a file that somebody has planted since. */
function openTrusted(real: string, owner: Owner, flags: number): number {
  const descriptor = openRegular(real, flags | constants.O_NOFOLLOW, 0o600);
  const stats = fstatSync(descriptor);
  const { user } = owner;
  if (user === undefined || isControlledBy(user, stats, lookOptions(user, owner)))
    return descriptor;
  closeSync(descriptor);
  throw untrusted({ path: real, user, foreign: [{ path: real, stats }], own: [real] });
}

/** How paths of this user's are examined. */
export function lookOptions(user: number, { accountHome }: Owner) {
  // A relative or empty path would depend on the working directory.
  const isPlace = accountHome !== undefined && isAbsolute(accountHome);
  return {
    isPrivateGroup: (group: number) => isPrivateGroup(group, user),
    homes: isPlace ? [resolve(accountHome), targetOf(accountHome)] : [],
  };
}

/** The file that a path leads to, even if it does not exist. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const target = linkAt(path);
    return target === undefined ? path : resolve(dirname(path), target);
  }
}

/** The target of a link, as written; undefined if there is no link. */
export function linkAt(path: string): string | undefined {
  return attempt(() => readlinkSync(path), undefined);
}
