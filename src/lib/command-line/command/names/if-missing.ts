import { loadOperation } from '../../../../api/load-operation.ts';
import type { Input, OperationId } from '../../../../api/operations.ts';
import { ConflictError, UsageError } from '../../../base/errors.ts';
import type { NameOf } from '../../../service/http/check-request.ts';
import type { Context } from '../context.ts';
import { fetchIfAvailable } from '../fetch-if-available.ts';
import { type OneOfKind, oneNamed, severalNamed } from './named.ts';

/** The flag by which a command creates something only if nothing has its name. */
export const ifMissingFlag = [
  '--if-missing',
  'if it exists already, print its id and create nothing',
] as const;

/** The flag by which a command creates something although another one has its name. */
export const allowDuplicateFlag = [
  '--allow-duplicate',
  'create it even if another one has this name',
] as const;

/** What to do if the name exists already. */
export interface NameFlags {
  readonly ifMissing?: boolean | undefined;
  readonly allowDuplicate?: boolean | undefined;
}

/** Something that is about to be created under a name. */
interface Creation<Id extends OperationId, Thing extends OneOfKind> {
  /** Such as `contact book`. */
  readonly kind: string;
  readonly name: string;
  /** What exists, as far as its name counts. */
  readonly list: () => Promise<readonly Thing[]>;
  /** The request that would create it. It is checked before anything is listed. */
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly nameOf: NameOf;
  /** Whether the command has `--if-missing`. */
  readonly takesIfMissing?: boolean;
}

/**
 * What has the name already and is to be used with `--if-missing`; undefined if there is none, or if another one may
 * have the name. A dry run looks nothing up. If the names cannot be listed, that is said.
 *
 * Throws a `ConflictError` if something has the name and no flag says what to do, and a `UsageError` for both flags, for
 * a request that is wrong, and for several of the name with `--if-missing`.
 */
export async function existing<Id extends OperationId, Thing extends OneOfKind>(
  context: Context,
  { ifMissing = false, allowDuplicate = false }: NameFlags,
  { kind, name, list, operation, input, nameOf, takesIfMissing = true }: Creation<Id, Thing>,
): Promise<Thing | undefined> {
  if (ifMissing && allowDuplicate) {
    throw new UsageError('--if-missing and --allow-duplicate cannot be used together');
  }
  const { checkInput } = await import('../../../service/http/check-request.ts');
  checkInput(await loadOperation(operation), input, nameOf);
  if (allowDuplicate || context.flags.dryRun === true) return undefined;
  if (ifMissing) return existingNamed(await list(), kind, name);
  const all = await fetchIfAvailable(
    list,
    `Nothing was created, because the ${kind}s could not be listed. To create it without this check, add --allow-duplicate.`,
  );
  if (all === undefined) {
    context.notes.sayAfterwards(
      `The service does not list the ${kind}s, so one named ${JSON.stringify(name)} may exist already.`,
    );
    return undefined;
  }
  const found = all.filter((one) => one.name === name);
  if (found.length > 0) throw exists(found, kind, name, takesIfMissing);
  return undefined;
}

function exists(
  found: readonly OneOfKind[],
  kind: string,
  name: string,
  takesIfMissing: boolean,
): ConflictError {
  const [first] = found;
  const another = 'To create another one with this name, add --allow-duplicate.';
  if (first !== undefined && found.length === 1) {
    return new ConflictError(`The ${kind} ${JSON.stringify(name)} (${first.id}) exists already.`, {
      hint: takesIfMissing
        ? `Nothing was created. To use that one, add --if-missing, which prints its id. ${another}`
        : `Nothing was created. Give another name. ${another}`,
    });
  }
  return new ConflictError(severalNamed(found, kind, name), {
    hint: `Nothing was created. ${takesIfMissing ? 'Use one of these ids' : 'Give another name'}. ${another}`,
  });
}

/** What has this name; undefined if there is none. Throws a `UsageError` with the ids of several. */
export function existingNamed<Thing extends OneOfKind>(
  things: readonly Thing[],
  kind: string,
  name: string,
): Thing | undefined {
  return oneNamed(things, kind, name, undefined, 'Nothing was created. Use one of these ids.');
}

/**
 * Throws a `ConflictError` if another one than `id` has the name that it is to get. If the names cannot be listed, that is
 * said. A dry run looks nothing up.
 */
export async function refuseNameTaken(
  context: Context,
  kind: string,
  { id, name }: OneOfKind,
  list: () => Promise<readonly OneOfKind[]>,
): Promise<void> {
  if (context.flags.dryRun === true) return;
  const anyway = 'To have two with this name, add --allow-duplicate.';
  const reason = `Nothing was changed, because the ${kind}s could not be listed. ${anyway}`;
  const all = (await fetchIfAvailable(list, reason)) ?? [];
  const other = all.find((one) => one.name === name && one.id !== id);
  if (other === undefined) return;
  const message = `Another ${kind} is named ${JSON.stringify(name)} (${other.id}).`;
  throw new ConflictError(message, { hint: `Nothing was changed. Give another name. ${anyway}` });
}

/** The error for one that has the name, but is another one. */
export function differs(
  { id, name }: OneOfKind,
  kind: string,
  how: string,
  hint = `Nothing was created. To use that ${kind}, give its id to other commands. To create one, choose another name.`,
): ConflictError {
  return new ConflictError(`The ${kind} ${JSON.stringify(name)} (${id}) exists, ${how}.`, { hint });
}
