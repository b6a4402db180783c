import type { CreateContactBookBody } from '../../../../api/contact.ts';
import { textOrFile } from '../../../base/input/text-or-file.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { propertiesGiven } from '../contact-fields.ts';
import type { CreateBookFlags } from './book-flags.ts';

/** The fields of a contact book from its flags, without the variables; undefined if a flag is missing. */
export async function bookFields(
  { files }: Pick<Context, 'files'>,
  flags: Omit<CreateBookFlags, 'variable'>,
) {
  const { doubleOptIn, doubleOptInFrom, doubleOptInContent, doubleOptInContentFile } = flags;
  return {
    name: flags.name || undefined,
    emoji: flags.emoji || undefined,
    properties: await propertiesGiven(files, flags),
    doubleOptInEnabled: doubleOptIn && doubleOptIn === 'on',
    // Null lets the service choose the sender.
    doubleOptInFrom: doubleOptInFrom === '' ? null : doubleOptInFrom,
    doubleOptInSubject: flags.doubleOptInSubject,
    doubleOptInContent: await textOrFile(
      files,
      '--double-opt-in-content',
      doubleOptInContent,
      doubleOptInContentFile,
    ),
  } satisfies Record<Exclude<keyof CreateContactBookBody, 'variables'>, unknown>;
}
