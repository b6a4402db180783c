import * as z from 'zod';
import { createContactBody } from '../../../api/contact.ts';
import { text } from '../../../api/fields.ts';
import { checkBook, storeContact } from '../../model/contact/contacts.ts';
import { queueContacts } from '../../model/contact/queued-contacts.ts';
import type { Route } from '../call.ts';
import { intoBook } from '../live-inputs.ts';
import { beyondRoute } from './beyond-route.ts';

/** As observed on live servers. */
const contactsPerRequest = 1000;

/** Operations for contacts outside the contract. */
export const contactRoutes: readonly Route[] = [
  // As on live servers, by the address in the body; the id in the path is ignored.
  beyondRoute(
    ['contact.upsert', 'PUT', '/v1/contactBooks/{contactBookId}/contacts/{contactId}'],
    { params: intoBook.extend({ contactId: text }), body: createContactBody },
    ({ store, now, input: { params, body } }) => {
      const bookId = params.contactBookId;
      return store.write(() => {
        checkBook(store, bookId);
        return { contactId: storeContact(store, { ...body, bookId }, now) };
      });
    },
  ),
  beyondRoute(
    ['contact.bulkCreate', 'POST', '/v1/contactBooks/{contactBookId}/contacts/bulk'],
    { params: intoBook, body: z.array(createContactBody).max(contactsPerRequest) },
    ({ store, now, input: { params, body } }) => {
      store.write(() => queueContacts(store, params.contactBookId, body, now));
      return { message: `Queued ${body.length} contacts for processing`, count: body.length };
    },
  ),
];
