import type { EmailStatus } from '../../../api/email-status.ts';
import { localPartOf } from '../addresses.ts';
import type { Reason } from './event-data.ts';

/** An event for one recipient, this many milliseconds after the email is sent. */
interface Report {
  readonly after: number;
  readonly status: EmailStatus;
  /** Why mail did not arrive, if not for the usual reason of this status. */
  readonly reason?: Reason;
}

const sent = { after: 300, status: 'SENT' } as const;
const delivered = { after: 1000, status: 'DELIVERED' } as const;
const opened = { after: 2000, status: 'OPENED' } as const;

/** A bounce that later mail to the same address may not meet. */
function transient(subType: string, response: string): Report {
  return { after: 1000, status: 'BOUNCED', reason: { type: 'Transient', subType, response } };
}

/** The outcome of a message, by the local part of its recipient. */
const outcomes: Readonly<Record<string, readonly Report[]>> = {
  delivered: [sent, delivered],
  opened: [sent, delivered, opened],
  clicked: [sent, delivered, opened, { after: 3000, status: 'CLICKED' }],
  bounced: [sent, { after: 1000, status: 'BOUNCED' }],
  complained: [sent, delivered, { after: 2000, status: 'COMPLAINED' }],
  delayed: [sent, { after: 1000, status: 'DELIVERY_DELAYED' }, { ...delivered, after: 4000 }],
  greylisted: [
    sent,
    {
      after: 1000,
      status: 'DELIVERY_DELAYED',
      reason: { type: 'General', response: '451 4.7.1 Greylisted, please try again later' },
    },
    { ...delivered, after: 4000 },
  ],
  transient: [sent, transient('General', '421 4.4.1 The server does not respond')],
  full: [sent, transient('MailboxFull', '452 4.2.2 The mailbox is full')],
  blocked: [sent, transient('ContentRejected', '550 5.7.1 Mail from this domain is blocked')],
  'late-bounce': [sent, delivered, { after: 6000, status: 'BOUNCED' }],
  rejected: [sent, { after: 600, status: 'REJECTED' }],
  failed: [{ after: 300, status: 'FAILED' }],
  'rendering-failure': [{ after: 300, status: 'RENDERING_FAILURE' }],
};

/** The local part of recipients that are always suppressed. */
const suppressedName = 'suppressed';

/** The events for `address`, in order; a `+tag` is ignored. */
export function outcomesFor(address: string): readonly Report[] {
  const name = nameOf(address);
  return (Object.hasOwn(outcomes, name) ? outcomes[name] : undefined) ?? [sent, delivered];
}

export function isSuppressedByName(address: string): boolean {
  return nameOf(address) === suppressedName;
}

function nameOf(address: string): string {
  return localPartOf(address).split('+', 1)[0] ?? '';
}
