import type { EmailStatus } from '../../../api/email-status.ts';
import { localPartOf } from '../addresses.ts';

/** An event for one recipient, this many milliseconds after the email is sent. */
interface Report {
  readonly after: number;
  readonly status: EmailStatus;
}

const sent = { after: 300, status: 'SENT' } as const;
const delivered = { after: 1000, status: 'DELIVERED' } as const;
const opened = { after: 2000, status: 'OPENED' } as const;

/** The outcome of a message, by the local part of its recipient. */
const outcomes: Readonly<Record<string, readonly Report[]>> = {
  delivered: [sent, delivered],
  opened: [sent, delivered, opened],
  clicked: [sent, delivered, opened, { after: 3000, status: 'CLICKED' }],
  bounced: [sent, { after: 1000, status: 'BOUNCED' }],
  complained: [sent, delivered, { after: 2000, status: 'COMPLAINED' }],
  delayed: [sent, { after: 1000, status: 'DELIVERY_DELAYED' }, { ...delivered, after: 4000 }],
  rejected: [sent, { after: 600, status: 'REJECTED' }],
  failed: [{ after: 300, status: 'FAILED' }],
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
