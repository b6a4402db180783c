import type { EmailStatus } from '../../../api/email-status.ts';
import type { Store } from '../../store/store.ts';
import { eventData } from './event-data.ts';

/** One entry of an email's history. */
export interface StoredEvent {
  readonly status: EmailStatus;
  /** A bare address; empty if the event is about all recipients. */
  readonly recipient: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** The provider's report, in the shapes of `eventData`. */
  readonly data: unknown;
}

/** The history of an email; as on live servers, in no order. */
export function eventsOf(store: Store, emailId: string): StoredEvent[] {
  return store
    .all<{ status: EmailStatus; recipient: string; createdAt: number; data: string | null }>(
      'SELECT status, recipient, created_at AS createdAt, data FROM events WHERE email_id = ?',
      emailId,
    )
    .map(({ data, ...event }) => ({
      ...event,
      data:
        data === null
          ? eventData(event.status, event.recipient, event.createdAt)
          : (JSON.parse(data) as unknown),
    }));
}
