import type { EmailStatus } from '../../../api/email-status.ts';
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

/** Undefined if there is no message with this id. */
export function findMessage(store: Store, id: string): Message | undefined {
  const row = store.one<Omit<Message, 'to' | 'attachments'> & Pick<EmailColumns, 'recipients'>>(
    `SELECT e.id, e.sender, e.recipients, e.cc, e.bcc, e.reply_to, e.subject, e.headers,
       e.latest_status AS status, e.created_at, e.scheduled_at, e.campaign_id, e.in_reply_to_id,
       (SELECT name FROM campaigns WHERE id = e.campaign_id) AS campaignName,
       (SELECT subject FROM emails WHERE id = e.in_reply_to_id) AS inReplyToSubject,
       e.text IS NOT NULL AS hasText, e.html IS NOT NULL AS hasHtml
     FROM emails AS e WHERE e.id = ?`,
    id,
  );
  if (row === undefined) return undefined;
  const { recipients: to, ...rest } = row;
  return {
    ...rest,
    to,
    attachments: store.all<Attachment>(
      `SELECT position, filename, length(content) AS size FROM attachments WHERE email_id = ?
       ORDER BY position`,
      id,
    ),
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
