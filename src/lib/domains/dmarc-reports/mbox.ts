import { type Bytes, mostKept } from './bytes.ts';

/** The line before each message (RFC 4155): a sender and a time. */
const separator = /^From [^\r\n]*\d\d:\d\d/;
/** Longer than any such line, and the empty one before it. */
const overlap = 1024;

/** A message of a mailbox; undefined bytes if it is too large to keep. */
export interface MailboxMessage {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer | undefined;
}

/** Splits a mailbox into its messages, of which one at a time is in memory. */
export async function* messagesOf(mailbox: Bytes): AsyncGenerator<MailboxMessage> {
  let number = 1;
  let pieces: Buffer[] = [];
  let size = 0;
  let rest: Buffer = Buffer.alloc(0);
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > mostKept) pieces = [];
    else pieces.push(piece);
  };
  const taken = (): MailboxMessage => {
    const bytes = size > mostKept ? undefined : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return { number: number++, bytes };
  };
  /** Takes all messages that end before the last bytes of the rest, which may be the beginning of a line. */
  function* split(open: number): Generator<MailboxMessage> {
    let start = 0;
    for (;;) {
      const at = nextStart(rest, start);
      if (at === undefined || at > rest.length - open) break;
      add(rest.subarray(start, at));
      yield taken();
      start = at;
    }
    // With the line break or two before such a line.
    const kept = Math.max(start, open === 0 ? rest.length : rest.length - open - 4);
    add(rest.subarray(start, kept));
    rest = rest.subarray(kept);
  }
  for await (const piece of mailbox) {
    rest = Buffer.concat([rest, piece]);
    yield* split(overlap);
  }
  yield* split(0);
  yield taken();
}

/** Where the next message starts after `from`: its separator, after an empty line. */
function nextStart(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ; ) {
    const found = bytes.indexOf('\nFrom ', at, 'latin1');
    if (found === -1) return undefined;
    at = found + 1;
    const isAfterEmpty = /\n\r?$/.test(bytes.toString('latin1', Math.max(0, found - 2), found));
    if (isAfterEmpty && separator.test(bytes.toString('latin1', at, at + overlap))) return at;
  }
}
