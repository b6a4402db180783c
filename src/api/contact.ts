import * as z from 'zod';
import { mailboxParts } from './address.ts';
import { mailbox, pathId, successReply, text } from './fields.ts';
import { lenientObject, nullish, nullishBoolean, nullishNumber, nullishString } from './lenient.ts';
import { limits } from './limits.ts';
import { operation } from './operation.ts';

const bookParams = z.strictObject({ contactBookId: pathId });
const contactParams = z.strictObject({ contactBookId: pathId, contactId: pathId });

/** Properties in a response: strings by name. A `z.record` would take twice as long to check. */
const shownProperties = nullish(z.looseObject({}));

/**
 * A contact book. Responses to changes lack the number of its contacts. Campaigns fill in only the contact
 * properties that `variables` names. Times are ISO 8601 strings.
 */
export const contactBook = lenientObject({
  id: z.string(),
  name: z.string(),
  emoji: nullishString,
  variables: nullish(z.array(z.string())),
  properties: shownProperties,
  doubleOptInEnabled: nullishBoolean,
  doubleOptInFrom: nullishString,
  doubleOptInSubject: nullishString,
  doubleOptInContent: nullishString,
  lastBulkOptInAt: nullishString,
  isTest: nullishBoolean,
  createdAt: nullishString,
  updatedAt: nullishString,
  _count: nullish(lenientObject({ contacts: nullishNumber })),
});

export type ContactBook = z.infer<typeof contactBook>;

/**
 * Whether the service may email contacts that are new, or sent again before they have confirmed. If it does not
 * report its double opt-in, that must be assumed.
 */
export function usesDoubleOptIn({ doubleOptInEnabled }: Pick<ContactBook, 'doubleOptInEnabled'>) {
  return doubleOptInEnabled !== false;
}

/**
 * A contact of a book. One that is neither subscribed nor has an `unsubscribeReason` has not confirmed the
 * subscription yet; `doubleOptInSentAt` is when it was last asked to. Times are ISO 8601 strings.
 */
export const contact = lenientObject({
  id: z.string(),
  email: z.string(),
  firstName: nullishString,
  lastName: nullishString,
  subscribed: nullishBoolean,
  unsubscribeReason: nullishString,
  properties: shownProperties,
  doubleOptInSentAt: nullishString,
  contactBookId: nullishString,
  createdAt: nullishString,
  updatedAt: nullishString,
});

export type Contact = z.infer<typeof contact>;

/** Lists all contact books. */
export const listContactBooks = operation('contactBook.list', {
  route: 'GET /v1/contactBooks',
  beyond: true,
  input: z.strictObject({}),
  reply: z.array(contactBook),
});

/** Shows a contact book; 404 if its id is unknown. */
export const getContactBook = operation('contactBook.get', {
  route: 'GET /v1/contactBooks/{contactBookId}',
  beyond: true,
  input: z.strictObject({ params: bookParams }),
  reply: contactBook,
});

const bookFields = {
  emoji: z.string().optional(),
  properties: z.record(z.string(), z.string()).optional(),
  variables: z.array(z.string()).optional(),
  doubleOptInEnabled: z.boolean().optional(),
  doubleOptInFrom: mailbox.nullable().optional(),
  doubleOptInSubject: z
    .string()
    .regex(/^[^\r\n]*$/, 'must not contain a line break')
    .optional(),
  doubleOptInContent: z.string().optional(),
};

/**
 * The fields of a new contact book. Double opt-in is on by default. If `doubleOptInFrom` is null, the service
 * chooses the sender; if the subject or content is blank, it uses its default.
 */
export const createContactBookBody = z.strictObject({ name: text, ...bookFields });

export type CreateContactBookBody = z.infer<typeof createContactBookBody>;

/** Creates a contact book. A second request would create another one of the same name. */
export const createContactBook = operation('contactBook.create', {
  route: 'POST /v1/contactBooks',
  effect: 'changes',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ body: createContactBookBody }),
  reply: contactBook,
});

/** The fields of a contact book that can be changed. `variables` and `properties` are replaced. */
export const updateContactBookBody = z.strictObject({ name: text.optional(), ...bookFields });

export type UpdateContactBookBody = z.infer<typeof updateContactBookBody>;

/** Updates a contact book; 404 if its id is unknown. */
export const updateContactBook = operation('contactBook.update', {
  route: 'PATCH /v1/contactBooks/{contactBookId}',
  effect: 'changes',
  repeat: 'harmless',
  beyond: true,
  input: z.strictObject({ params: bookParams, body: updateContactBookBody }),
  reply: contactBook,
});

/**
 * Lists at most 5,000 contacts of a book, in no order; the others are found only by `emails` or `ids`,
 * separated by commas. 404 if the book is unknown.
 */
export const listContacts = operation('contact.list', {
  route: 'GET /v1/contactBooks/{contactBookId}/contacts',
  beyond: true,
  input: z.strictObject({
    params: bookParams,
    query: z.strictObject({ emails: z.string().optional(), ids: z.string().optional() }),
  }),
  reply: z.array(contact),
});

/** Shows a contact; 404 if the book has no contact with this id. */
export const getContact = operation('contact.get', {
  route: 'GET /v1/contactBooks/{contactBookId}/contacts/{contactId}',
  beyond: true,
  input: z.strictObject({ params: contactParams }),
  reply: contact,
});

/** A contact to add. A display name is an error, because services would store it as part of the address. */
export const createContactBody = z.strictObject({
  email: mailbox.refine((address) => mailboxParts(address)?.address === address, {
    error: 'must be an email address without a display name',
  }),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  properties: z.record(z.string(), z.string()).optional(),
  subscribed: z.boolean().optional(),
});

export type CreateContactBody = z.infer<typeof createContactBody>;

/**
 * Adds a contact to a book, or updates the one with this address; omitted fields keep their values.
 * `subscribed: true` does not resubscribe a contact that has unsubscribed. A book with double opt-in emails
 * contacts that are new or unconfirmed, so a second request sends a second email.
 */
export const createContact = operation('contact.create', {
  route: 'POST /v1/contactBooks/{contactBookId}/contacts',
  effect: 'mails',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ params: bookParams, body: createContactBody }),
  reply: lenientObject({ contactId: z.string() }),
});

/**
 * The fields of a contact that can be changed; omitted fields keep their values. `properties` are merged into
 * the existing ones (live servers accept only strings). `subscribed: false` unsubscribes.
 */
export const updateContactBody = z.strictObject({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  subscribed: z.boolean().optional(),
});

export type UpdateContactBody = z.infer<typeof updateContactBody>;

/**
 * Adds contacts to a book, or updates those with these addresses, like single requests. The service only
 * queues them and does not report when it is done. A book with double opt-in emails contacts that are new or
 * unconfirmed, so a second request sends a second email.
 */
export const bulkCreateContacts = operation('contact.bulkCreate', {
  route: 'POST /v1/contactBooks/{contactBookId}/contacts/bulk',
  effect: 'mails',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({
    params: bookParams,
    body: z.array(createContactBody).max(limits.contactsPerBulk),
  }),
  reply: lenientObject({ message: nullishString, count: nullishNumber }),
});

/** Updates a contact; 404 if the book has no contact with this id. */
export const updateContact = operation('contact.update', {
  route: 'PATCH /v1/contactBooks/{contactBookId}/contacts/{contactId}',
  effect: 'changes',
  repeat: 'harmless',
  input: z.strictObject({ params: contactParams, body: updateContactBody }),
  reply: lenientObject({ contactId: z.string() }),
});

/** Deletes a contact from its book. */
export const deleteContact = operation('contact.delete', {
  route: 'DELETE /v1/contactBooks/{contactBookId}/contacts/{contactId}',
  effect: 'deletes',
  repeat: 'harmless',
  input: z.strictObject({ params: contactParams }),
  reply: successReply,
});

/** Deletes a contact book and every contact in it. Errors are bare strings. */
export const deleteContactBook = operation('contactBook.delete', {
  route: 'DELETE /v1/contactBooks/{contactBookId}',
  effect: 'deletes',
  repeat: 'harmless',
  input: z.strictObject({ params: bookParams }),
  reply: lenientObject({
    id: nullishString,
    success: nullishBoolean,
    message: nullishString,
  }),
});
