import * as z from 'zod';
import { mailbox, text } from './fields.ts';
import { lenientObject } from './lenient.ts';
import { operation } from './operation.ts';

/** Something that a contact did, such as signing up. The contact is given by id or address. */
export const sendEventBody = z.strictObject({
  name: text,
  contactId: text.optional(),
  email: mailbox.optional(),
  contactBookId: text.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

export type SendEventBody = z.infer<typeof sendEventBody>;

/** Reports an event of a contact, which may start an automation. A second request starts it again. */
export const sendEvent = operation('event.send', {
  route: 'POST /v1/events/send',
  effect: 'mails',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ body: sendEventBody }),
  reply: lenientObject({ contactId: z.string() }),
});
