import PostalMime, { type Address, type Email, type Mailbox } from 'postal-mime';

export interface MimeOptions {
  /** Whether a message within the message is an attachment, instead of part of the text. */
  readonly attachesMessages?: boolean;
}

/** The most that is read of one message: parts within parts, and bytes of headers. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024 };

/** More than the largest message with attachments has. Each takes time and memory to read. */
const mostLines = 500_000;

/**
 * Reads a message (RFC 5322, MIME); attachments are in base64. Rejects if its parts are nested too deeply,
 * its headers are too long, or it has too many lines.
 */
export async function readMime(
  source: Uint8Array,
  { attachesMessages = false }: MimeOptions = {},
): Promise<Email> {
  if (hasMoreLines(source, mostLines)) throw new Error(`it has more than ${mostLines} lines`);
  return await PostalMime.parse(source, {
    ...limits,
    attachmentEncoding: 'base64',
    forceRfc822Attachments: attachesMessages,
  });
}

/** Single mailboxes, with those in groups. */
export function withoutGroups(addresses: readonly Address[] = []): Mailbox[] {
  return addresses.flatMap((one) => one.group ?? [one]);
}

/** A mailbox as it is written in a header or a request, whatever its name has in it. */
export function mailboxText({ name, address }: Pick<Mailbox, 'name' | 'address'>): string {
  const shown = oneLine(name).trim();
  if (shown === '') return address;
  const isPlain = /^[\p{L}\p{N}_ -]+$/u.test(shown);
  const written = isPlain ? shown : `"${shown.replace(/["\\]/g, '\\$&')}"`;
  return `${written} <${address}>`;
}

export function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}

/** Without NUL, which no text of an email can have. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

function hasMoreLines(bytes: Uint8Array, most: number): boolean {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && lines <= most; at = bytes.indexOf(10, at + 1))
    lines++;
  return lines > most;
}
