import { addressAsWritten } from '../../../api/bare-address.ts';
import type { UpdateContactBookBody } from '../../../api/contact.ts';
import { escapeHtml, merge, ofContact, onOneLine } from '../../../shared/merge.ts';
import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { domainOf } from '../addresses.ts';
import { renderContent } from '../content/editor-content.ts';
import { verifiedDomainOf } from '../domains.ts';
import { storeEmail } from '../email/emails.ts';
import { tellContact } from './contacts.ts';
import { findSubscriber, type LinkedContact } from './unsubscriptions.ts';

/** Whether new contacts of a book must confirm their subscription, and the email that asks them to. */
export interface DoubleOptIn {
  readonly doubleOptInEnabled: boolean;
  /** Null means `hello@` at the account's oldest verified domain. */
  readonly doubleOptInFrom: string | null;
  readonly doubleOptInSubject: string | null;
  /** The JSON of an editor document, like a campaign's content. */
  readonly doubleOptInContent: string | null;
}

const defaultSubject = 'Please confirm your subscription';

const defaultContent = JSON.stringify({
  type: 'doc',
  content: [
    paragraph('Please confirm that you want to receive our emails.'),
    { type: 'button', attrs: { text: 'Confirm', url: '{{doubleOptInUrl}}' } },
    paragraph('If you did not sign up, ignore this email.'),
  ],
});

function paragraph(text: string) {
  return { type: 'paragraph', content: [{ type: 'text', text }] };
}

/** The defaults of a book that is created through the API. */
export const usualDoubleOptIn: DoubleOptIn = {
  doubleOptInEnabled: true,
  doubleOptInFrom: null,
  doubleOptInSubject: defaultSubject,
  doubleOptInContent: defaultContent,
};

/** The fields of a request; omitted ones keep their values or get defaults, and blank text means the default. */
export type BookFields = Omit<UpdateContactBookBody, 'doubleOptInFrom'> & {
  readonly doubleOptInFrom?: string | null | undefined;
};

/**
 * The settings after a request. Throws `ApiError` BAD_REQUEST if the sender's domain is not
 * verified, or the content has no placeholder for the link.
 */
export function changedDoubleOptIn(
  store: Store,
  before: DoubleOptIn,
  given: BookFields,
): DoubleOptIn {
  const { doubleOptInEnabled: enabled = before.doubleOptInEnabled } = given;
  const { doubleOptInSubject: subject, doubleOptInContent: content } = given;
  const from = given.doubleOptInFrom?.trim() || null;
  if (from !== null) verifiedDomainOf(store, from);
  if (content?.trim() && !/\{\{\s*doubleOptInUrl\b/i.test(content)) {
    throw new ApiError('BAD_REQUEST', 'The content must have the placeholder {{doubleOptInUrl}}');
  }
  return {
    doubleOptInEnabled: enabled,
    doubleOptInFrom: given.doubleOptInFrom === undefined ? before.doubleOptInFrom : from,
    doubleOptInSubject: words(subject, before.doubleOptInSubject, defaultSubject),
    doubleOptInContent: words(content, before.doubleOptInContent, defaultContent),
  };

  function words(given: string | undefined, before: string | null, usual: string): string | null {
    if (given !== undefined) return given.trim() === '' ? usual : given;
    return enabled ? (before ?? usual) : before;
  }
}

interface Pending {
  email: string;
  firstName: string | null;
  lastName: string | null;
  sender: string | null;
  subject: string | null;
  content: string | null;
}

/**
 * Sends the email that asks a contact to confirm its subscription, with a link to `origin`. Does
 * nothing if the contact is not pending or the sender's domain is not verified.
 */
export function sendConfirmation(
  store: Store,
  contactId: string,
  at: number,
  origin: string,
): void {
  const contact = store.one<Pending>(
    `SELECT email, first_name, last_name, double_opt_in_from AS sender,
       double_opt_in_subject AS subject, double_opt_in_content AS content
     FROM contacts JOIN contact_books ON book_id = contact_books.id
     WHERE contacts.id = ? AND subscribed = 0 AND unsubscribe_reason IS NULL
       AND double_opt_in_enabled = 1`,
    contactId,
  );
  if (contact === undefined) return;
  // The domain of the book's sender may have been deleted.
  const domain = store.one<{ id: number; name: string }>(
    `SELECT id, name FROM domains WHERE status = 'SUCCESS' AND name = coalesce(?, name)
     ORDER BY created_at, id LIMIT 1`,
    contact.sender && domainOf(addressAsWritten(contact.sender)),
  );
  if (domain === undefined) return;
  const link = `${origin}/subscribe/${contactId}`;
  const lookup = ofContact(['doubleOptInUrl'], {
    ...contact,
    properties: { doubleOptInUrl: link },
  });
  const html =
    renderContent(contact.content ?? defaultContent) ??
    '<p><a href="{{doubleOptInUrl}}">Confirm your subscription</a></p>';
  storeEmail(
    store,
    {
      from: contact.sender ?? `hello@${domain.name}`,
      to: contact.email,
      subject: merge(contact.subject ?? defaultSubject, lookup, onOneLine),
      html: merge(html, lookup, escapeHtml),
      domainId: domain.id,
    },
    at,
  );
  store.update('contacts', contactId, { doubleOptInSentAt: at });
}

/** Subscribes a contact and returns it; undefined if there is none. Call it in a transaction. */
export function confirmSubscription(
  store: Store,
  contactId: string,
  now: number,
): LinkedContact | undefined {
  const changed = store.run(
    `UPDATE contacts SET subscribed = 1, unsubscribe_reason = NULL, updated_at = ?
     WHERE id = ? AND subscribed = 0`,
    now,
    contactId,
  );
  if (changed > 0) tellContact(store, 'contact.updated', contactId, now);
  return findSubscriber(store, contactId);
}
