import type { LoadedCommand } from '../commands/manifest.ts';
import type { CommandEffect } from '../lib/command-line/command/effects.ts';
import type { Printed } from '../lib/command-line/command/prints.ts';
import { unknownFieldsError } from '../lib/command-line/output/chosen-fields.ts';
import { fieldsOfSchema, type KnownFields } from '../lib/command-line/output/known-fields.ts';

/** Effects after which it is too late to say that a field does not exist. */
const lasting: readonly CommandEffect[] = ['changes', 'mails', 'deletes', 'local'];

/**
 * The fields that a command prints with these flags; undefined if it may print anything. Throws a `UsageError` if
 * the command changes something and `asked` has other fields; those of other commands are checked against the
 * response, since a service may have more fields than the contract.
 */
export async function printedFields(
  { prints, effects }: Pick<LoadedCommand, 'prints' | 'effects'>,
  options: Readonly<Record<string, unknown>>,
  asked: readonly string[] = [],
): Promise<KnownFields | undefined> {
  const { schema, line, columns = [] } = printedWith(prints, options);
  const known = fieldsOfSchema(await (line ?? schema)());
  if (known === undefined) return undefined;
  const unknown = asked.filter((name) => !known.has(name) && !columns.includes(name));
  if (unknown.length > 0 && lasting.some((effect) => effects[effect] === true)) {
    throw unknownFieldsError(unknown, known.names, columns);
  }
  return known;
}

/** The document that a command prints with these flags. */
function printedWith(
  prints: LoadedCommand['prints'],
  options: Readonly<Record<string, unknown>>,
): Printed {
  const isGiven = ({ when }: Printed) => {
    const value = when.startsWith('--') ? options[when.slice(2)] : undefined;
    return value !== undefined && value !== false;
  };
  return prints.findLast(isGiven) ?? prints[0];
}
