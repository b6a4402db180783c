import type { ContactBook } from '../../../api/contact.ts';
import { UsageError } from '../../errors.ts';
import { quotedNames } from '../../text/quoted-names.ts';

/** Additions to a list or map of a contact book, and names to remove. */
export interface ListChange<Added> {
  readonly add: Added;
  readonly remove: readonly string[];
}

/**
 * The variables after a change. Services ignore the case of names. Throws a `UsageError` if one to remove
 * does not exist. If `before` is undefined, the variables are unknown, as in a dry run.
 */
export function changedVariables(
  before: ContactBook['variables'],
  { add, remove }: ListChange<readonly string[]>,
): string[] {
  const kept = new Map((before ?? []).map((name) => [name.toLowerCase(), name]));
  const missing = remove.filter((name) => !kept.delete(name.toLowerCase()));
  if (before) refuseMissing('--remove-variable', missing, before);
  for (const name of add) {
    const plain = name.toLowerCase();
    if (!kept.has(plain)) kept.set(plain, name);
  }
  return [...kept.values()];
}

/** The same for properties, whose case matters. An added property replaces one with the same name. */
export function changedProperties(
  before: ContactBook['properties'],
  { add, remove }: ListChange<Readonly<Record<string, unknown>>>,
): Record<string, unknown> {
  const kept = new Map(Object.entries(before ?? {}));
  const missing = remove.filter((name) => !kept.delete(name));
  if (before) refuseMissing('--remove-property', missing, Object.keys(before));
  return Object.fromEntries([...kept, ...Object.entries(add)]);
}

function refuseMissing(flag: string, missing: readonly string[], there: readonly string[]): void {
  if (missing.length === 0) return;
  throw new UsageError(`${flag}: the contact book has no ${quotedNames(missing)}`, {
    hint: there.length === 0 ? 'It has none.' : `It has: ${quotedNames(there)}`,
  });
}
