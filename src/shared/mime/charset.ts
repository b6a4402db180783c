import { isUtf8 } from 'node:buffer';
import { attempt } from '../attempt.ts';
import { eightBitText } from './windows-1252.ts';

/** The part of iconv-lite that decodes what `TextDecoder` does not have, such as cp850. */
export interface RareCharsets {
  encodingExists(charset: string): boolean;
  decode(bytes: Buffer, charset: string): string;
}

/** How bytes become text. */
export interface Decoding {
  /** Loads the charsets that `TextDecoder` does not have. Without it, one of those is a `RareCharsetError`. */
  readonly rare?: () => Promise<RareCharsets>;
  /** Whether bytes that are not UTF-8 are windows-1252 even in a text that is declared as UTF-8. */
  readonly lenient?: boolean;
}

/** Bytes with the charset they are declared to have, if any. */
export interface EncodedText {
  readonly bytes: Uint8Array;
  readonly declared: string | undefined;
  readonly isHtml?: boolean;
}

/** A text as decoded. */
export interface DecodedText {
  readonly text: string;
  /** What was assumed, after its name: `was read as windows-1252`. */
  readonly assumed?: string;
  /** Why the text is damaged, after its name: `is declared as utf-7, which is not supported`. */
  readonly problem?: string;
}

const as1252 = 'was read as windows-1252';
const asJapanese = 'was read as iso-2022-jp';

/** A charset is needed that only `Decoding.rare` has. */
export class RareCharsetError extends Error {}

/** Escape sequences of ISO-2022-JP, -KR and -CN. Those to ASCII are left out: terminals know them, too. */
export const escapeSequence = new RegExp(`${'\x1b'}(?:\\$[@AB]|\\$[()][@-I]|\\([IJ])`);

/** Charsets of 7 bits that nothing here decodes, and the bytes that have a meaning of their own in them. */
const sevenBit =
  /^(?:x?(?:unicode11|csunicode11)?utf7(?:imap)?|hzgb2312|hz|(?:cs)?iso2022(?:kr|cn|cnext))$/;
const sevenBitShift = new RegExp(`[+~${'\x0e\x1b'}]`);

/** ASCII says nothing about bytes above it. `ANSI_X3.4-1968` is libc's name for it. */
const ascii =
  /^(?:us|(?:us|cs)?ascii|ansix34(?:19\d\d)?|iso646(?:us|irv1991)?|isoir6|cp367|ibm367)$/;

const latin1 =
  /^(?:x?(?:cp|windows|win|ms)?1252|(?:iso)?88591|(?:iso|csiso)?latin1|l1|isoir100|(?:cp|ibm)819|x?ansi)$/;

/** Other names of charsets. */
const aliases: readonly (readonly [RegExp, string])[] = [
  [/^utf8/, 'utf-8'],
  // Without a byte order mark, the text itself shows the order.
  [/^(?:utf16|ucs2|iso10646ucs2|unicode|csunicode)$/, 'utf-16'],
  [/^(?:iso2022jp.*|csiso2022jp.*|cp5022[0-2]|jis|junet)$/, 'iso-2022-jp'],
  [/^uhc$/, 'euc-kr'],
];

/**
 * Decodes a text: by its declared charset; without one, as UTF-8 if it is valid, else as the HTML says, else as
 * windows-1252, which is then in `assumed`.
 */
export async function decodeText(encoded: EncodedText, decoding: Decoding): Promise<DecodedText> {
  const { bytes, declared = '' } = encoded;
  const name = canonical(declared);
  const shown = declared.trim().toLowerCase();
  const asDeclared = ascii.test(name) ? undefined : await strictly(bytes, shown, decoding);
  if (sevenBit.test(name) && sevenBitShift.test(ofLatin1(bytes))) {
    return { ...guess(bytes), problem: `is declared as ${shown}, which is not supported` };
  }
  if (asDeclared === undefined) return await undeclared(encoded, decoding);
  const { lenient = false } = decoding;
  const isUtf8Name = name.startsWith('utf8');
  if (asDeclared.text === undefined) {
    const mixed = isUtf8Name ? eightBitText(bytes) : undefined;
    if (mixed !== undefined && lenient) return { text: mixed, assumed: as1252 };
    const problem = `is declared as ${shown}, but has bytes that are not`;
    return { text: mixed ?? asDeclared.damaged, problem };
  }
  const { text } = asDeclared;
  if (singleByte.test(name) && isSurelyUtf8(bytes)) {
    const known = utf8(bytes);
    if (known.includes('\ufffd')) return withLost(known, lenient);
    return { text: known, assumed: `is declared as ${shown}, and was read as utf-8` };
  }
  if (isOfIso2022(name) || !escapeSequence.test(text)) return checked(text, shown, lenient);
  const japanese = await strictly(bytes, 'iso-2022-jp', decoding);
  if (lenient && japanese?.text !== undefined) {
    return { text: japanese.text, assumed: asJapanese };
  }
  const problem = `is declared as ${shown}, but has escape sequences of iso-2022-jp`;
  return { text: japanese?.text ?? text, problem };
}

async function undeclared(
  { bytes, isHtml = false }: EncodedText,
  decoding: Decoding,
): Promise<DecodedText> {
  const { lenient = false } = decoding;
  const source = ofLatin1(bytes);
  if (escapeSequence.test(source)) {
    const japanese = await strictly(bytes, 'iso-2022-jp', decoding);
    if (japanese?.text !== undefined) return { text: japanese.text, assumed: asJapanese };
    return { text: guess(bytes).text, problem: 'has escape sequences of an unknown charset' };
  }
  if (isUtf8(bytes)) return checked(utf8(bytes), 'utf-8', lenient);
  const inHtml = isHtml ? charsetInHtml(source) : undefined;
  const asInHtml = inHtml === undefined ? undefined : await strictly(bytes, inHtml, decoding);
  if (asInHtml?.text !== undefined) return checked(asInHtml.text, inHtml ?? '', lenient);
  const guessed = guess(bytes);
  const { problem } = checked(guessed.text, 'windows-1252', lenient);
  if (problem === undefined && (lenient || !isUnlikely(bytes))) return guessed;
  return { ...guessed, problem: 'has no charset, and is neither utf-8 nor windows-1252' };
}

/**
 * Whether a text that was read as windows-1252 is probably in the letters of another script: Cyrillic makes words of
 * accented letters only, and the characters of Chinese and Korean consist of signs that nobody writes.
 */
function isUnlikely(bytes: Uint8Array): boolean {
  const text = eightBitText(bytes, { isUtf8: false });
  if (/[\u00c0-\u00ff]{4}/.test(text)) return true;
  const odd = text.match(/[¤¥¦¨ª¬\u00ad¯±´µ¶¸¹º¼¾]/g)?.length ?? 0;
  return odd >= 3 && odd * 8 > text.replace(/\s/g, '').length;
}

/** The charset that HTML declares for itself. ASCII and UTF-8 would be known by then. */
function charsetInHtml(source: string): string | undefined {
  const [, charset = ''] =
    /<meta\b[^>]{0,1000}?\bcharset\s{0,9}=\s{0,9}["']?([\w:.-]{1,60})/i.exec(source) ?? [];
  const name = canonical(charset);
  return name === '' || ascii.test(name) || name.startsWith('utf8') ? undefined : charset;
}

function guess(bytes: Uint8Array): DecodedText {
  return { text: eightBitText(bytes), assumed: as1252 };
}

/** A text in which U+FFFD stands for characters that another program could not read. */
export function withLost(text: string, lenient = false): DecodedText {
  const lost = 'has lost characters: U+FFFD stands for them';
  return lenient ? { text, assumed: lost } : { text, problem: lost };
}

/** With a problem if there are characters that no text has: bytes without a meaning in this charset. */
function checked(text: string, charset: string, lenient: boolean): DecodedText {
  if (text.includes('\ufffd')) return withLost(text, lenient);
  if (text.includes('\0')) {
    const spaced = text.replaceAll('\0', ' ');
    if (lenient) return { text: spaced, assumed: 'has NUL characters, which became spaces' };
    return { text: spaced, problem: 'has NUL characters' };
  }
  if (lenient) return { text };
  // NEL is a line break on mainframes.
  if (!/[\x80-\x84\x86-\x9f]/.test(text)) return { text };
  return { text, problem: `has control characters instead of text when read as ${charset}` };
}

interface Strict {
  /** Undefined if there are bytes that have no meaning. */
  readonly text?: string;
  /** The text with replacement characters. */
  readonly damaged: string;
}

/** The text in exactly this charset; undefined if the charset is unknown. */
async function strictly(
  bytes: Uint8Array,
  charset: string,
  decoding: Decoding,
): Promise<Strict | undefined> {
  const name = canonical(charset);
  if (name === '' || sevenBit.test(name)) return undefined;
  // Versions of Node disagree on it.
  if (latin1.test(name)) return ofText(eightBitText(bytes, { isUtf8: false }));
  const [, label = charset] = aliases.find(([names]) => names.test(name)) ?? [];
  const known = label === 'utf-16' ? undefined : decoderOf(label);
  if (known !== undefined) return byDecoder(known, wholeUnits(bytes, name));
  const { rare } = decoding;
  if (rare === undefined) throw new RareCharsetError(charset);
  const charsets = await rare();
  for (const one of [label, label.replace(/^x-/, '')]) {
    if (charsets.encodingExists(one)) {
      return ofText(charsets.decode(Buffer.from(wholeUnits(bytes, name)), one));
    }
  }
  const withoutX = decoderOf(charset.replace(/^x-/, ''));
  return withoutX === undefined ? undefined : byDecoder(withoutX, bytes);
}

function ofText(text: string): Strict {
  return text.includes('\ufffd') ? { damaged: text } : { text, damaged: text };
}

function byDecoder(label: string, bytes: Uint8Array): Strict {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return { text, damaged: text };
  } catch {
    return { damaged: new TextDecoder(label).decode(bytes) };
  }
}

/** The label, if there is a decoder for it. */
function decoderOf(label: string): string | undefined {
  return attempt(() => new TextDecoder(label) && label, undefined);
}

/** The parser ends each part with a line feed of one byte, even if characters have several. */
function wholeUnits(bytes: Uint8Array, name: string): Uint8Array {
  const unit = /^(?:utf16|ucs2|unicode|csunicode|iso10646ucs2)/.test(name) ? 2 : 4;
  if (unit === 4 && !/^(?:utf32|ucs4)/.test(name)) return bytes;
  return bytes.length % unit === 1 && bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}

/** Charsets in which each byte is a character, so that any bytes are a text. */
const singleByte =
  /^(?:x?(?:cp|windows|win|ms|ibm|dos)?(?:125\d|\d{3})|(?:iso|csiso)?8859\d{1,2}|(?:iso|csiso)?latin\d{1,2}|l\d|koi8[a-z]{1,2}|isoir\d+|x?ansi|x?mac[a-z]*|tis620)$/;

/**
 * Whether bytes are UTF-8 for certain, though any bytes are a text in a charset of single bytes: all of them fit, and
 * make letters and signs that are in use. `É` and a no-break space in Latin 1 would be a letter of phonetics.
 */
function isSurelyUtf8(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  const beyond = utf8(bytes).match(/[\u0080-\u{10ffff}]/gu) ?? [];
  // The last byte of these is a no-break space in Latin 1, which may follow any letter.
  const isTelling = beyond.some((one) => ((one.codePointAt(0) ?? 0) & 0x3f) !== 0x20);
  return isTelling && !beyond.some((one) => /[\u0080-\u009f\u0180-\u036f]/.test(one));
}

function isOfIso2022(name: string): boolean {
  return aliases.some(([names, label]) => label === 'iso-2022-jp' && names.test(name));
}

/** A charset's name without what spellings differ in. */
function canonical(charset: string): string {
  return charset.toLowerCase().replace(/:\d{4}$|[^0-9a-z]/g, '');
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function ofLatin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
