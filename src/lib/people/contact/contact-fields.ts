import type { UpdateContactBody } from '../../../api/contact.ts';
import { UsageError } from '../../base/errors.ts';
import { keyValuesOrFile } from '../../base/input/key-values.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { UpdateFlags } from './update-flags.ts';

type ContactFlags = Omit<UpdateFlags, 'book' | 'file' | 'allowEmpty'>;

/**
 * The fields of a contact from its flags, undefined without one. Throws a `UsageError` for a contradiction.
 */
export async function contactFields({ files }: Pick<Context, 'files'>, flags: ContactFlags) {
  if (flags.subscribed && flags.unsubscribed) {
    throw new UsageError('--subscribed and --unsubscribed cannot be used together');
  }
  return {
    // An empty name is valid here.
    firstName: flags.firstName,
    lastName: flags.lastName,
    properties: await propertiesGiven(files, flags),
    subscribed: flags.subscribed ?? (flags.unsubscribed === true ? false : undefined),
  } satisfies Record<keyof UpdateContactBody, unknown>;
}

/** The properties of `--property` and `--properties-file`; undefined if neither is given. */
export async function propertiesGiven(
  files: Context['files'],
  { property, propertiesFile }: Pick<ContactFlags, 'property' | 'propertiesFile'>,
) {
  return await keyValuesOrFile(files, {
    flag: '--property',
    words: property,
    fileFlag: '--properties-file',
    path: propertiesFile,
  });
}
