import { attempt } from '../../../shared/attempt.ts';
import { rareCharsets } from '../../../shared/mime/rare-charsets.ts';
import { attachmentBytes, readMime } from '../../../shared/mime/read-mime.ts';
import { whyUnreadable } from '../../base/input/input-files.ts';
import {
  type Allowance,
  contentPieces,
  mostUnpacked,
  peek,
  type ReportContent,
  wholeContent,
} from './bytes.ts';
import { messagesOf } from './mbox.ts';
import { createReportParser } from './parse-report.ts';
import { DamagedError, type DmarcReport, OtherError } from './report.ts';
import { unpacked } from './unpack.ts';
import { entriesOf } from './zip.ts';

/** What was found in a file. `name` is its name, and the names of what is in it: `box.mbox: message 3: a.zip: a.xml`. */
export type FoundInFile =
  | { readonly kind: 'report'; readonly name: string; readonly report: DmarcReport }
  /** `problem` is the end of a sentence about it. */
  | { readonly kind: 'damaged'; readonly name: string; readonly problem: string }
  | { readonly kind: 'other'; readonly name: string };

/** Archives and messages in each other. A forwarded mailbox that is compressed has five. */
const deepest = 8;

interface Place {
  readonly name: string;
  readonly depth: number;
  /** Of the archive that it is in; undefined outside of archives. */
  readonly allowance?: Allowance;
  /** Lets the program notice Ctrl-C, which rejects. */
  readonly breathe: () => Promise<void>;
}

/**
 * Finds the reports in a file, by its content: XML, gzip, ZIP, a message or a mailbox, and these in each other. A part
 * that is damaged does not prevent reading the others.
 */
export async function* findReports(
  open: () => ReportContent | Promise<ReportContent>,
  place: Place,
): AsyncGenerator<FoundInFile> {
  const { name, breathe } = place;
  await breathe();
  try {
    if (place.depth > deepest) throw new DamagedError('has archives nested too deeply');
    const { head, content } = await peek(await open());
    switch (kindOf(head)) {
      case 'xml':
        yield { kind: 'report', name, report: await readReport(head, content) };
        return;
      case 'gzip':
        return yield* inGzip(content, place);
      case 'zip':
        return yield* inZip(content, place);
      case 'mailbox':
        return yield* inMailbox(content, place);
      case 'message':
        return yield* inMessage(await wholeContent(content), place);
      case 'other':
        yield { kind: 'other', name };
    }
  } catch (error) {
    if (error instanceof OtherError) yield { kind: 'other', name };
    else yield { kind: 'damaged', name, problem: damageOf(error) };
  }
}

/** By the first bytes. */
function kindOf(head: Buffer) {
  const text = head.toString('latin1');
  if (text.startsWith('\x1f\x8b')) return 'gzip';
  if (text.startsWith('PK\x03\x04') || text.startsWith('PK\x05\x06')) return 'zip';
  if (text.startsWith('From ')) return 'mailbox';
  if (/^(?:\xef\xbb\xbf)?\s*</.test(text) || encodingOf(head).startsWith('utf-16')) return 'xml';
  return /^>?[!-9;-~]+[ \t]*:/.test(text) ? 'message' : 'other';
}

async function readReport(head: Buffer, content: ReportContent): Promise<DmarcReport> {
  const decoder = decoderFor(encodingOf(head));
  const parser = createReportParser();
  const write = (bytes: Uint8Array) => parser.write(decoder.decode(bytes, { stream: true }));
  if (Buffer.isBuffer(content)) write(content);
  else for await (const piece of content) write(piece);
  parser.write(decoder.decode());
  return parser.end();
}

async function* inGzip(content: ReportContent, place: Place): AsyncGenerator<FoundInFile> {
  const { allowance = { left: mostUnpacked }, depth } = place;
  const inside = () => unpacked(content, 'gzip', allowance);
  yield* findReports(inside, { ...place, depth: depth + 1, allowance });
}

async function* inZip(content: ReportContent, place: Place): AsyncGenerator<FoundInFile> {
  const { allowance = { left: mostUnpacked }, depth } = place;
  for await (const { name, open } of entriesOf(await wholeContent(content), allowance)) {
    const inside = `${place.name}: ${name}`;
    yield* findReports(open, { ...place, name: inside, depth: depth + 1, allowance });
  }
}

async function* inMailbox(content: ReportContent, place: Place): AsyncGenerator<FoundInFile> {
  for await (const { number, bytes: message } of messagesOf(contentPieces(content))) {
    const inside = { ...place, name: `${place.name}: message ${number}`, depth: place.depth + 1 };
    if (message === undefined) {
      yield { kind: 'damaged', name: inside.name, problem: 'is too large' };
    } else {
      yield* findReports(() => withoutSeparator(message), inside);
    }
  }
}

function withoutSeparator(message: Buffer): Buffer {
  return message.subarray(message.indexOf('\n') + 1);
}

/** The reports that a message has attached, or consists of. */
async function* inMessage(message: Buffer, place: Place): AsyncGenerator<FoundInFile> {
  const { name, depth } = place;
  const options = { attachesMessages: true, lenient: true, rare: rareCharsets };
  const { attachments } = await readMime(message, options).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new DamagedError(`cannot be read: ${why}`, { cause: error });
  });
  let isOther = true;
  for (const [index, part] of attachments.entries()) {
    const inside = `${name}: ${part.filename ?? `part ${index + 1}`}`;
    const open = () => attachmentBytes(part);
    for await (const found of findReports(open, { ...place, name: inside, depth: depth + 1 })) {
      if (found.kind === 'other') continue;
      isOther = false;
      yield found;
    }
  }
  if (isOther) yield { kind: 'other', name };
}

/** The end of a sentence about what was being read. Throws errors that are not about it. */
export function damageOf(error: unknown): string {
  if (error instanceof DamagedError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_')) return `is damaged: ${error instanceof Error ? error.message : code}`;
  if (/^E[A-Z]+$/.test(code)) return whyUnreadable(error);
  throw error;
}

/**
 * The encoding of XML (appendix F of the specification): by the byte order mark, by zero bytes, by the declaration, else
 * UTF-8. Some receivers declare UTF-16 and send UTF-8, so the bytes are believed. `head` has the first bytes.
 */
function encodingOf(head: Uint8Array): string {
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
  // With UTF-8 for an unknown one: elements are ASCII, and so is nearly all of their text.
  return attempt(() => new TextDecoder(encoding), undefined) ?? new TextDecoder();
}
