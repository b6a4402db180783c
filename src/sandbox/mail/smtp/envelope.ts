import { mailboxParts } from '../../../api/address.ts';
import { bareAddress } from '../../../api/bare-address.ts';
import { strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';

/** Whom a message is from and for, as SMTP is told: bare addresses, as they were written. */
export interface Envelope {
  readonly from: string;
  /** By the bare address in lower case, under which events are recorded. */
  readonly to: ReadonlyMap<string, string>;
}

/** The envelope of an email, with all its recipients; undefined when there is no such email. */
export function envelopeOf(store: Store, emailId: string): Envelope | undefined {
  const email = store.one<{ sender: string; to: string; cc: string; bcc: string }>(
    'SELECT sender, recipients AS "to", cc, bcc FROM emails WHERE id = ?',
    emailId,
  );
  if (email === undefined) return undefined;
  const lists = [email.to, email.cc, email.bcc].map(strings);
  return {
    from: written(email.sender),
    to: new Map(lists.flat().map((mailbox) => [bareAddress(mailbox), written(mailbox)])),
  };
}

function written(mailbox: string): string {
  return mailboxParts(mailbox)?.address ?? bareAddress(mailbox);
}
