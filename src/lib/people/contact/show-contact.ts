import type { Contact } from '../../../api/contact.ts';
import {
  type Cell,
  type Column,
  type RecordResult,
  record,
  time,
} from '../../command-line/output/result.ts';
import { propertyWords } from './property-words.ts';
import { isUnconfirmed } from './subscription.ts';

/**
 * The contacts of a book as a table. Contacts are identified by their address, so names are shortened first.
 */
export const contactColumns: readonly Column<Contact>[] = [
  { field: 'id', header: 'Id' },
  { field: 'email', header: 'Email' },
  {
    field: 'firstName',
    header: 'First name',
    flexible: true,
    onlyFor: ({ firstName }) => (firstName ?? '') !== '',
  },
  {
    field: 'lastName',
    header: 'Last name',
    flexible: true,
    onlyFor: ({ lastName }) => (lastName ?? '') !== '',
  },
  { field: 'subscribed', header: 'Subscribed', cell: subscriptionCell },
];

/** A contact as a record. */
export function showContact(contact: Contact): RecordResult {
  return record({
    reply: contact,
    quiet: contact.id,
    rows: [
      ['id', 'Id', contact.id],
      ['email', 'Email', contact.email],
      ['firstName', 'First name', contact.firstName],
      ['lastName', 'Last name', contact.lastName],
      ['subscribed', 'Subscribed', subscriptionCell(contact)],
      ['unsubscribeReason', 'Unsubscribed', contact.unsubscribeReason],
      ['properties', 'Properties', propertyWords(contact.properties)],
      ['contactBookId', 'Contact book', contact.contactBookId],
      ['createdAt', 'Created', time(contact.createdAt)],
      ['updatedAt', 'Updated', time(contact.updatedAt)],
    ],
  });
}

/** A word for unconfirmed contacts on a terminal. */
function subscriptionCell(contact: Contact): Cell {
  return isUnconfirmed(contact) ? 'pending' : contact.subscribed;
}
