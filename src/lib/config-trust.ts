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
import { dirname, resolve } from 'node:path';
import { UnreachablePlace } from './home-directory.ts';
import { makeDirectories } from './make-directories.ts';
import { type Foreign, isDecidedBy, lookAlong } from './own-files.ts';
import { isPrivateGroup } from './private-group.ts';
import { openRegular } from './regular-file.ts';
import { octal } from './text/octal.ts';
import { shellQuote } from './text/shell-quote.ts';

/** Somebody else can write to the configuration, or put another one in its place. */
export class UntrustedConfig extends UnreachablePlace {}

/** Where a path of the configuration really leads, and whether something is there. */
export interface TrustedWay {
  readonly real: string;
  readonly isThere: boolean;
}

/**
 * Where a path of the configuration really leads. Throws an `UntrustedConfig` if others control what is
 * there: the configuration names commands to run and services that get keys. For root too: another user
 * could make root run commands. With `make`, missing directories are made.
 *
 * `user` is the user's id, or undefined where files have no owners.
 */
export function trustedWay(
  path: string,
  user: number | undefined,
  { make = false } = {},
): TrustedWay {
  if (user === undefined) {
    if (make) makeDirectories(path);
    return { real: targetOf(path), isThere: existsSync(path) };
  }
  const way = lookAlong(path, user, { make, ...withGroups(user) });
  if (way.foreign !== undefined) throw untrusted(path, way.foreign, user);
  return way;
}

/** The text of a configuration file; undefined where there is none. Throws like `trustedWay`. */
export function readTrusted(path: string, user: number | undefined): string | undefined {
  // A file that does not exist needs no refusal.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const { real, isThere } = trustedWay(path, user);
  if (!isThere) return undefined;
  const descriptor = openTrusted(real, user, constants.O_RDONLY);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes an empty file if there is none, for the user only. Returns its real path. Throws like
 * `trustedWay`, and Node's errors.
 */
export function makeTrusted(path: string, user: number | undefined): string {
  const { real } = trustedWay(path, user);
  closeSync(openTrusted(real, user, constants.O_WRONLY | constants.O_CREAT));
  return real;
}

/**
 * Opens a real path that `trustedWay` returned. A file that existed then is still the same; one that
 * somebody has planted since is refused.
 */
function openTrusted(real: string, user: number | undefined, flags: number): number {
  const descriptor = openRegular(real, flags | constants.O_NOFOLLOW, 0o600);
  const stats = fstatSync(descriptor);
  if (user === undefined || isDecidedBy(user, stats, withGroups(user))) return descriptor;
  closeSync(descriptor);
  throw untrusted(real, { path: real, stats }, user);
}

function withGroups(user: number) {
  return { isPrivateGroup: (group: number) => isPrivateGroup(group, user) };
}

function untrusted(path: string, foreign: Foreign, user: number): UntrustedConfig {
  const { message, hint } = isOthers(foreign, user)
    ? ofAnother(foreign, user)
    : openToOthers(foreign);
  const whatCouldBe = 'and could make mailer run commands or send keys elsewhere';
  return new UntrustedConfig(
    `The configuration ${path} was not used: ${message}, ${whatCouldBe}.`,
    { hint },
  );
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

/** Quoting for POSIX shells, as only these have chmod and chown. */
const posix = { env: {}, platform: 'linux' } as const;

function isOthers({ stats }: Foreign, user: number): boolean {
  return stats.uid !== user && stats.uid !== 0;
}

function ofAnother({ path, stats }: Foreign, user: number) {
  const option = stats.isSymbolicLink() ? ['-h'] : [];
  const chown = shellQuote(['chown', ...option, String(user), path], posix);
  const other = `user ${stats.uid}`;
  return {
    message: `${other} owns ${path}`,
    hint:
      user === 0
        ? `Run mailer as ${other}, or set MAILER_CONFIG_DIR to a directory of your own. Or check what ${other} stored there, then run: ${chown}`
        : `Set MAILER_CONFIG_DIR to a directory of your own. Or check what ${other} stored there, then run as root: ${chown}`,
  };
}

function openToOthers({ path, stats }: Foreign) {
  const chmod = shellQuote(['chmod', 'go-w', path], posix);
  return {
    message: `others can write to ${path} (mode ${octal(stats.mode & 0o7777)})`,
    hint: `Check the contents of the configuration, then run: ${chmod}`,
  };
}
