import type { Contact } from '../../../api/contact.ts';

type Subscription = Pick<Contact, 'subscribed' | 'unsubscribeReason'>;

/** Whether a contact has neither confirmed nor ended its subscription. */
export function isUnconfirmed({ subscribed, unsubscribeReason }: Subscription): boolean {
  return subscribed === false && (unsubscribeReason ?? '') === '';
}

/** Whether a contact has unsubscribed, or the service has given up its address. */
export function hasUnsubscribed({ subscribed, unsubscribeReason }: Subscription): boolean {
  return subscribed === false && (unsubscribeReason ?? '') !== '';
}
