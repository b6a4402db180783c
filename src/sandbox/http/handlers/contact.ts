import {
  findBook,
  listBooks,
  storeBook,
  storedBook,
  updateBook,
} from '../../model/contact/contact-books.ts';
import {
  changeContact,
  checkBook,
  contactsInBook,
  findContact,
  shownContact,
  storeContact,
  tellContact,
} from '../../model/contact/contacts.ts';
import { queueContacts } from '../../model/contact/queued-contacts.ts';
import { BareNotFound } from '../../store/errors.ts';
import type { Handlers } from '../call.ts';

export const contactHandlers: Handlers<'contact' | 'contactBook'> = {
  'contact.list': ({ store, input: { params, query } }) =>
    contactsInBook(store, params.contactBookId, query),

  'contact.get': ({ store, input: { params } }) =>
    shownContact(findContact(store, params.contactBookId, params.contactId)),

  'contact.create'({ store, now, input: { params, body } }) {
    const bookId = params.contactBookId;
    return store.write(() => {
      checkBook(store, bookId);
      return { contactId: storeContact(store, { ...body, bookId }, now) };
    });
  },

  'contactBook.list': ({ store }) => listBooks(store),

  'contactBook.get': ({ store, input: { params } }) => findBook(store, params.contactBookId),

  'contactBook.create': ({ store, now, input: { body } }) =>
    store.write(() => storedBook(store, storeBook(store, body, now))),

  'contactBook.update': ({ store, now, input: { params, body } }) =>
    store.write(() => {
      updateBook(store, params.contactBookId, body, now);
      return storedBook(store, params.contactBookId);
    }),

  'contact.bulkCreate'({ store, now, input: { params, body } }) {
    store.write(() => queueContacts(store, params.contactBookId, body, now));
    return { message: `Queued ${body.length} contacts for processing`, count: body.length };
  },

  'contact.update'({ store, now, input: { params, body } }) {
    store.write(() => {
      const contact = findContact(store, params.contactBookId, params.contactId);
      changeContact(store, contact, body, now);
    });
    return { contactId: params.contactId };
  },

  'contact.delete'({ store, now, input: { params } }) {
    store.write(() => {
      const contact = findContact(store, params.contactBookId, params.contactId);
      tellContact(store, 'contact.deleted', contact.id, now);
      store.run('DELETE FROM contacts WHERE id = ?', contact.id);
    });
    return { success: true };
  },

  'contactBook.delete'({ store, input: { params } }) {
    const id = params.contactBookId;
    const deleted = store.write(() => store.run('DELETE FROM contact_books WHERE id = ?', id));
    if (deleted === 0) throw new BareNotFound('Contact book not found');
    return { id, success: true, message: 'Contact book deleted successfully' };
  },
};
