import type { EmailStatus } from '../../../api/email-status.ts';
import { stringRecord, strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';
import type { EmailColumns } from './emails.ts';

/** A message as its page shows it, without text and HTML. Addresses are unmodified. */
export interface Message {
  readonly id: string;
  readonly sender: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly status: EmailStatus;
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly scheduledAt: number | null;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  readonly inReplyToId: string | null;
  readonly inReplyToSubject: string | null;
  /** Custom headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
  readonly hasText: boolean;
  readonly hasHtml: boolean;
}

export interface Attachment {
  readonly position: number;
  /** Unmodified: do not use it as a path. */
  readonly filename: string;
  /** In bytes. */
  readonly size: number;
}

interface Row
  extends EmailColumns,
    Pick<Message, 'status' | 'campaignId' | 'campaignName' | 'inReplyToId' | 'inReplyToSubject'> {
  headers: string;
  hasText: number;
  hasHtml: number;
}

/** Undefined if there is no message with this id. */
export function findMessage(store: Store, id: string): Message | undefined {
  const row = store.one<Row>(
    `SELECT e.id, e.sender, e.recipients, e.cc, e.bcc, e.reply_to AS replyTo, e.subject,
       e.latest_status AS status, e.created_at AS createdAt, e.scheduled_at AS scheduledAt,
       e.campaign_id AS campaignId, e.in_reply_to_id AS inReplyToId, e.headers,
       (SELECT name FROM campaigns WHERE id = e.campaign_id) AS campaignName,
       (SELECT subject FROM emails WHERE id = e.in_reply_to_id) AS inReplyToSubject,
       e.text IS NOT NULL AS hasText, e.html IS NOT NULL AS hasHtml
     FROM emails AS e WHERE e.id = ?`,
    id,
  );
  if (row === undefined) return undefined;
  const { recipients, hasText, hasHtml, ...rest } = row;
  return {
    ...rest,
    to: strings(recipients),
    cc: strings(row.cc),
    bcc: strings(row.bcc),
    replyTo: strings(row.replyTo),
    headers: stringRecord(row.headers),
    attachments: store.all<Attachment>(
      `SELECT position, filename, length(content) AS size FROM attachments WHERE email_id = ?
       ORDER BY position`,
      id,
    ),
    hasText: hasText === 1,
    hasHtml: hasHtml === 1,
  };
}

/** The text or the HTML of a message, undefined if it has none. */
export function messageBody(store: Store, id: string, part: 'text' | 'html'): string | undefined {
  const sql = `SELECT ${part} AS body FROM emails WHERE id = ?`;
  return store.one<{ body: string | null }>(sql, id)?.body ?? undefined;
}

/** Undefined if the message has no attachment at this position. */
export function attachmentOf(store: Store, id: string, position: number) {
  return store.one<{ filename: string; content: Uint8Array<ArrayBuffer> }>(
    'SELECT filename, content FROM attachments WHERE email_id = ? AND position = ?',
    id,
    position,
  );
}
