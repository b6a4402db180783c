import type { UpdateContactBookBody } from '../../../api/contact.ts';
import { messageOfFields } from '../../../shared/check/message-of-fields.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { Passed } from '../../service/http/passed.ts';
import { pass } from './gate.ts';

const flagOf: Readonly<Record<string, string>> = {
  ...{ subject: '--double-opt-in-subject', content: '--double-opt-in-content', name: '--name' },
  from: '--double-opt-in-from',
};

/** Has the email pass that asks new contacts of a book to confirm, as far as it is given. */
export async function passBook(
  context: Context,
  { name, doubleOptInFrom, doubleOptInSubject, doubleOptInContent }: Partial<UpdateContactBookBody>,
  nothing: string,
  literal?: boolean,
): Promise<Passed> {
  const fields = {
    // An empty subject is the usual one of the service.
    ...{ name, subject: doubleOptInSubject || undefined, content: doubleOptInContent },
    from: doubleOptInFrom ?? undefined,
  };
  const message = { ...messageOfFields(fields, 'confirmation'), hasTemplate: true };
  const placeOf = (part: string) => flagOf[part] ?? part;
  return await pass(context, { message, placeOf }, { door: 'stored', nothing, literal });
}
