import type { Contact } from '../../../api/contact.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import { hasUnsubscribed, isUnconfirmed } from '../contact/subscription.ts';
import type { difference } from './sync-shapes.ts';

/** A contact whose data in the file differs from the book. */
export type Difference = ReadonlyInfer<typeof difference>;

/** What a sync does with a contact. */
export type Action = Difference['action'];

/** What happens to contacts that the file does not have. */
export type MissingAction = Extract<Action, 'unsubscribe' | 'delete' | 'keep'>;

/** A contact that the file does not have. */
export interface Missing {
  readonly contact: Contact;
  readonly action: MissingAction;
}

/**
 * The contacts of a book whose addresses the file lacks, by address; `addresses` are in lower case.
 * Unsubscribed contacts are kept: if they were deleted, a later file would subscribe them again.
 */
export function missingFrom(
  contacts: readonly Contact[],
  addresses: ReadonlySet<string>,
  wanted: MissingAction,
): readonly Missing[] {
  return contacts
    .filter(({ email }) => !addresses.has(email.toLowerCase()))
    .sort(({ email: one }, { email: other }) => (one < other ? -1 : Number(one > other)))
    .map((contact) => ({ contact, action: hasUnsubscribed(contact) ? 'keep' : wanted }));
}

/** A missing contact as a difference. */
export function differenceOf({ contact, action }: Missing): Difference {
  const from = isUnconfirmed(contact) ? null : (contact.subscribed ?? null);
  const changes = action === 'unsubscribe' ? [{ field: 'subscribed', from, to: false }] : [];
  return { email: contact.email, action, changes };
}
