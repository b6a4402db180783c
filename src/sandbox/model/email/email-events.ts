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
    .all<StoredEvent>(
      'SELECT status, recipient, created_at, data FROM events WHERE email_id = ?',
      emailId,
    )
    .map((event) => ({
      ...event,
      data: event.data ?? eventData(event.status, event.recipient, event.createdAt),
    }));
}
