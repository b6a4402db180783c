import * as z from 'zod';
import { mailbox, text } from './fields.ts';
import { operation } from './operation.ts';

/** Something that a contact has done, such as a sign-up; the contact by its id, or by its address. */
export const sendEventBody = z.strictObject({
  name: text,
  contactId: text.optional(),
  email: mailbox.optional(),
  contactBookId: text.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

export type SendEventBody = z.infer<typeof sendEventBody>;

/** Reports an event of a contact, which may start what is set up for it. A second one starts it again. */
export const sendEvent = operation({
  id: 'event.send',
  method: 'POST',
  path: '/v1/events/send',
  effect: 'writes',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ body: sendEventBody }),
  reply: z.looseObject({ contactId: z.string() }),
});
