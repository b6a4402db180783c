import type { Contact } from '../../api/contact.ts';

type Subscription = Pick<Contact, 'subscribed' | 'unsubscribeReason'>;

/** Whether a contact has neither confirmed nor ended its subscription. */
export function isUnconfirmed({ subscribed, unsubscribeReason }: Subscription): boolean {
  return subscribed === false && (unsubscribeReason ?? '') === '';
}

/** Whether a contact is unsubscribed: by itself, or because the service gave up on its address. */
export function hasUnsubscribed({ subscribed, unsubscribeReason }: Subscription): boolean {
  return subscribed === false && (unsubscribeReason ?? '') !== '';
}
