import type { UpdateContactBody } from '../../../api/contact.ts';
import { UsageError } from '../../base/errors.ts';
import { readJsonObject } from '../../base/input/json-input.ts';
import type { Context } from '../../command-line/command/context.ts';
import { mergeFields } from '../../command-line/command/flags/request-fields.ts';
import { contactFields } from './contact-fields.ts';
import { type UpdateFlags, updateFlagOf } from './update-flags.ts';

/** Builds the change; a flag overrides `--file`. Throws a `UsageError` if nothing would change. */
export async function readUpdateRequest(context: Context, flags: UpdateFlags) {
  const { fields, nameOf } = mergeFields({
    file: flags.file ? await readJsonObject(flags.file, context.files, '--file') : {},
    flags: await contactFields(context, flags),
    flagOf: { ...updateFlagOf, contactBookId: '--book', contactId: 'CONTACT' },
  });
  if (Object.keys(fields).length === 0) {
    throw new UsageError('There is nothing to change', {
      hint: 'Give --first-name, --last-name, --property, --properties-file, --subscribed, --unsubscribed or --file.',
    });
  }
  // The contents of the file are unknown here; the client checks every field against the contract.
  return { body: fields as UpdateContactBody, nameOf };
}
