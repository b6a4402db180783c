import { isUtf8 } from 'node:buffer';
import {
  type DecodedText,
  type Decoding,
  decodeText,
  escapeSequence,
  withLost,
} from './charset.ts';

/** A header in UTF-8, and what was assumed or is damaged in it. */
export interface DecodedHeader extends Omit<DecodedText, 'text'> {
  readonly line: Uint8Array;
}

/** The charset that the message or its first part declares, which its raw headers usually have, too. */
export function charsetOfMessage(source: Uint8Array): string | undefined {
  const start = Buffer.from(source.subarray(0, 64 * 1024)).toString('latin1');
  const declared = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*?;\s*charset\s*=\s*"?([^\s";]+)/im;
  return declared.exec(start)?.[1];
}

/**
 * Makes UTF-8 of an unfolded header: of raw bytes, of encoded words (RFC 2047), and of parameters with a charset
 * (RFC 2231).
 */
export async function decodeHeader(
  line: Uint8Array,
  charset: string | undefined,
  decoding: Decoding,
): Promise<DecodedHeader> {
  const raw = await decodeRaw(line, charset, decoding);
  const words = await decodeWords(raw.text, decoding);
  const { text, ...rest } = await decodeParameters(words.text, decoding);
  return { ...raw, ...words, ...rest, line: Buffer.from(text) };
}

/** Bytes that are not UTF-8 have the charset of the message, if they can. */
async function decodeRaw(
  line: Uint8Array,
  charset: string | undefined,
  decoding: Decoding,
): Promise<DecodedText> {
  const text = Buffer.from(line).toString('utf8');
  if (isUtf8(line) && !escapeSequence.test(text)) {
    return text.includes('\ufffd') ? withLost(text, decoding.lenient) : { text };
  }
  const asBody = await decodeText(
    { bytes: line, declared: charset },
    { ...decoding, lenient: false },
  );
  if (asBody.problem === undefined) return asBody;
  return await decodeText({ bytes: line, declared: undefined }, decoding);
}

const encodedWord = /=\?([^?\s]+)\?([QqBb])\?([^?]*)\?=/g;

interface Word {
  readonly charset: string;
  readonly encoding: string;
  readonly bytes: Buffer;
  /** Whether the bytes of the next word may continue a character. */
  readonly isOpen: boolean;
}

/** Encodes all words anew in UTF-8, because their text may have characters with a meaning in addresses. */
async function decodeWords(header: string, decoding: Decoding): Promise<DecodedText> {
  if (!header.includes('=?')) return { text: header };
  const found: Pick<DecodedText, 'assumed' | 'problem'>[] = [];
  const decodeAll = async (words: readonly Word[]): Promise<string> => {
    const [first, ...others] = words;
    if (first === undefined) return '';
    const bytes = Buffer.concat(words.map((one) => one.bytes));
    const { text, ...rest } = await decodeText({ bytes, declared: first.charset }, decoding);
    // Words that were joined may have to stay apart, such as those that end in another shift state.
    if (rest.problem !== undefined && others.length > 0) {
      return `${await decodeAll([first])} ${await decodeAll(others)}`;
    }
    found.push(rest);
    return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
  };
  let text = '';
  let end = 0;
  let open: Word[] = [];
  for (const match of header.matchAll(encodedWord)) {
    const between = header.slice(end, match.index);
    const word = wordOf(match);
    const last = open.at(-1);
    const continues =
      last?.isOpen === true && isSameKind(last, word) && /^[ \t\r\n]*$/.test(between);
    if (!continues) {
      text += (await decodeAll(open)) + between;
      open = [];
    }
    open.push(word);
    end = match.index + match[0].length;
  }
  text += (await decodeAll(open)) + header.slice(end);
  return { ...Object.assign({}, ...found.map(defined)), text };
}

function wordOf([, charset = '', encoding = '', written = '']: RegExpMatchArray): Word {
  const isBase64 = encoding.toUpperCase() === 'B';
  const spaced = written.replace(/[_\s]/g, ' ').replace(/%/g, '%25');
  const bytes = isBase64
    ? Buffer.from(written, 'base64')
    : percentDecoded(spaced.replace(/=(?=[\da-f]{2})/gi, '%'));
  return {
    // A language may follow the charset (RFC 2231, section 5).
    charset: charset.replace(/\*.*/s, '').toLowerCase(),
    encoding: encoding.toUpperCase(),
    bytes,
    isOpen: !isBase64 || (written.length % 4 === 0 && !written.endsWith('=')),
  };
}

function isSameKind(one: Word, other: Word): boolean {
  return one.charset === other.charset && one.encoding === other.encoding;
}

function percentDecoded(text: string): Buffer {
  const parts = text.split(/(%[\da-f]{2})/i);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part),
    ),
  );
}

const parameter = /;\s*([\w-]+)\*(?:(\d{1,3})(\*)?)?\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s]*)/g;

/** Writes parameters in UTF-8 that have another charset. */
async function decodeParameters(header: string, decoding: Decoding): Promise<DecodedText> {
  if (!/^content-(?:type|disposition):/i.test(header)) return { text: header };
  const sections = new Map<string, { readonly position: number; readonly bytes: Buffer }[]>();
  const charsets = new Map<string, string>();
  for (const [, name = '', position, star, written = ''] of header.matchAll(parameter)) {
    const value = written.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1');
    const isEncoded = position === undefined || star !== undefined;
    const [, charset, rest = value] = (isEncoded && /^([^']*)'[^']*'(.*)$/s.exec(value)) || [];
    const key = name.toLowerCase();
    if (charset !== undefined) charsets.set(key, charset);
    // No file has NUL in its name.
    const bytes = isEncoded ? percentDecoded(rest.replaceAll('%00', '%20')) : Buffer.from(value);
    sections.set(key, [...(sections.get(key) ?? []), { position: Number(position ?? 0), bytes }]);
  }
  if (sections.size === 0) return { text: header };
  let text = header.replace(parameter, '');
  let found: Pick<DecodedText, 'assumed' | 'problem'> = {};
  for (const [name, parts] of sections) {
    const bytes = Buffer.concat(
      parts.sort((a, b) => a.position - b.position).map((part) => part.bytes),
    );
    const { text: value, ...rest } = await decodeText(
      { bytes, declared: charsets.get(name) },
      decoding,
    );
    found = { ...found, ...rest };
    text += `; ${name}*=utf-8''${encodeURIComponent(value)}`;
  }
  return { ...found, text };
}

function defined({ assumed, problem }: Pick<DecodedText, 'assumed' | 'problem'>) {
  return { ...(assumed && { assumed }), ...(problem && { problem }) };
}
