import PostalMime, { type Address, type Email, type Mailbox } from 'postal-mime';

export interface MimeOptions {
  /** Whether a message within the message is an attachment instead of a part of the text. */
  readonly attachesMessages?: boolean;
}

/** Limits for one message: levels of nested parts, and bytes of headers. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024 };

/** More lines than the largest message with attachments has. Each line costs time and memory. */
const mostLines = 500_000;

/**
 * Reads a message (RFC 5322, MIME). Attachments are in base64. Rejects if parts are nested too deeply,
 * headers are too long, or there are too many lines.
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

/** Single mailboxes, including the members of groups. */
export function withoutGroups(addresses: readonly Address[] = []): Mailbox[] {
  return addresses.flatMap((one) => one.group ?? [one]);
}

/** Writes a mailbox for a header or a request, quoting any characters in its name. */
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

/** Replaces NUL, which no text of an email may contain. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

function hasMoreLines(bytes: Uint8Array, most: number): boolean {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && lines <= most; at = bytes.indexOf(10, at + 1))
    lines++;
  return lines > most;
}
