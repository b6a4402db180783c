import { listBooks } from '../../model/contact/contact-books.ts';
import { changeContact, contactsInBook, findContact } from '../../model/contact/contacts.ts';
import { BareNotFound } from '../../store/errors.ts';
import type { Handlers } from '../call.ts';

export const contactHandlers: Handlers<
  'contact.list' | 'contact.update' | 'contact.delete' | 'contactBook.list' | 'contactBook.delete'
> = {
  'contact.list': ({ store, input: { params, query } }) =>
    contactsInBook(store, params.contactBookId, query),

  'contactBook.list': ({ store }) => listBooks(store),

  'contact.update'({ store, now, input: { params, body } }) {
    store.write(() => {
      const contact = findContact(store, params.contactBookId, params.contactId);
      changeContact(store, contact, body, now);
    });
    return { contactId: params.contactId };
  },

  'contact.delete'({ store, input: { params } }) {
    store.write(() => {
      const contact = findContact(store, params.contactBookId, params.contactId);
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
