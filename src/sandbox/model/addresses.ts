import { mailboxProblem } from '../../api/address.ts';

/**
 * Why a mailbox can neither send nor get mail over SMTP; `undefined` if it can. Other than in the API, host names may
 * have underscores, as those of containers and networks within a company do.
 */
export function receivedProblem(mailbox: string): string | undefined {
  const start = mailbox.lastIndexOf('@') + 1;
  const plain = mailbox.slice(0, start) + mailbox.slice(start).replaceAll('_', 'x');
  return mailboxProblem(plain) === undefined ? undefined : mailboxProblem(mailbox);
}

/** Whether a mailbox can send and get mail over SMTP: see `receivedProblem`. */
export function isReceivable(mailbox: string): boolean {
  return receivedProblem(mailbox) === undefined;
}

/** The part before the last `@` of a bare address. */
export function localPartOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

/** The part after the last `@` of a bare address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Addresses as the API accepts them: one, several or none. */
export type Addresses = string | readonly string[] | undefined;

export function addressList(given: Addresses): string[] {
  if (given === undefined) return [];
  return typeof given === 'string' ? [given] : [...given];
}
