import PostalMime, { type Address, type Attachment, type Email, type Mailbox } from 'postal-mime';

export interface MimeOptions {
  /** Whether a message within the message is an attachment instead of a part of the text. */
  readonly attachesMessages?: boolean;
}

/** Limits for one message: levels of nested parts, and bytes of headers. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024 };

/** More lines than the largest message with attachments has. Each line costs time and memory. */
const mostLines = 500_000;

/**
 * Reads a message (RFC 5322, MIME). `attachmentBytes` has the bytes of an attachment. Rejects if parts are nested too deeply,
 * headers are too long, or there are too many lines.
 */
export async function readMime(
  source: Uint8Array,
  { attachesMessages = false }: MimeOptions = {},
): Promise<Email> {
  if (hasMoreLines(source, mostLines)) throw new Error(`it has more than ${mostLines} lines`);
  const parser = new BlockParser({ ...limits, forceRfc822Attachments: attachesMessages });
  return await parser.parse(source);
}

/** The bytes of an attachment that `readMime` has read. */
export function attachmentBytes({ content }: Pick<Attachment, 'content'>): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** What the parser's types leave out. */
interface Internals {
  readonly av: Uint8Array<ArrayBuffer>;
  readPos: number;
  readonly currentNode: {
    readonly state: 'header' | 'body' | 'finished';
    readonly contentTransferEncoding: { readonly encoding: string };
  };
  readLine(): Line;
}

interface Line {
  readonly bytes: Uint8Array;
  readonly done: boolean;
}

/** In bytes. */
const blockSize = 64 * 1024;
const newline = 0x0a;
const dash = 0x2d;

/**
 * A parser that reads the lines of a body in blocks: each line would cost an object of its own, and a large
 * text ten times the memory and time. A line that may be a boundary stays a line, and so do those of
 * quoted-printable, where `=` before a line break has a meaning.
 */
class BlockParser extends PostalMime {
  readLine(): Line {
    // These fields and `readLine` exist; the version is pinned, and tests compare what both ways read.
    const parser = this as unknown as Internals;
    const { av, readPos: start, currentNode } = parser;
    const { state, contentTransferEncoding } = currentNode;
    const isBlock = state === 'body' && contentTransferEncoding.encoding !== 'quoted-printable';
    if (!isBlock || mayBeBoundary(av, start)) return ofOneLine.call(parser);
    let next = start;
    do {
      const end = av.indexOf(newline, next);
      next = end === -1 ? av.length : end + 1;
    } while (next < av.length && next - start < blockSize && !mayBeBoundary(av, next));
    parser.readPos = next;
    // Lines as the parser has them: without the break at the end, and with \n between them.
    const lines = Buffer.from(av.buffer, start, next - start).toString('latin1');
    const joined = lines.replace(/\n$/, '').replace(/(?<!\r)\r+(?=\n|$)/g, '');
    const bytes = Buffer.from(joined, 'latin1');
    return { bytes, done: next >= av.length };
  }
}

// As above.
const ofOneLine = (PostalMime.prototype as unknown as Internals).readLine;

function mayBeBoundary(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === dash && bytes[at + 1] === dash;
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
