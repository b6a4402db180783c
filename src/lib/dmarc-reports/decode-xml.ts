/** A decoder of text that arrives in pieces. */
export interface TextPieces {
  write(bytes: Uint8Array): string;
  end(): string;
}

/**
 * The decoder for XML (appendix F of the specification): by the byte order mark, by zero bytes, by the declaration, else
 * UTF-8. Some receivers declare UTF-16 and send UTF-8, so the bytes are believed. `head` has the first bytes.
 */
export function xmlDecoder(head: Uint8Array): TextPieces {
  const decoder = decoderFor(encodingOf(head));
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  };
}

/** The name of the encoding. */
export function encodingOf(head: Uint8Array): string {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const [, declared = ''] =
    /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start) ?? [];
  return /^utf-?16|^ucs|^$/i.test(declared) ? 'utf-8' : declared;
}

function decoderFor(encoding: string) {
  try {
    return new TextDecoder(encoding);
  } catch {
    // Elements are ASCII, and so is nearly all of their text.
    return new TextDecoder();
  }
}
