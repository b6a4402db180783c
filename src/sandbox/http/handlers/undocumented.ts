import * as z from 'zod';
import { createContactBody } from '../../../api/contact.ts';
import { text } from '../../../api/fields.ts';
import { checkBook, storeContact } from '../../model/contact/contacts.ts';
import type { Call, Route } from '../call.ts';
import { intoBook } from '../live-inputs.ts';

const input = z.strictObject({
  params: intoBook.extend({ contactId: text }),
  body: createContactBody,
});

/**
 * Operations of live servers that no command uses, for other clients. Their shapes are those of the types
 * of the npm package `usesend-js`.
 */
export const undocumentedRoutes: readonly Route[] = [
  {
    operation: {
      id: 'contact.upsert',
      method: 'PUT',
      path: '/v1/contactBooks/{contactBookId}/contacts/{contactId}',
      effect: 'mails',
      repeat: 'unsent',
      input,
      reply: z.unknown(),
    },
    handle: (call) => {
      // See `Route`.
      const { store, now, input: given } = call as Call<z.infer<typeof input>>;
      const { contactBookId: bookId } = given.params;
      // As on live servers, by the address in the body; the id in the path is ignored.
      return store.write(() => {
        checkBook(store, bookId);
        return { contactId: storeContact(store, { ...given.body, bookId }, now) };
      });
    },
  },
];
