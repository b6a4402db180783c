import * as z from 'zod';
import { mailbox, text } from '../../../api/fields.ts';
import {
  checkBook,
  findContact,
  shownContact,
  storeContact,
} from '../../model/contact/contacts.ts';
import { queueContacts } from '../../model/contact/queued-contacts.ts';
import type { Call, Route } from '../call.ts';
import { beyondRoute } from './beyond-route.ts';

/** As observed on live servers. */
const contactsPerRequest = 1000;

const inBook = z.strictObject({ contactBookId: text });
/** Observed: operations that store contacts require longer ids of books. */
const intoBook = z.strictObject({ contactBookId: text.min(3) });
const ofContact = z.strictObject({ contactBookId: text, contactId: text });
const contact = z.strictObject({
  email: mailbox,
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  properties: z.record(z.string(), z.string()).optional(),
  subscribed: z.boolean().optional(),
});

/** Operations for contacts outside the contract. */
export const contactRoutes: readonly Route[] = [
  beyondRoute(
    ['contact.create', 'POST', '/v1/contactBooks/{contactBookId}/contacts'],
    { params: intoBook, body: contact },
    storeOne,
  ),
  // As on live servers, by the address in the body; the id in the path is ignored.
  beyondRoute(
    ['contact.upsert', 'PUT', '/v1/contactBooks/{contactBookId}/contacts/{contactId}'],
    { params: intoBook.extend({ contactId: text }), body: contact },
    storeOne,
  ),
  beyondRoute(
    ['contact.bulkCreate', 'POST', '/v1/contactBooks/{contactBookId}/contacts/bulk'],
    { params: intoBook, body: z.array(contact).max(contactsPerRequest) },
    ({ store, now, input: { params, body } }) => {
      store.write(() => queueContacts(store, params.contactBookId, body, now));
      return { message: `Queued ${body.length} contacts for processing`, count: body.length };
    },
  ),
  beyondRoute(
    ['contact.get', 'GET', '/v1/contactBooks/{contactBookId}/contacts/{contactId}'],
    { params: ofContact },
    ({ store, input: { params } }) =>
      shownContact(findContact(store, params.contactBookId, params.contactId)),
  ),
];

function storeOne({
  store,
  now,
  input: { params, body },
}: Call<{ params: z.infer<typeof inBook>; body: z.infer<typeof contact> }>) {
  return store.write(() => {
    checkBook(store, params.contactBookId);
    return { contactId: storeContact(store, { ...body, bookId: params.contactBookId }, now) };
  });
}
