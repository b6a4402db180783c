import type { EmailStatus } from '../../../api/email-status.ts';
import { findMessages } from '../../model/email/message-search.ts';
import { strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';

/** Messages on a page of the list. */
const pageLength = 50;

/** A part of the list: what is searched for, and where the page begins. */
export interface ListPosition {
  /** Empty for all messages. */
  readonly query: string;
  /** Messages older than the one with this `seq`; or newer than it. The newest without either. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** A message as the list shows it. */
export interface ListedMessage {
  readonly seq: number;
  readonly id: string;
  readonly sender: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly snippet: string;
  readonly status: EmailStatus;
  /** Milliseconds since 1970: when it is sent for what waits, else when it came in. */
  readonly at: number;
  readonly hasAttachments: boolean;
}

export interface MessagePage {
  /** In the order in which they came in, the newest first. */
  readonly messages: readonly ListedMessage[];
  /** Whether there are messages before and behind these. */
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** Reads a page of the list. It takes as long for the last page as for the first. */
export function listMessages(store: Store, place: ListPosition): MessagePage {
  const { query, before, after } = place;
  if (after !== undefined) {
    const newer = read(store, query, { after });
    // Less than a page is newer: what there is then is the first page.
    if (newer.length <= pageLength) return listMessages(store, { query });
    return { messages: newer.slice(0, pageLength).reverse(), hasNewer: true, hasOlder: true };
  }
  const messages = read(store, query, { before: before ?? Number.MAX_SAFE_INTEGER });
  return {
    messages: messages.slice(0, pageLength),
    hasNewer: before !== undefined,
    hasOlder: messages.length > pageLength,
  };
}

/** How many messages there are. */
export function countMessages(store: Store): number {
  return store.one<{ count: number }>('SELECT count(*) AS count FROM emails')?.count ?? 0;
}

interface Row extends Omit<ListedMessage, 'to' | 'at' | 'hasAttachments'> {
  recipients: string;
  scheduledAt: number | null;
  createdAt: number;
  hasAttachments: number;
}

// Without the text and HTML: they may be large, and stand last in a row so as not to be read.
const select = `SELECT seq, id, sender, recipients, subject, snippet, latest_status AS status,
  scheduled_at AS scheduledAt, created_at AS createdAt,
  EXISTS (SELECT 1 FROM attachments WHERE email_id = emails.id) AS hasAttachments FROM emails`;

/** One more than a page holds, if there are so many; the nearest to where it begins first. */
function read(
  store: Store,
  query: string,
  beyond: { before: number } | { after: number },
): ListedMessage[] {
  const [side, order, seq] =
    'before' in beyond
      ? (['<', 'DESC', beyond.before] as const)
      : (['>', 'ASC', beyond.after] as const);
  const limit = pageLength + 1;
  const rows =
    query === ''
      ? store.all<Row>(`${select} WHERE seq ${side} ? ORDER BY seq ${order} LIMIT ?`, seq, limit)
      : store.all<Row>(
          `${select} WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq ${order}`,
          JSON.stringify(findMessages(store, { query, beyond, limit })),
        );
  return rows.map(({ recipients, scheduledAt, createdAt, hasAttachments, ...row }) => ({
    ...row,
    to: strings(recipients),
    at: row.status === 'SCHEDULED' && scheduledAt !== null ? scheduledAt : createdAt,
    hasAttachments: hasAttachments === 1,
  }));
}
