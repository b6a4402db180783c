import { NotFoundError, UsageError } from '../../../base/errors.ts';
import type { Context } from '../context.ts';
import { nextCommand } from '../next-command.ts';

/** A thing of an account. Where several may have one name, the id tells them apart. */
export interface OneOfKind {
  readonly id: string | number;
  readonly name?: string | null | undefined;
}

/** How several of one name are told apart, besides their ids. */
type About<Thing> = (thing: Thing) => readonly (string | null | undefined)[];

/** The thing of a kind, such as `contact book`, with this id, else with this name. Throws like `oneNamed`. */
export function oneMeant<Thing extends OneOfKind>(
  things: readonly Thing[],
  kind: string,
  named: string,
  about?: About<Thing>,
): Thing | undefined {
  return things.find(({ id }) => id === named) ?? oneNamed(things, kind, named, about);
}

/** The thing with this name; undefined if there is none. Throws a `UsageError` with the ids of several. */
export function oneNamed<Thing extends OneOfKind>(
  things: readonly Thing[],
  kind: string,
  name: string,
  about?: About<Thing>,
  hint = 'Use the id instead.',
): Thing | undefined {
  const found = things.filter((one) => one.name === name);
  if (found.length < 2) return found[0];
  throw new UsageError(severalNamed(found, kind, name, about), { hint });
}

/** The ids of several things with one name, in words. */
export function severalNamed<Thing extends OneOfKind>(
  found: readonly Thing[],
  kind: string,
  name: string,
  about: About<Thing> = () => [],
): string {
  return [
    `${found.length} ${kind}s are named ${JSON.stringify(name)}:`,
    ...found.map((one) => [`  ${one.id}`, ...about(one)].filter(Boolean).join('  ')),
  ].join('\n');
}

/** The error if nothing of a kind has this id or name. */
export function noneNamed(context: Context, kind: string, named: string): NotFoundError {
  return new NotFoundError(`There is no ${kind} ${JSON.stringify(named)}.`, {
    hint: howToList(context, kind),
  });
}

/** Where the ids and names of a kind are. */
export function howToList(context: Context, kind: string): string {
  return `To list the ${kind}s: ${nextCommand(context, ...kind.split(' '), 'list')}`;
}

/** Throws a `UsageError` for an empty id or name. */
export function refuseEmpty(kind: string, named: string): void {
  if (named.trim() === '') throw new UsageError(`The ${kind}'s id or name is empty`);
}
