import * as z from 'zod';
import { text } from '../../../api/fields.ts';
import { findBook, storeBook, storedBook, updateBook } from '../../model/contact/contact-books.ts';
import type { Route } from '../call.ts';
import { beyondRoute } from './beyond-route.ts';

const inBook = z.strictObject({ contactBookId: text });
const bookFields = {
  emoji: z.string().optional(),
  properties: z.record(z.string(), z.string()).optional(),
  variables: z.array(z.string()).optional(),
  doubleOptInEnabled: z.boolean().optional(),
  doubleOptInFrom: z.string().nullable().optional(),
  doubleOptInSubject: z.string().optional(),
  doubleOptInContent: z.string().optional(),
};

/** Operations for contact books outside the contract. */
export const bookRoutes: readonly Route[] = [
  beyondRoute(
    ['contactBook.create', 'POST', '/v1/contactBooks'],
    { body: z.strictObject({ name: text, ...bookFields }) },
    ({ store, now, input: { body } }) =>
      store.write(() => storedBook(store, storeBook(store, body, now))),
  ),
  beyondRoute(
    ['contactBook.get', 'GET', '/v1/contactBooks/{contactBookId}'],
    { params: inBook },
    ({ store, input }) => findBook(store, input.params.contactBookId),
  ),
  beyondRoute(
    ['contactBook.update', 'PATCH', '/v1/contactBooks/{contactBookId}'],
    {
      params: inBook,
      body: z.strictObject({ name: text.optional(), ...bookFields }),
    },
    ({ store, now, input: { params, body } }) =>
      store.write(() => {
        updateBook(store, params.contactBookId, body, now);
        return storedBook(store, params.contactBookId);
      }),
  ),
];
