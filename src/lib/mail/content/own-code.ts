import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';
import { posix, remedy, whyForeign } from '../../base/files/foreign.ts';
import { foreignParts, verifyPath } from '../../base/files/own-files.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { lookOptions, type Owner, targetOf } from '../../service/account/config/trust.ts';

/** Who runs the code of a project, and the directories that they trust, as absolute paths. */
export interface CodeOwner extends Owner {
  readonly trusted: readonly string[];
}

/** Why a file is not used: others could have planted it. */
interface UntrustedFile {
  readonly error: string;
  readonly hint: string;
}

/**
 * Checks files before they are used, by the rules for the configuration, which names commands, too. `refuse` gets what
 * others control, and does not return.
 */
export function createOwnCode(
  { trusted, user, accountHome }: CodeOwner,
  refuse: (untrusted: UntrustedFile) => never,
) {
  const known = new Map<string, UntrustedFile | undefined>();
  const options =
    user === undefined
      ? {}
      : {
          ...lookOptions(user, { user, accountHome }),
          trusted: trusted.flatMap((one) => [one, targetOf(one)]),
        };
  const examine = (path: string): UntrustedFile | undefined => {
    if (user === undefined) return undefined;
    const { foreign: untrusted } = verifyPath(path, user, options);
    if (untrusted === undefined) return undefined;
    const parts = foreignParts(path, user, options);
    const all = [untrusted, ...parts.filter((one) => one.path !== untrusted.path)];
    return {
      error: `${path} is not used, because it may not be yours: ${whyForeign(all, user)}`,
      hint: `If you trust everyone who can write there, set MAILER_TRUSTED_DIRS=${shellQuote([untrusted.path], posix)}. Otherwise, check its content, then run: ${remedy(all, user)}`,
    };
  };
  const problemOf = (path: string): UntrustedFile | undefined => {
    if (!known.has(path)) known.set(path, examine(path));
    return known.get(path);
  };
  const check = (path: string): void => {
    const problem = problemOf(path);
    if (problem !== undefined) refuse(problem);
  };
  const packageOf = (path: string): string | undefined => {
    const file = directoriesFrom(dirname(path))
      .map((one) => join(one, 'package.json'))
      .find(existsSync);
    if (file !== undefined) check(file);
    return file;
  };
  const isProject = (directory: string): boolean =>
    ['package.json', '.git']
      .map((name) => join(directory, name))
      .some((marker) => existsSync(marker) && problemOf(marker) === undefined);
  return {
    /** Refuses a path unless only the user and root control it. */
    check,
    /** The `package.json` that applies to a path. Refuses one of others, which can name any file instead of another. */
    packageOf,
    /** Checks a file, and what decided that it is the one that `bases` stand for, with any extension. */
    checkFound(file: string, bases: readonly string[]): void {
      for (const base of bases) {
        const links = [base, join(base, 'package.json'), ...linksTo(file, base)];
        for (const one of links.filter(existsSync)) check(one);
      }
      packageOf(file);
      check(file);
    },
    /**
     * The nearest file of this name, from the directory of `path` up to its project's: the first one with a
     * `package.json` or `.git`. Without one, the directory is a project of its own. Refuses like `check`.
     */
    nearest(path: string, name: string): string | undefined {
      const all = directoriesFrom(dirname(path));
      const top = all.findIndex(isProject);
      const found = all
        .slice(0, Math.max(top, 0) + 1)
        .map((one) => join(one, name))
        .find(existsSync);
      if (found !== undefined) check(found);
      return found;
    },
  };
}

/** What leads from a path without an extension to a file in another directory: links, or nothing. */
function linksTo(file: string, base: string): string[] {
  const directories = [dirname(base), base];
  if (directories.includes(dirname(file))) return [];
  return directories
    .flatMap((one) => attempt(() => readdirSync(one), []).map((name) => join(one, name)))
    .filter((path) => targetOf(path) === file);
}

/** A directory and those above it, up to the root. */
function directoriesFrom(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...directoriesFrom(above)];
}
