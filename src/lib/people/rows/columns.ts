import { UsageError } from '../../base/errors.ts';
import { posix } from '../../base/files/foreign.ts';
import { isAddressName } from '../../base/text/column-names.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';

/** What a column provides for a row. */
export interface InputColumn {
  readonly name: string;
  /** The field that its cells fill; undefined for a variable. */
  readonly field: string | undefined;
  /** Whether it is a variable; it may also fill a field under another name. */
  readonly isVariable: boolean;
  /** Whether the command line takes it as data, so that its cells are texts, whatever they look like. */
  readonly isText?: boolean;
}

/** The first records of a file below its header, for hints: a header alone may not tell columns apart. */
export type FirstRecords = () => readonly (readonly string[])[];

/**
 * Tells what the columns of a file provide, from the names in its header, trimmed. Throws a `UsageError` for
 * a wrong header.
 */
export type ReadColumns = (
  names: readonly string[],
  file: string,
  first: FirstRecords,
) => readonly InputColumn[];

/** Throws a `UsageError` if two columns provide the same. */
export function refuseTwice(
  columns: readonly InputColumn[],
  file: string,
  system: ShellSystem = posix,
): void {
  const first = new Map<string, string>();
  for (const { field, name } of columns) {
    const key = field ?? name;
    const other = first.get(key);
    if (key !== '' && other !== undefined) {
      const others = columns
        .map((column) => column.name)
        .filter((one) => one !== name && one !== '');
      throw twice(file, key, [other, name], { system, others });
    }
    first.set(key, name);
  }
}

function twice(
  file: string,
  key: string,
  names: readonly [string, string],
  { system, others }: { readonly system: ShellSystem; readonly others: readonly string[] },
): UsageError {
  const [one, other] = names;
  if (one === other) {
    const only = shellQuote(['--only-columns', others.join()], system);
    const isFixed = others.some((name) => name.includes(',')) || !others.some(isAddressName);
    return new UsageError(`${file}: two columns are named ${one}`, {
      hint: `Nothing was sent. Give one of them another name in the first line of the file.${isFixed ? '' : `\nTo use neither: ${only}`}`,
    });
  }
  return new UsageError(`${file}: two columns give ${key}: ${quotedNames(names)}`, {
    hint: names
      .map(
        (name) =>
          `To take ${JSON.stringify(name)} as data: ${shellQuote(['--ignore-column', name], system)}`,
      )
      .join('\n'),
  });
}
