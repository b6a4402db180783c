import * as z from 'zod';
import { text } from '../../../api/fields.ts';
import {
  findBook,
  listBooks,
  storeBook,
  storedBook,
  updateBook,
} from '../../model/contact/contact-books.ts';
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

/** Contact books, as far as the contract does not know them. */
export const bookRoutes: readonly Route[] = [
  beyondRoute(
    {
      id: 'contactBook.create',
      method: 'POST',
      path: '/v1/contactBooks',
      input: z.strictObject({ body: z.strictObject({ name: text, ...bookFields }) }),
    },
    ({ store, now, input: { body } }) =>
      store.write(() => storedBook(store, storeBook(store, body, now))),
  ),
  beyondRoute(
    {
      id: 'contactBook.list',
      method: 'GET',
      path: '/v1/contactBooks',
      input: z.strictObject({}),
    },
    ({ store }) => listBooks(store),
  ),
  beyondRoute(
    {
      id: 'contactBook.get',
      method: 'GET',
      path: '/v1/contactBooks/{contactBookId}',
      input: z.strictObject({ params: inBook }),
    },
    ({ store, input }) => findBook(store, input.params.contactBookId),
  ),
  beyondRoute(
    {
      id: 'contactBook.update',
      method: 'PATCH',
      path: '/v1/contactBooks/{contactBookId}',
      input: z.strictObject({
        params: inBook,
        body: z.strictObject({ name: text.optional(), ...bookFields }),
      }),
    },
    ({ store, now, input: { params, body } }) =>
      store.write(() => {
        updateBook(store, params.contactBookId, body, now);
        return storedBook(store, params.contactBookId);
      }),
  ),
];
