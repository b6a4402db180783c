import { UsageError } from '../../../base/errors.ts';
import { asMeant } from '../../../base/text/column-names.ts';
import { nearest } from '../../../base/text/nearest.ts';
import { quotedNames } from '../../../base/text/quoted-names.ts';
import type { Context } from '../../../command-line/command/context.ts';

interface Names {
  /** The variables that are given, by name. */
  readonly given: readonly string[];
  /** The names that the email uses. */
  readonly used: ReadonlySet<string>;
  /** What errors call the variables. */
  readonly flag: string;
}

/**
 * Compares the names of variables with those that an email uses. Throws a `UsageError` for one that it does not
 * use, if it is near one that is not given, or if it uses none at all; warns of others.
 */
export function checkNames({ notes }: Pick<Context, 'notes'>, { given, used, flag }: Names): void {
  const unused = given.filter((name) => !used.has(name));
  if (unused.length === 0) return;
  if (used.size === 0) {
    throw new UsageError(`${flag}: the email has no placeholders for ${quotedNames(unused)}`, {
      hint: 'Nothing was sent. Write {{ name }} in the subject or the body, or name a stored template with --template.',
    });
  }
  const found = misspelt(given, used);
  if (found !== undefined) {
    const [name, meant] = [found.name, found.meant].map((one) => JSON.stringify(one));
    throw new UsageError(`${flag}: nothing in the email uses ${name}; did you mean ${meant}?`, {
      hint: 'Nothing was sent.',
    });
  }
  notes.warn(`${flag}: nothing in the email uses ${quotedNames(unused)}.`);
}

/** The first name of a variable that is not used, but is near one that is used and not given. */
export function misspelt(given: readonly string[], used: ReadonlySet<string>) {
  const open = [...used].filter((name) => !given.includes(name));
  for (const name of given) {
    if (used.has(name)) continue;
    const meant = open.find((one) => asMeant(one) === asMeant(name)) ?? nearest(name, open);
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}
