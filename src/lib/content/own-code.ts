import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lookOptions, type Owner, targetOf } from '../account/config/trust.ts';
import { posix, remedy, whyForeign } from '../files/foreign.ts';
import { foreignParts, verifyPath } from '../files/own-files.ts';
import { shellQuote } from '../text/shell-quote.ts';

/** Who runs the code of a project, and the directories that they trust, as absolute paths. */
export interface CodeOwner extends Owner {
  readonly trusted: readonly string[];
}

/** Code is not run because others could have planted it. */
export class ForeignCode extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Checks code before it is run, by the rules for the configuration, which names commands, too. */
export function createOwnCode({ trusted, user, accountHome }: CodeOwner) {
  const known = new Map<string, ForeignCode | undefined>();
  const options =
    user === undefined
      ? {}
      : {
          ...lookOptions(user, { user, accountHome }),
          trusted: trusted.flatMap((one) => [one, targetOf(one)]),
        };
  const examine = (path: string): ForeignCode | undefined => {
    if (user === undefined) return undefined;
    const { foreign } = verifyPath(path, user, options);
    if (foreign === undefined) return undefined;
    const parts = foreignParts(path, user, options);
    const all = [foreign, ...parts.filter((one) => one.path !== foreign.path)];
    return new ForeignCode(
      `${path} is not run: ${whyForeign(all, user)}, and could have planted it`,
      `If you trust them, set MAILER_TRUSTED_DIRS=${shellQuote([foreign.path], posix)}. Otherwise check what is there, then run: ${remedy(all, user)}`,
    );
  };
  const problemOf = (path: string): ForeignCode | undefined => {
    if (!known.has(path)) known.set(path, examine(path));
    return known.get(path);
  };
  const check = (path: string): void => {
    const problem = problemOf(path);
    if (problem !== undefined) throw problem;
  };
  const isProject = (directory: string): boolean =>
    ['package.json', '.git']
      .map((name) => join(directory, name))
      .some((marker) => existsSync(marker) && problemOf(marker) === undefined);
  return {
    /** Throws a `ForeignCode` unless only the user and root control this path. */
    check,
    /**
     * The nearest file of this name, from the directory of `path` up to its project's: the first one with a
     * `package.json` or `.git`. Without one, the directory is a project of its own. Throws like `check`.
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

/** A directory and those above it, up to the root. */
export function directoriesFrom(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...directoriesFrom(above)];
}
