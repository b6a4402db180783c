import * as z from 'zod';
import { pathId, successReply } from './fields.ts';
import { operation } from './operation.ts';
import { shown } from './shown.ts';

const contactParams = z.strictObject({ contactBookId: pathId, contactId: pathId });

/** A contact book; lists tell how many contacts it has. Times are ISO 8601 strings. */
export const contactBook = z.looseObject({
  id: z.string(),
  name: z.string(),
  _count: shown(z.looseObject({ contacts: shown(z.number()) })),
});

export type ContactBook = z.infer<typeof contactBook>;

/** A contact of a book. Times are ISO 8601 strings. */
export const contact = z.looseObject({
  id: z.string(),
  email: z.string(),
  firstName: shown(z.string()),
  lastName: shown(z.string()),
  subscribed: shown(z.boolean()),
});

export type Contact = z.infer<typeof contact>;

/** Lists all contact books. */
export const listContactBooks = operation({
  id: 'contactBook.list',
  method: 'GET',
  path: '/v1/contactBooks',
  effect: 'reads',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({}),
  reply: z.array(contactBook),
});

/**
 * Lists contacts of a book, in no order, and at most 5,000: only `emails` and `ids`, separated by
 * commas, reach the others. 404 if there is no such book.
 */
export const listContacts = operation({
  id: 'contact.list',
  method: 'GET',
  path: '/v1/contactBooks/{contactBookId}/contacts',
  effect: 'reads',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({
    params: z.strictObject({ contactBookId: pathId }),
    query: z.strictObject({ emails: z.string().optional(), ids: z.string().optional() }),
  }),
  reply: z.array(contact),
});

/**
 * The fields of a contact that can be changed; omitted fields keep their values. `properties` are
 * merged into the existing ones (live servers accept strings only); `subscribed: false`
 * unsubscribes.
 */
export const updateContactBody = z.strictObject({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  subscribed: z.boolean().optional(),
});

export type UpdateContactBody = z.infer<typeof updateContactBody>;

/** Updates a contact; 404 if the book has none with this id. */
export const updateContact = operation({
  id: 'contact.update',
  method: 'PATCH',
  path: '/v1/contactBooks/{contactBookId}/contacts/{contactId}',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({ params: contactParams, body: updateContactBody }),
  reply: z.looseObject({ contactId: z.string() }),
});

/** Deletes a contact from its book. */
export const deleteContact = operation({
  id: 'contact.delete',
  method: 'DELETE',
  path: '/v1/contactBooks/{contactBookId}/contacts/{contactId}',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({ params: contactParams }),
  reply: successReply,
});

/** Deletes a contact book and every contact in it. Errors are bare strings. */
export const deleteContactBook = operation({
  id: 'contactBook.delete',
  method: 'DELETE',
  path: '/v1/contactBooks/{contactBookId}',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({ params: z.strictObject({ contactBookId: pathId }) }),
  reply: z.looseObject({
    id: shown(z.string()),
    success: shown(z.boolean()),
    message: shown(z.string()),
  }),
});
