import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';

/** A contact as `contact export` writes it and `contact import` reads it. */
export const exportedContact = lenientObject({
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  // An import then leaves it unchanged.
  subscribed: z.boolean().nullable().describe('null while the subscription is not confirmed'),
  properties: z.record(z.string(), z.string()),
});

/** A field that a row changes. */
export const change = lenientObject({
  field: z.string().describe('`firstName`, `lastName`, `subscribed`, or `properties.` and a name'),
  // Null if there is no value yet, or, for `subscribed`, while the subscription is unconfirmed.
  from: z.union([z.string(), z.boolean()]).nullable(),
  to: z.union([z.string(), z.boolean()]),
});

/** What a list of addresses or ids to unsubscribe led to; addresses as they are stored, missing ones as they were given. */
export const unsubscribedList = lenientObject({
  contactBookId: z.string(),
  unsubscribed: z.array(z.string()).describe('the addresses that were unsubscribed'),
  already: z.array(z.string()).describe('those that had unsubscribed before'),
  missing: z.array(z.string()).describe('those that are not in the book'),
});
