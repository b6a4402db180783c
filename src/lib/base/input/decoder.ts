import { eightBitText } from '../../../shared/mime/windows-1252.ts';
import { UsageError } from '../errors.ts';
import { type ShellSystem, shellQuote } from '../text/shell-quote.ts';
import { visible } from '../text/visible.ts';
import { programOf } from './program-files.ts';

/** How the texts of a command are encoded. */
export interface Encoding {
  /** What `--encoding` names, for files that are not UTF-8. */
  readonly label?: string | undefined;
  /** This command line with another label; undefined if the command has no such flag. */
  readonly lineWith?: ((label: string) => { line: string; needs: string }) | undefined;
}

/** Charsets whose texts may be valid UTF-8, but mean something else. */
const notAscii = /^(?:utf-16|iso-2022)/;

/** Those with characters of several bytes, of which two may look like one of UTF-8. */
const ofSeveralBytes = /^(?:gb|big5|euc|shift)/;

/** Characters of three bytes, as UTF-8 has for the same scripts. */
const threeBytes = /[\xe1-\xef][\x80-\xbf]{2}/;

/** A file to decode. */
interface EncodedFile extends Encoding {
  /** Its name in messages. */
  readonly name: string;
  /** `-` for stdin. */
  readonly path: string;
  readonly system: ShellSystem;
}

/**
 * Decodes the pieces of a file, which end with `undefined`: as UTF-8 if its first characters beyond ASCII are;
 * otherwise by `--encoding`. A byte order mark decides, and is dropped. Throws a `UsageError` for a file of another
 * program, and for bytes that are no text.
 */
export function createDecoder(file: EncodedFile) {
  const { label, name } = file;
  const named = label && charsetOf(label);
  let decode: ((bytes: Uint8Array, stream: boolean) => string) | undefined;
  let isFirst = true;
  let wide: string | undefined;
  const choose = (bytes: Uint8Array) => {
    const source = Buffer.from(bytes).toString('latin1');
    const charset = named && (wide ?? named);
    if (!charset) return strictly('utf-8');
    // The beginning may be ASCII, which is the same in each of the others.
    if (!notAscii.test(charset) && !/[\x80-\xff]/.test(source)) return undefined;
    const isTelling = !ofSeveralBytes.test(charset) || threeBytes.test(source);
    if (!notAscii.test(charset) && isTelling && fitsUtf8(bytes)) return strictly('utf-8');
    return strictly(charset);
  };
  let cut: Uint8Array = new Uint8Array();
  return (piece?: Uint8Array): string => {
    const given = piece ?? new Uint8Array();
    let bytes = cut.length === 0 ? given : Buffer.concat([cut, given]);
    cut = new Uint8Array();
    // What a character begins at the end of a piece tells nothing before the rest of it is there.
    if (decode === undefined && piece !== undefined && named !== undefined) {
      const end = endOfWholeCharacters(bytes);
      cut = bytes.subarray(end);
      bytes = bytes.subarray(0, end);
    }
    if (isFirst && bytes.length > 1) {
      isFirst = false;
      if (bytes[0] === 0xff && bytes[1] === 0xfe) wide = 'utf-16le';
      if (bytes[0] === 0xfe && bytes[1] === 0xff) wide = 'utf-16be';
      const isMarked = wide !== undefined;
      wide ??= wideWithoutMark(bytes);
      const program = programOf(bytes);
      if (program) throw new UsageError(`${name} is ${program.is}`, { hint: program.hint });
      // As UTF-8, it would have a NUL in every second character.
      if (wide && !isMarked && !named) throw unreadable(file, wide);
    }
    decode ??= choose(bytes);
    try {
      return decode?.(bytes, piece !== undefined) ?? Buffer.from(bytes).toString('latin1');
    } catch {
      throw unreadable(file, wide);
    }
  };
}

/** The form of UTF-16 that begins with characters of ASCII, of which every second byte is 0. */
function wideWithoutMark(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  return a === 0 && b && c === 0 && d ? 'utf-16be' : undefined;
}

/** The length of bytes without a last character beyond ASCII, of at most three bytes, that may go on. */
function endOfWholeCharacters(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > Math.max(0, bytes.length - 3) && (bytes[end - 1] ?? 0) >= 0x80) end--;
  return end;
}

function charsetOf(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new UsageError(
      `--encoding: "${visible(label)}" is not a charset of the Encoding Standard`,
      {
        hint: 'Excel on Windows saves windows-1252 in western Europe, windows-1250 in central Europe, and windows-1251 for Cyrillic. Others are utf-16le, shift_jis and gb18030.',
      },
    );
  }
}

function strictly(charset: string) {
  // Versions of Node disagree on it.
  if (charset === 'windows-1252') {
    return (bytes: Uint8Array) => eightBitText(bytes, { isUtf8: false });
  }
  const decoder = new TextDecoder(charset, { fatal: true });
  return (bytes: Uint8Array, stream: boolean) => decoder.decode(bytes, { stream });
}

/** Whether bytes are UTF-8; the last character may be cut off. */
function fitsUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Of latin1, which few programs still write, invisible characters would become what Excel writes. */
function unreadable(file: EncodedFile, wide: string | undefined): UsageError {
  const { name, label, lineWith, path, system } = file;
  if (label) return new UsageError(`${name} is neither UTF-8 nor ${label}`);
  const charset = wide ?? 'windows-1252';
  const again = lineWith?.(charset);
  const convert = ['iconv', '-f', charset, '-t', 'utf-8', ...(path === '-' ? [] : [path])];
  const hint = again
    ? `To read it${wide ? '' : ' as Excel on Windows saves it'}${again.needs}:\n${again.line}`
    : `To convert it:\n${shellQuote(convert, system)}`;
  return new UsageError(`${name} is ${wide ? 'UTF-16' : 'not valid UTF-8'}`, { hint });
}
