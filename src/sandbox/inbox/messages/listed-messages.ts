import type { Message } from '../../model/email/message.ts';
import { findMessages } from '../../model/email/message-search.ts';
import type { Store } from '../../store/store.ts';

/** The number of messages on a page. */
const pageLength = 50;

/** A search, and where the page begins. */
export interface ListPosition {
  /** Empty for all messages. */
  readonly query: string;
  /** Only messages older, or newer, than the one with this `seq`. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** A message as the list shows it. */
export interface ListedMessage
  extends Pick<Message, 'id' | 'sender' | 'to' | 'subject' | 'status'> {
  readonly seq: number;
  readonly snippet: string;
  /** Milliseconds since 1970: when it was accepted, or will be sent. */
  readonly at: number;
  readonly hasAttachments: boolean;
  readonly isUnread: boolean;
}

export interface MessagePage {
  /** Newest first. */
  readonly messages: readonly ListedMessage[];
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** Reads a page of the list. The last page takes no longer than the first. */
export function listMessages(store: Store, place: ListPosition): MessagePage {
  const { query, before, after } = place;
  if (after !== undefined) {
    const newer = read(store, query, { after });
    // Then all of them fit on the first page.
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

export function countMessages(store: Store): number {
  return store.one<{ count: number }>('SELECT count(*) AS count FROM emails')?.count ?? 0;
}

interface Row extends Omit<ListedMessage, 'to' | 'at'> {
  recipients: string[];
  scheduledAt: number | null;
  createdAt: number;
}

// Without text and HTML, which may be large. They are the last columns, so SQLite does not read them.
const select = `SELECT seq, id, sender, recipients, subject, snippet, latest_status AS status,
  scheduled_at, created_at, has_attachments,
  EXISTS (SELECT 1 FROM unread WHERE unread.seq = emails.seq) AS isUnread FROM emails`;

/** Up to one message more than a page has, nearest first. */
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
          findMessages(store, { query, beyond, limit }),
        );
  return rows.map(({ recipients: to, scheduledAt, createdAt, ...row }) => ({
    ...row,
    to,
    at: row.status === 'SCHEDULED' && scheduledAt !== null ? scheduledAt : createdAt,
  }));
}
