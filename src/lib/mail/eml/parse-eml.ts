import { type Attachment, addressParser, decodeWords, type Email, type Mailbox } from 'postal-mime';
import type { SendBody } from '../../../api/email.ts';
import { readDocument } from '../../../shared/check/document.ts';
import { imagesIn } from '../../../shared/check/image-places.ts';
import type { Decoding } from '../../../shared/mime/charset.ts';
import { mailboxText, oneLine, withoutGroups } from '../../../shared/mime/mailbox.ts';
import { rareCharsets } from '../../../shared/mime/rare-charsets.ts';
import { attachmentBytes, type ReadMessage, readMime } from '../../../shared/mime/read-mime.ts';
import { UsageError } from '../../base/errors.ts';
import { type MessageForm, messageBytes } from './message-bytes.ts';

/** A person in a message; the address of a local user has no domain. */
export type Person = Pick<Mailbox, 'name' | 'address'>;

export interface MessageRecipients {
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly bcc: readonly Person[];
}

/** The parts of a message that a request can have. */
export interface ParsedEml extends MessageRecipients {
  readonly from: Person | undefined;
  readonly replyTo: readonly Person[];
  /** The recipients of a resent message (RFC 5322, section 3.6.6); undefined if it was not resent. */
  readonly resent: MessageRecipients | undefined;
  readonly messageId: string | undefined;
  /** Everything but the people. */
  readonly content: Pick<SendBody, 'subject' | 'text' | 'html' | 'headers' | 'attachments'>;
  /** What no request can carry, as nouns: `the digital signature`. */
  readonly lost: readonly string[];
  /** The number of headers. */
  readonly fields: number;
  /** What was assumed about its characters, and which of them are damaged: parts of sentences. */
  readonly assumed: readonly string[];
  readonly problems: readonly string[];
}

/** How a message is read: with `lenient`, bytes that are not UTF-8 are windows-1252. */
interface Reading extends MessageForm, Pick<Decoding, 'lenient'> {}

/** Headers that fields of the request set, or that describe the encoding. */
const inFields = /^(from|to|cc|bcc|subject|reply-to|mime-version|content-.*)$/;

/**
 * Headers that servers and mailboxes add, and those that the service sets itself. `X-Cron-Env` headers have
 * the variables of a crontab, including keys.
 */
const ofOthers =
  /^(date|message-id|sender|received|return-path|delivered-to|x-original-to|envelope-to|resent-.*|dkim-signature|domainkey-signature|arc-.*|authentication-results|received-spf|errors-to|apparently-to|status|x-status|x-keywords|x-uid|x-cron-env|x-mozilla-.*|x-received|x-originating-ip|x-ms-exchange-.*|x-(microsoft|forefront|spam|google|gm)-.*|x-(usesend|unsend)-email-id)$/;

/** Parts with a signature, which is only valid for the exact bytes of the message. */
const signature = /^application\/(pgp-signature|(x-)?pkcs7-signature)$/;

/** Reads a message. Throws a `UsageError` if it cannot be read. */
export async function parseEml(
  source: Uint8Array,
  { lenient = false, ...form }: Reading = {},
): Promise<ParsedEml> {
  const { bytes, fields } = messageBytes(source, form);
  const options = { attachesMessages: true, lenient, rare: rareCharsets };
  const email = await readMime(bytes, options).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The message cannot be read: ${why}`, { cause: error });
  });
  const resent = {
    to: peopleIn(email, 'resent-to'),
    cc: peopleIn(email, 'resent-cc'),
    bcc: peopleIn(email, 'resent-bcc'),
  };
  const { headers, repeated } = otherHeaders(email);
  const { attachments, lost } = partsOf(email);
  const cut = isCut(email, bytes) ? ['its end is missing, so a part of it may be cut off'] : [];
  return {
    from: authorOf(email),
    to: peopleIn(email, 'to'),
    cc: peopleIn(email, 'cc'),
    bcc: peopleIn(email, 'bcc'),
    replyTo: peopleIn(email, 'reply-to'),
    resent: Object.values(resent).flat().length === 0 ? undefined : resent,
    messageId: idIn(email.messageId),
    content: {
      ...given('subject', oneLine(email.subject ?? '').trim()),
      ...given('text', bodyText(email.text)),
      ...given('html', bodyText(email.html)),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(attachments.length > 0 && { attachments }),
    },
    lost: [
      ...structureLost(email),
      ...lost,
      ...repeated.map((name) => `the repeated header ${name}`),
      ...email.ambiguous.map((name) => `the second, different header ${name}`),
      ...(hasSecondAuthor(email) ? ['the second author'] : []),
    ],
    fields,
    // Programs that write messages by hand forget the last line, and none of their alerts should get lost.
    assumed: [
      ...email.assumed,
      ...(lenient ? cut : []),
      ...undeclaredHtml(email),
      ...textsAmongHeaders(email),
    ],
    problems: [...email.problems, ...(lenient ? [] : cut)],
  };
}

/** A person as a request has them. */
export function textOf(one: Person): string {
  return mailboxText(one);
}

/** Single people in an address list; a group counts as its members. */
export function parsePeople(list: string): Person[] {
  // The parser would drop control characters, and so change the address.
  if (/(?!\t)\p{Cc}/u.test(list)) {
    throw new UsageError(`${JSON.stringify(list)} contains a control character`);
  }
  const found = withoutGroups(addressParser(list));
  // The parser would take the second one for the name of the first.
  const two = found.find(
    ({ name, address }) =>
      /^[^\s@]+@[^\s@]+$/.test(name) && address && !list.includes(`<${address}>`),
  );
  if (two !== undefined) {
    throw new UsageError(
      `${JSON.stringify(list.trim())} has two addresses without a comma between them`,
    );
  }
  return found
    .map(({ name, address }) =>
      // The parser treats a word without a domain as a name.
      address === '' ? { name: '', address: oneLine(name).trim() } : { name, address },
    )
    .filter(({ address }) => address !== '');
}

function peopleIn({ headers }: Email, key: string): Person[] {
  return headers.filter((one) => one.key === key).flatMap(({ value }) => parsePeople(value));
}

/** The author. In `root (Cron Daemon)` the name is a comment, which the parser drops. */
function authorOf(email: Email): Person | undefined {
  const [author] = peopleIn(email, 'from');
  if (author === undefined || author.name !== '' || author.address.includes('@')) return author;
  const value = email.headers.find(({ key }) => key === 'from')?.value ?? '';
  const [, comment = ''] = /\(([^()]*)\)\s*$/.exec(value) ?? [];
  return { ...author, name: decodeWords(comment.trim()) };
}

/** Whether one header From has several people. */
function hasSecondAuthor(email: ReadMessage): boolean {
  const isRepeated = email.ambiguous.some((name) => name.toLowerCase() === 'from');
  const all = new Set(peopleIn(email, 'from').map(textOf));
  return !isRepeated && all.size > 1;
}

function otherHeaders({ headers: all }: Email) {
  const headers: Record<string, string> = {};
  const repeated: string[] = [];
  const seen = new Set<string>();
  for (const { key, originalKey, value } of all) {
    const text = oneLine(decodeWords(value)).trim();
    if (inFields.test(key) || ofOthers.test(key) || text === '') continue;
    if (seen.has(key)) repeated.push(originalKey);
    else headers[originalKey] = text;
    seen.add(key);
  }
  return { headers, repeated };
}

/** Whether a message in parts has no line that ends them (RFC 2046, section 5.1.1), as after an incomplete download. */
function isCut({ headers }: Email, bytes: Uint8Array): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  const [, quoted, plain] =
    /^multipart\/[^;]*;(?:.*;)?\s*boundary\s*=\s*(?:"([^"\\]+)"|([^\s;"]+))/is.exec(type) ?? [];
  const boundary = quoted ?? plain;
  return boundary !== undefined && !Buffer.from(bytes).includes(`--${boundary}--`, 0, 'latin1');
}

/** The names of structures that cannot be split into parts without losing their meaning. */
function structureLost({ headers }: Email): string[] {
  const type = headers.find(({ key }) => key === 'content-type')?.value.toLowerCase() ?? '';
  if (/^multipart\/encrypted|^application\/(x-)?pkcs7-mime/.test(type)) return ['the encryption'];
  if (/^multipart\/report/.test(type)) return ['the format of the report'];
  return [];
}

/** The attachments, and the names of what would be lost. */
function partsOf({ attachments: all, html = '', versions, locations }: ReadMessage) {
  const shown = locations.size === 0 ? [] : imagesIn(readDocument(html)).map(({ url }) => url);
  const lost: string[] = [];
  const attachments: NonNullable<SendBody['attachments']> = [];
  for (const [index, part] of all.entries()) {
    const filename = nameOf(part, index);
    const content = attachmentBytes(part);
    if (signature.test(part.mimeType)) {
      lost.push('the digital signature');
      continue;
    }
    if (part.mimeType === 'text/x-amp-html') {
      lost.push('the AMP version');
      continue;
    }
    if (versions.includes(part)) {
      lost.push(`the version in ${part.mimeType}`);
      continue;
    }
    if (content.length === 0) {
      lost.push(`the empty attachment ${filename}`);
      continue;
    }
    if (isShownIn(html, part) || isOneOf(shown, locations.get(part)))
      lost.push(`the position of the inline image ${filename}`);
    if (part.method !== undefined) lost.push(`the format of the invitation ${filename}`);
    attachments.push({ filename, content: content.toString('base64') });
  }
  return { attachments, lost };
}

/** Whether the HTML shows a part by its Content-ID, which a request cannot carry. */
function isShownIn(html: string, { contentId = '' }: Attachment): boolean {
  const id = contentId.replace(/^<|>$/g, '');
  return id !== '' && [id, encodeURI(id)].some((one) => html.includes(`cid:${one}`));
}

/** Whether the HTML shows what is at this place. From the web, it is loaded all the same. */
function isOneOf(shown: readonly string[], location: string | undefined): boolean {
  if (location === undefined || /^https?:/i.test(location)) return false;
  return [location, encodeURI(location)].some((one) => shown.includes(one));
}

/** That a message is written in HTML, and does not say so: mail programs show its tags. */
function undeclaredHtml({ headers, text = '' }: Email): string[] {
  if (headers.some(({ key }) => key === 'content-type') || !htmlStart.test(text)) return [];
  return ['it is HTML without the header Content-Type: text/html, so readers see its tags'];
}

const htmlStart = /^\s*<(?:!doctype html|html|head|body|div|p|h[1-6]|table|style|center)\b[^<>]*>/i;

/** Headers that are lines of the text, as of a log, because no empty line is before it: nobody sees them. */
function textsAmongHeaders({ headers }: Email): string[] {
  return headers
    .filter(({ originalKey }) => textual.test(originalKey))
    .map(
      ({ originalKey }) =>
        `readers do not see its line ${JSON.stringify(`${originalKey}: …`)}, which looks like a header; begin the text with an empty line`,
    );
}

/** First words of lines in what programs report, none of which is a header. */
const textual =
  /^(?:errors?|warnings?|info|notice|debug|fatal|critical|failed|failure|success|note|hi|hello|dear|host|hostname|server|time|output|result|details?|reason|exception|traceback|https?)$/i;

/** Extensions for files without a name. */
const endings: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
};

function nameOf({ filename, mimeType }: Attachment, index: number): string {
  // Some programs name a file by its whole path.
  const last = filename?.split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(/\p{Cc}+/gu, ' ').trim();
  return name === '' ? `attachment-${index + 1}.${endings[mimeType] ?? 'bin'}` : name;
}

/** A text with exactly one line break at its end; empty if it is blank. */
function bodyText(text: string | undefined): string {
  const shown = (text ?? '').trimEnd();
  return shown === '' ? '' : `${shown}\n`;
}

function given<Field extends string>(field: Field, value: string) {
  // TypeScript widens a computed key to string.
  return (value === '' ? {} : { [field]: value }) as { [Key in Field]?: string };
}

/** A Message-ID that names the message: `<>` and blanks name none. */
function idIn(messageId: string | undefined): string | undefined {
  return /[^<>\s]/.test(messageId ?? '') ? messageId : undefined;
}
