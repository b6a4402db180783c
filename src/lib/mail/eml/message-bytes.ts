import { UsageError } from '../../base/errors.ts';

/** The start of a header (RFC 5322, section 2.2). */
const fieldStart = /^[!-9;-~]+[ \t]*:/;

/** The form of a message on stdin. */
export interface MessageForm {
  /** Whether a line with only a dot ends the message. */
  readonly endsAtDot?: boolean;
}

/**
 * A message, ready to parse, without a byte order mark, the first line of a mailbox file, and anything after the final dot;
 * and its number of headers.
 * A line that is no header ends the headers, even without an empty line before it. Throws a `UsageError` for a mailbox
 * file with several messages: the others would be a part of the text of the first.
 */
export function messageBytes(given: Uint8Array, { endsAtDot = false }: MessageForm = {}) {
  const source = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const start = afterMailboxLine(
    source,
    source.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0,
  );
  const whole = source.subarray(start, endsAtDot ? dotAfter(source, start) : source.length);
  if (start > 3 && hasNextMessage(whole)) {
    throw new UsageError('It is a mailbox file with several messages.', {
      hint: 'Save the message to send in a file of its own.',
    });
  }
  const { end, fields, isSeparated } = headersOf(whole);
  if (isSeparated) return { bytes: whole, fields };
  const parts = [whole.subarray(0, end), Buffer.from('\n'), whole.subarray(end)];
  return { bytes: Buffer.concat(parts), fields };
}

function afterMailboxLine(source: Buffer, start: number): number {
  const isThere = /^>?From /.test(source.toString('latin1', start, start + 6));
  return isThere ? nextLine(source, start) : start;
}

/** The line before each message of a mailbox file (RFC 4155), which ends with a date, and the first header. */
const nextMessage = /^From \S.*\d\d:\d\d:\d\d.*\d{4}.*\r?\n[!-9;-~]+[ \t]*:/;

function hasNextMessage(source: Buffer): boolean {
  for (let at = source.indexOf('\nFrom '); at !== -1; at = source.indexOf('\nFrom ', at + 1)) {
    if (nextMessage.test(source.toString('latin1', at + 1, at + 1000))) return true;
  }
  return false;
}

/** The start of the line with only a dot; the end of the message if there is none. */
function dotAfter(source: Buffer, start: number): number {
  for (let at = start; at < source.length; at = nextLine(source, at)) {
    if (source[at] !== 0x2e) continue;
    const line = source.toString('latin1', at, Math.min(nextLine(source, at), at + 3));
    if (/^\.\r?\n?$/.test(line)) return at;
  }
  return source.length;
}

/** Where the headers end, how many there are, and whether an empty line follows. */
function headersOf(source: Buffer) {
  let fields = 0;
  let end = 0;
  while (end < source.length) {
    const next = nextLine(source, end);
    // The name of a header fits on one line, of at most 998 characters (RFC 5322, section 2.1.1).
    const line = source.toString('latin1', end, Math.min(next, end + 1000));
    if (/^\r?\n?$/.test(line)) return { end, fields, isSeparated: true };
    if (fieldStart.test(line)) fields++;
    else if (fields === 0 || !/^[ \t]/.test(line)) return { end, fields, isSeparated: false };
    end = next;
  }
  return { end, fields, isSeparated: true };
}

function nextLine(source: Buffer, at: number): number {
  const newline = source.indexOf(0x0a, at);
  return newline === -1 ? source.length : newline + 1;
}
