import { type Address, type Attachment, decodeWords, type Email } from 'postal-mime';
import { headers as headerFields } from '../../../api/fields.ts';
import { mailboxText, oneLine, withoutGroups } from '../../../shared/mime/mailbox.ts';
import { attachmentBytes } from '../../../shared/mime/read-mime.ts';
import { isReceivable } from '../../model/addresses.ts';
import type { NewEmail } from '../../model/email/emails.ts';
import { readMimeApart } from './read-mime-apart.ts';

/** A message as received over SMTP. */
export interface SmtpMessage {
  /** The bare address in MAIL FROM; empty for the null sender. */
  readonly sender: string;
  /** The bare addresses in RCPT TO, at least one. */
  readonly recipients: readonly string[];
  /** The bytes after DATA, without dot-stuffing. */
  readonly source: Uint8Array;
}

/** An email without the fields that only the store knows. */
export type ReceivedEmail = Omit<NewEmail, 'domainId'>;

/**
 * Parses the email in a message. The envelope determines the recipients: addresses in it that no header has
 * are in bcc, and addresses that only a header has get nothing. Rejects if parts are nested too deeply,
 * headers are too long, there are too many lines, or characters that cannot be read.
 */
export async function parseMessage(message: SmtpMessage): Promise<ReceivedEmail> {
  const parsed = await readMimeApart(message.source);
  if (parsed.problems.length > 0) throw new Error(parsed.problems.join('; '));
  return {
    from: senderOf(parsed.from, message.sender),
    ...recipientsOf(parsed, message.recipients),
    replyTo: mailboxes(parsed.replyTo),
    subject: oneLine(parsed.subject ?? ''),
    html: parsed.html === undefined ? null : body(parsed.html),
    text: parsed.text === undefined ? null : body(parsed.text),
    headers: otherHeaders(parsed.headers),
    attachments: parsed.attachments.map(attachment),
    source: message.source,
  };
}

/** The images in a message as `data:` URLs, by their Content-ID, as in `cid:` URLs. */
export async function imagesOf(source: Uint8Array): Promise<Map<string, string>> {
  const { attachments } = await readMimeApart(source);
  return new Map(
    attachments
      .filter(({ mimeType }) => /^image\/[\w.+-]+$/.test(mimeType))
      .map((image) => [
        encodeURI((image.contentId ?? '').replace(/^<|>$/g, '')),
        `data:${image.mimeType};base64,${attachmentBytes(image).toString('base64')}`,
      ]),
  );
}

/** The author in the header, or else the sender in the envelope. */
function senderOf(from: Address | undefined, sender: string): string {
  const [written] = mailboxes(from === undefined ? [] : [from]);
  return written ?? (sender === '' ? 'unknown@localhost' : sender);
}

/** Spelled as in the headers that name them. If `to` would be empty, it has all other recipients. */
function recipientsOf({ to = [], cc = [] }: Email, envelope: readonly string[]) {
  const left = new Map(envelope.map((address) => [withoutQuotes(address), address]));
  const take = (named: readonly Address[]) =>
    withoutGroups(named).flatMap((one) => {
      const key = withoutQuotes(one.address);
      const known = left.get(key);
      if (known === undefined) return [];
      const mailbox = mailboxText(known.startsWith('"') ? { ...one, address: known } : one);
      if (!isReceivable(mailbox)) return [];
      left.delete(key);
      return mailbox;
    });
  const lists = { to: take(to), cc: take(cc), bcc: [...left.values()] };
  if (lists.to.length > 0) return lists;
  return lists.bcc.length > 0
    ? { ...lists, to: lists.bcc, bcc: [] }
    : { ...lists, to: lists.cc, cc: [] };
}

/** To compare addresses. The parser drops the quotes of a local part, unless the address is in angle brackets. */
function withoutQuotes(address: string): string {
  const [, local, domain] = /^"(.*)"(@[^@]*)$/s.exec(address) ?? [];
  const plain = local === undefined ? address : local.replace(/\\(.)/gs, '$1') + domain;
  return plain.toLowerCase();
}

/** The addresses that are valid mailboxes, without groups. */
function mailboxes(addresses?: readonly Address[]): string[] {
  return withoutGroups(addresses).map(mailboxText).filter(isReceivable);
}

/** Headers that the email has separate fields for, or that describe its encoding. */
const known = /^(from|to|cc|bcc|subject|reply-to|mime-version|content-.*)$/;

/** All other headers, if the API could have them. Values of several with one name are combined. */
function otherHeaders(headers: Email['headers']): Record<string, string> {
  const others = headers.filter(({ key }) => !known.test(key));
  const joined = [...Map.groupBy(others, ({ key }) => key).values()].map((same) => {
    const texts = same.map(({ value }) => oneLine(decodeWords(value)));
    return [same[0]?.originalKey ?? '', texts.join(', ')] as const;
  });
  const valid = joined.filter(([name, text]) => headerFields.safeParse({ [name]: text }).success);
  return Object.fromEntries(valid);
}

function attachment(part: Attachment, index: number) {
  const { filename, mimeType } = part;
  const ending = mimeType === 'message/rfc822' ? 'eml' : 'bin';
  return {
    filename: oneLine(filename ?? '') || `attachment-${index + 1}.${ending}`,
    content: attachmentBytes(part),
  };
}

/** The text without the line breaks that end every message. */
function body(text: string): string {
  return text.trimEnd();
}
