import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { mailboxParts } from '../../api/address.ts';
import { bareAddress } from '../../api/bare-address.ts';
import { isReservedHeader } from '../../shared/reserved-headers.ts';
import { domainOf } from '../model/addresses.ts';
import type { EmailColumns } from '../model/email/emails.ts';
import type { Store } from '../store/store.ts';
import { breakable, type EncodeWord, shortFileName, shortName } from './header-text.ts';

interface EmailRow extends Omit<EmailColumns, 'bcc'> {
  html: string | null;
  text: string | null;
  inReplyToId: string | null;
  headers: Readonly<Record<string, string>>;
}

/**
 * An email as a message for SMTP (RFC 5322, MIME): with CRLF, without dot-stuffing and bcc. The same email
 * always gives the same bytes; one received over SMTP is unmodified. Undefined if there is no such email.
 */
export async function composeMime(store: Store, emailId: string): Promise<Buffer | undefined> {
  const email = store.one<EmailRow>(
    `SELECT id, sender, recipients, cc, reply_to, subject, html, text, in_reply_to_id, headers,
       created_at, scheduled_at FROM emails WHERE id = ?`,
    emailId,
  );
  if (email === undefined) return undefined;
  const source = store.value<Uint8Array>('SELECT content FROM sources WHERE email_id = ?', emailId);
  if (source !== undefined) return Buffer.from(source);
  // Loaded only to send mail or to show its source.
  const [{ default: MailComposer }, { detectMimeType, encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const thread = threadOf(store, email.inReplyToId);
  const custom = customHeaders(email.headers, encodeWord);
  const composer = new MailComposer({
    from: mailbox(email.sender),
    to: email.recipients.map(mailbox),
    cc: email.cc.map(mailbox),
    replyTo: email.replyTo.map(mailbox),
    subject: breakable(email.subject, encodeWord),
    date: new Date(Math.max(email.createdAt, email.scheduledAt ?? 0)),
    messageId: messageId(email.id, email.sender),
    ...(thread.length === 0 ? {} : { inReplyTo: thread.at(-1), references: thread }),
    headers: custom.headers,
    normalizeHeaderKey: custom.spelling,
    ...(email.text === null ? {} : { text: canonicalLines(email.text) }),
    ...(email.html === null ? {} : { html: canonicalLines(email.html) }),
    attachments: attachmentsOf(store, emailId, detectMimeType),
    newline: 'win',
    baseBoundary: createHash('sha256').update(email.id).digest('hex').slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** The Message-ID of an email, the same each time it is sent. */
function messageId(emailId: string, sender: string): string {
  return `<${emailId}@sandbox.${domainToASCII(domainOf(bareAddress(sender))) || 'invalid'}>`;
}

/** The most Message-IDs in References: the first one of the thread and the last ones. */
const longestThread = 20;

const threadSteps = 200;

/** The Message-IDs of the emails that a reply to `inReplyToId` follows, oldest first. */
function threadOf(store: Store, inReplyToId: string | null): string[] {
  const ids = new Map<string, string>();
  for (let id = inReplyToId; id !== null && !ids.has(id) && ids.size < threadSteps; ) {
    const email = store.one<{ sender: string; inReplyToId: string | null }>(
      'SELECT sender, in_reply_to_id FROM emails WHERE id = ?',
      id,
    );
    if (email === undefined) break;
    ids.set(id, messageId(id, email.sender));
    id = email.inReplyToId;
  }
  const thread = [...ids.values()].reverse();
  return thread.length <= longestThread
    ? thread
    : [...thread.slice(0, 1), ...thread.slice(1 - longestThread)];
}

/** nodemailer would read a mailbox with a comma as several. */
function mailbox(value: string): { name: string; address: string } {
  const { name, address } = mailboxParts(value) ?? { name: '', address: bareAddress(value) };
  return { name: shortName(name), address };
}

/** Text with CRLF: servers treat a bare CR or LF differently. */
function canonicalLines(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}

function attachmentsOf(store: Store, emailId: string, detectMimeType: (name: string) => string) {
  return store
    .all<{ filename: string; content: Uint8Array }>(
      'SELECT filename, content FROM attachments WHERE email_id = ? ORDER BY position',
      emailId,
    )
    .map(({ filename, content }) => {
      const type = detectMimeType(filename);
      return {
        filename: shortFileName(filename),
        content: Buffer.from(content),
        // Parts of these types must not be base64 (RFC 2045, section 6.4), but files need it.
        contentType: /^(message|multipart)\//.test(type) ? 'application/octet-stream' : type,
      };
    });
}

/** The name of a header (RFC 5322, section 2.2) that leaves room for a value on its line. */
const fieldName = /^[!-9;-~]{1,200}$/;

/** Headers whose grammar does not allow encoded words. */
const structured =
  /^(list-.*|in-reply-to|references|sender|auto-submitted|precedence|feedback-id)$/i;

/** The sender's own headers, without reserved and invalid ones. */
function customHeaders(given: Readonly<Record<string, string>>, encodeWord: EncodeWord) {
  const headers = Object.entries(given)
    .filter(([name]) => fieldName.test(name) && !isReservedHeader(name))
    .map(([key, value]) => ({
      key,
      value: structured.test(key) ? value : breakable(value, encodeWord),
    }));
  const spellings = new Map(headers.map(({ key }) => [key.toLowerCase(), key]));
  return {
    headers,
    /** A name in the sender's spelling; other names unchanged. */
    spelling: (name: string) => spellings.get(name.toLowerCase()) ?? name,
  };
}
