import { createContactBody } from '../../../api/contact.ts';
import { text } from '../../../api/fields.ts';
import { checkBook, storeContact } from '../../model/contact/contacts.ts';
import type { Route } from '../call.ts';
import { intoBook } from '../live-inputs.ts';
import { beyondRoute } from './beyond-route.ts';

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
];
