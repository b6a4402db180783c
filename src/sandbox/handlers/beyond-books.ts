import * as z from 'zod';
import { text } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { type Route, route } from '../call.ts';
import { findBook, listBooks, storeBook, updateBook } from '../contact-books.ts';

const anyReply = z.unknown();
const inBook = z.strictObject({ contactBookId: text });
const bookFields = {
  emoji: z.string().optional(),
  properties: z.record(z.string(), z.string()).optional(),
  variables: z.array(z.string()).optional(),
};

const create = operation({
  id: 'contactBook.create',
  method: 'POST',
  path: '/v1/contactBooks',
  effect: 'writes',
  repeat: 'unsent',
  input: z.strictObject({ body: z.strictObject({ name: text, ...bookFields }) }),
  reply: anyReply,
});

const list = operation({
  id: 'contactBook.list',
  method: 'GET',
  path: '/v1/contactBooks',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({}),
  reply: anyReply,
});

const get = operation({
  id: 'contactBook.get',
  method: 'GET',
  path: '/v1/contactBooks/{contactBookId}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: inBook }),
  reply: anyReply,
});

const update = operation({
  id: 'contactBook.update',
  method: 'PATCH',
  path: '/v1/contactBooks/{contactBookId}',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({
    params: inBook,
    body: z.strictObject({ name: text.optional(), ...bookFields }),
  }),
  reply: anyReply,
});

/** Contact books, as far as the contract does not know them. */
export const bookRoutes: readonly Route[] = [
  route(create, ({ store, now, input: { body } }) =>
    store.write(() => findBook(store, storeBook(store, body, now))),
  ),
  route(list, ({ store }) => listBooks(store)),
  route(get, ({ store, input }) => findBook(store, input.params.contactBookId)),
  route(update, ({ store, now, input: { params, body } }) =>
    store.write(() => {
      updateBook(store, params.contactBookId, body, now);
      return findBook(store, params.contactBookId);
    }),
  ),
];
