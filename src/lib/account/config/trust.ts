import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { makeDirectories } from '../../files/make-directories.ts';
import { foreignParts, isDecidedBy, lookAlong } from '../../files/own-files.ts';
import { isPrivateGroup } from '../../files/private-group.ts';
import { openRegular } from '../../files/regular-file.ts';
import { untrusted } from './untrusted.ts';

/** Whose the configuration has to be. */
export interface Owner {
  /** The user's id; undefined where files have no owners to look at. */
  readonly user: number | undefined;
  /** The user's home directory, whatever HOME is. */
  readonly accountHome?: string | undefined;
}

/** Where a path of the configuration really leads, and whether something is there. */
interface TrustedWay {
  readonly real: string;
  readonly isThere: boolean;
}

/**
 * Where a path of the configuration really leads. Throws an `UntrustedConfig` if others control what is
 * there: the configuration names commands to run and services that get keys, for root too. With `make`,
 * missing directories are made. As for sshd, what is above the home directory is not checked: whoever
 * controls that controls the account anyway.
 */
export function trustedWay(path: string, owner: Owner, { make = false } = {}): TrustedWay {
  const { user } = owner;
  if (user === undefined) {
    if (make) makeDirectories(path);
    return { real: targetOf(path), isThere: existsSync(path) };
  }
  const way = lookAlong(path, user, { make, ...lookOptions(user, owner) });
  if (way.foreign !== undefined) {
    const own = make ? [path] : [path, dirname(path)];
    const parts = foreignParts(path, user, lookOptions(user, owner));
    const all = [way.foreign, ...parts.filter((one) => one.path !== way.foreign.path)];
    throw untrusted({ path, user, foreign: all, own });
  }
  return way;
}

/** The text of a configuration file; undefined where there is none. Throws like `trustedWay`. */
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

/** Makes an empty file for the user only, if there is none, and returns its real path. */
export function makeTrusted(path: string, owner: Owner): string {
  const { real } = trustedWay(path, owner);
  closeSync(openTrusted(real, owner, constants.O_WRONLY | constants.O_CREAT));
  return real;
}

/** Opens a path that `trustedWay` returned. A file that somebody has planted since is rejected. */
function openTrusted(real: string, owner: Owner, flags: number): number {
  const descriptor = openRegular(real, flags | constants.O_NOFOLLOW, 0o600);
  const stats = fstatSync(descriptor);
  const { user } = owner;
  if (user === undefined || isDecidedBy(user, stats, lookOptions(user, owner))) return descriptor;
  closeSync(descriptor);
  throw untrusted({ path: real, user, foreign: [{ path: real, stats }], own: [real] });
}

function lookOptions(user: number, { accountHome }: Owner) {
  // A relative or an empty one would depend on the working directory.
  const isPlace = accountHome !== undefined && isAbsolute(accountHome);
  return {
    isPrivateGroup: (group: number) => isPrivateGroup(group, user),
    homes: isPlace ? [resolve(accountHome), targetOf(accountHome)] : [],
  };
}

/** The file that a path leads to, whether it is there or not. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
  }
}
