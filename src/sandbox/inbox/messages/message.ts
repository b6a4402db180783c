import type { EmailStatus } from '../../../api/email-status.ts';
import type { EmailColumns } from '../../model/email/emails.ts';
import { stringRecord, strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';

/** A message as its page shows it, without the text and HTML. Addresses are as they were given. */
export interface Message {
  readonly seq: number;
  readonly id: string;
  readonly sender: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly status: EmailStatus;
  /** Milliseconds since 1970, as all times. */
  readonly createdAt: number;
  readonly scheduledAt: number | null;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  readonly inReplyToId: string | null;
  readonly inReplyToSubject: string | null;
  /** The headers that the sender adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
  readonly hasText: boolean;
  readonly hasHtml: boolean;
}

interface Attachment {
  readonly position: number;
  /** As it was given, so it is no path to write to. */
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
}

interface Row extends EmailColumns {
  seq: number;
  status: EmailStatus;
  campaignId: string | null;
  campaignName: string | null;
  inReplyToId: string | null;
  inReplyToSubject: string | null;
  headers: string;
  hasText: number;
  hasHtml: number;
}

/** The message with this id, if there is one. */
export function findMessage(store: Store, id: string): Message | undefined {
  const row = store.one<Row>(
    `SELECT e.seq, e.id, e.sender, e.recipients, e.cc, e.bcc, e.reply_to AS replyTo, e.subject,
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

/** The text of a message, null if it has none. */
export function textOf(store: Store, id: string): string | null {
  const row = store.one<{ text: string | null }>('SELECT text FROM emails WHERE id = ?', id);
  return row?.text ?? null;
}

/** The HTML of a message, null if it has none. */
export function htmlOf(store: Store, id: string): string | null {
  const row = store.one<{ html: string | null }>('SELECT html FROM emails WHERE id = ?', id);
  return row?.html ?? null;
}

/** A file that goes with a message, if there is one at this position. */
export function attachmentOf(store: Store, id: string, position: number) {
  return store.one<{ filename: string; content: Uint8Array<ArrayBuffer> }>(
    'SELECT filename, content FROM attachments WHERE email_id = ? AND position = ?',
    id,
    position,
  );
}
