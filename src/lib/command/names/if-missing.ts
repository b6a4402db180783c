import { ConflictError, UsageError } from '../../errors.ts';

/** The flag by which a command creates something only if nothing has its name. */
export const ifMissingFlag = [
  '--if-missing',
  'if the name exists already, print its id and create nothing',
] as const;

interface Named {
  readonly id: string | number;
  readonly name?: string | null | undefined;
}

/** The one with this name; undefined if there is none. Throws a `UsageError` with the ids of several. */
export function oneNamed<Thing extends Named>(
  things: readonly Thing[],
  kind: string,
  name: string,
): Thing | undefined {
  const found = things.filter((one) => one.name === name);
  if (found.length < 2) return found[0];
  const lines = [
    `${found.length} ${kind}s are named ${JSON.stringify(name)}:`,
    ...found.map(({ id }) => `  ${id}`),
  ];
  throw new UsageError(lines.join('\n'), { hint: 'Nothing was created. Use one of these ids.' });
}

/** The error for one that has the name, but is another one. */
export function differs({ id, name }: Named, kind: string, how: string): ConflictError {
  return new ConflictError(`The ${kind} ${JSON.stringify(name)} (${id}) exists, ${how}.`, {
    hint: 'Nothing was created. Use that one by its id, or give another name.',
  });
}
