import PostalMime, { type Attachment, decodeWords, type Email } from 'postal-mime';
import { Base64Decoder } from './base64.ts';
import { type DecodedText, type Decoding, decodeText } from './charset.ts';
import { unwrapFlowed } from './flowed.ts';
import { charsetOfMessage, decodeHeader } from './headers.ts';

export interface MimeOptions extends Decoding {
  /** Whether a message within the message is an attachment instead of a part of the text. */
  readonly attachesMessages?: boolean;
}

/** A message, and how well it could be read. Each finding is a sentence without its full stop. */
export interface ReadMessage extends Email {
  /** What nothing in the message says: `the text part was read as windows-1252`. */
  readonly assumed: readonly string[];
  /** What is damaged: `the text part is declared as utf-8, but has bytes that are not`. */
  readonly problems: readonly string[];
  /** The attachments that are the text in another form than plain text and HTML, such as `text/enriched`. */
  readonly versions: readonly Attachment[];
  /** The URLs under which the HTML may show attachments (Content-Location). */
  readonly locations: ReadonlyMap<Attachment, string>;
  /** The headers of parts that occur twice with different values. */
  readonly ambiguous: readonly string[];
}

/** Limits for one message: levels of nested parts, and bytes of headers. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024 };

/** How many messages may be within each other; those in the last one are attachments. */
const mostMessages = 10;

/** More lines than the largest message with attachments has. Each line costs time and memory. */
const mostLines = 500_000;

/**
 * Reads a message (RFC 5322, MIME). `attachmentBytes` has the bytes of an attachment. Rejects if parts are nested too deeply,
 * headers are too long, or there are too many lines.
 */
export async function readMime(
  source: Uint8Array,
  options: MimeOptions = {},
): Promise<ReadMessage> {
  if (hasMoreLines(source, mostLines)) throw new Error(`it has more than ${mostLines} lines`);
  return await new Reader(source, options).read();
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
  readonly currentNode: Part;
  readonly root: Part;
  readLine(): Line;
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  collectNode(part: Part, alternative: Part | false, related: boolean): Promise<void>;
  isInlineTextNode(part: Part): boolean;
  addTextEntry(part: Part, type: 'plain' | 'html', entry: TextEntry): void;
  readonly attachments: Attachment[];
  readonly textMap: Map<Part, unknown>;
}

interface TextEntry {
  readonly type: 'subMessage';
  readonly value: Email;
}

interface Structured {
  readonly value: string;
  readonly params: Readonly<Partial<Record<string, string>>>;
}

interface Part {
  readonly state: 'header' | 'body' | 'finished';
  readonly parentNode?: Part;
  readonly childNodes: readonly Part[];
  readonly headers: Email['headers'];
  readonly contentType: { readonly parsed: Structured; readonly multipart: string | false };
  readonly contentDisposition: { readonly parsed: Structured };
  readonly contentTransferEncoding: { readonly value: string; readonly encoding: string };
  readonly content: ArrayBuffer | null;
  contentDecoder: unknown;
  getTextContent(): string;
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
 * A parser that decodes characters itself, and names what it cannot decode. It also reads the lines of a body in
 * blocks: each line would cost an object of its own, and a large text ten times the memory and time. A line that
 * may be a boundary stays a line, and so do those of quoted-printable, where `=` before a line break has a meaning.
 */
class Reader extends PostalMime {
  readonly #source: Uint8Array;
  readonly #options: MimeOptions;
  readonly #charset: string | undefined;
  /** In how many messages this message is. */
  readonly #depth: number;
  readonly #bodies = new Map<Part, Base64Decoder>();
  readonly #assumed = new Set<string>();
  readonly #problems = new Set<string>();
  readonly #versions: Attachment[] = [];
  readonly #locations = new Map<Attachment, string>();
  /** The parts of the whole message that are files, although a text might be read from them. */
  #files: ReadonlySet<Part> | undefined;
  readonly #ambiguous = new Set<string>();

  constructor(source: Uint8Array, options: MimeOptions, depth = 0) {
    super({ ...limits, forceRfc822Attachments: options.attachesMessages === true });
    this.#source = source;
    this.#options = options;
    this.#charset = charsetOfMessage(source);
    this.#depth = depth;
  }

  async read(): Promise<ReadMessage> {
    const email = await this.parse(this.#source);
    return {
      ...email,
      assumed: [...this.#assumed],
      problems: [...this.#problems],
      versions: this.#versions,
      locations: this.#locations,
      ambiguous: [...this.#ambiguous],
    };
  }

  readLine(): Line {
    const parser = internalsOf(this);
    const { av, readPos: start, currentNode } = parser;
    const { state, contentTransferEncoding } = currentNode;
    if (state === 'header') return wholeHeader(parser);
    const isBlock = state === 'body' && contentTransferEncoding.encoding !== 'quoted-printable';
    if (!isBlock || mayBeBoundary(av, start)) return inherited.readLine.call(parser);
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

  async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    const parser = internalsOf(this);
    const part = parser.currentNode;
    let known = line;
    if (part.state === 'header' && line.length > 0 && !mayBeBoundary(line, 0)) {
      const { line: utf8, ...rest } = await decodeHeader(line, this.#charset, this.#options);
      known = utf8;
      const [name = ''] = Buffer.from(utf8).toString().split(':', 1);
      this.#note(`the header ${name.trim()}`, rest);
    } else if (isBase64(part) && !this.#bodies.has(part)) {
      const decoder = new Base64Decoder();
      part.contentDecoder = decoder;
      this.#bodies.set(part, decoder);
    }
    await inherited.processLine.call(parser, known, isFinal);
  }

  async collectNode(part: Part, alternative: Part | false, related: boolean): Promise<void> {
    const parser = internalsOf(this);
    this.#noteRepeated(part);
    if (part.contentType.multipart === false) await this.#decode(part);
    await inherited.collectNode.call(parser, part, alternative, related);
    if (part.contentType.multipart !== false) return;
    const last = parser.attachments.at(-1);
    if (last === undefined) return;
    if (isVersion(part)) this.#versions.push(last);
    const location = part.headers.find(({ key }) => key === 'content-location')?.value.trim();
    if (location && !this.#locations.has(last)) this.#locations.set(last, location);
  }

  isInlineTextNode(part: Part): boolean {
    return inherited.isInlineTextNode.call(this, part) && !this.#isFile(part);
  }

  #isFile(part: Part): boolean {
    this.#files ??= filesAmong(leavesOf(internalsOf(this).root));
    return this.#files.has(part);
  }

  /** A message within the message, as the parser shows it, but decoded like this one. */
  async collectSubMessage(part: Part): Promise<void> {
    const parser = internalsOf(this);
    const depth = this.#depth + 1;
    const source = new Uint8Array(part.content ?? new ArrayBuffer(0));
    const options = { ...this.#options, attachesMessages: depth === mostMessages };
    const reader = new Reader(source, options, depth);
    const { assumed, problems, ...email } = await reader.read();
    for (const one of assumed) this.#assumed.add(`in the message in it, ${one}`);
    for (const one of problems) this.#problems.add(`in the message in it, ${one}`);
    const { text, html } = email;
    const entry = { type: 'subMessage', value: email } as const;
    if (text || !html) parser.addTextEntry(part, 'plain', entry);
    if (html) parser.addTextEntry(part, 'html', entry);
    for (const [one, entries] of internalsOf(reader).textMap) parser.textMap.set(one, entries);
    parser.attachments.push(...email.attachments);
  }

  async #decode(part: Part): Promise<void> {
    const { contentType, contentDisposition, content, contentTransferEncoding } = part;
    const { value: type, params } = contentType.parsed;
    const name = nameOf(part);
    const { encoding } = contentTransferEncoding;
    if (this.#bodies.get(part)?.hasOther === true) {
      this.#problems.add(`${name} has something else in its base64, such as a footer`);
      return;
    }
    if (!knownEncodings.has(encoding)) {
      this.#problems.add(`${name} has the unknown encoding ${encoding}`);
    }
    const isText = /^text\/(?:plain|html|calendar)$|^application\/ics$/.test(type);
    const isFile = contentDisposition.parsed.value === 'attachment' && !/calendar|ics/.test(type);
    if (!isText || isFile || this.#isFile(part) || content === null) return;
    const { text, ...rest } = await decodeText(
      {
        bytes: new Uint8Array(content),
        declared: params.charset,
        isHtml: type === 'text/html',
      },
      this.#options,
    );
    this.#note(name, rest);
    const isFlowed = /^flowed$/i.test(params.format ?? '') && type === 'text/plain';
    const delSp = /^yes$/i.test(params.delsp ?? '');
    const unwrapped = isFlowed ? unwrapFlowed(text, { delSp }) : text;
    part.getTextContent = () => unwrapped;
  }

  #note(name: string, { assumed, problem }: Pick<DecodedText, 'assumed' | 'problem'>): void {
    if (problem !== undefined) this.#problems.add(`${name} ${problem}`);
    else if (assumed !== undefined) this.#assumed.add(`${name} ${assumed}`);
  }

  /** The parser reads the first of several headers. Another program may read the last one. */
  #noteRepeated({ headers }: Part): void {
    const values = new Map<string, string>();
    for (const { key, originalKey, value } of headers) {
      if (!decisive.has(key)) continue;
      const before = values.get(key);
      values.set(key, before ?? value);
      if (before !== undefined && before !== value) this.#ambiguous.add(originalKey);
    }
  }
}

/** Headers that a message or a part has once. */
const decisive = new Set(['from', 'subject', 'content-type', 'content-transfer-encoding']);

const knownEncodings = new Set(['', '7bit', '8bit', 'binary', 'quoted-printable', 'base64']);

const inherited = internalsOf(PostalMime.prototype);

/** These fields and methods exist; the version is pinned, and tests compare what both ways read. */
function internalsOf(parser: PostalMime): Internals {
  // The types hide them.
  return parser as unknown as Internals;
}

function isBase64({ state, contentType, contentTransferEncoding }: Part): boolean {
  const { encoding } = contentTransferEncoding;
  return state === 'body' && contentType.multipart === false && encoding === 'base64';
}

function leavesOf(part: Part): readonly Part[] {
  return part.contentType.multipart === false ? [part] : part.childNodes.flatMap(leavesOf);
}

/**
 * The parts with a name beside the text, which mail programs show as files even if they are said to be inline. What comes
 * first is the text if nothing else is.
 */
function filesAmong(leaves: readonly Part[]): ReadonlySet<Part> {
  const texts = leaves.filter(
    ({ contentType, contentDisposition }) =>
      /^text\/(?:plain|html)$/.test(contentType.parsed.value) &&
      contentDisposition.parsed.value !== 'attachment',
  );
  const isFile = (part: Part) => {
    const around = part.parentNode?.contentType.multipart ?? 'alternative';
    const isRoot = around === 'related' && part.parentNode?.childNodes[0] === part;
    return nameIn(part) !== undefined && around !== 'alternative' && !isRoot;
  };
  const files = texts.filter(isFile);
  const isAlone = files.length === texts.length && files[0] === leaves[0];
  return new Set(isAlone ? files.slice(1) : files);
}

function nameIn({ contentType, contentDisposition }: Part): string | undefined {
  return contentDisposition.parsed.params.filename ?? contentType.parsed.params.name;
}

/** Whether a part is the text of the message in a form that no request has, such as `text/enriched`. */
function isVersion(part: Part): boolean {
  const { contentType, contentDisposition, parentNode } = part;
  const { value } = contentType.parsed;
  if (nameIn(part) !== undefined || contentDisposition.parsed.value === 'attachment') return false;
  if (/^text\/(?:plain|html|calendar|x-amp-html)$|^application\/ics$/.test(value)) return false;
  return /^text\//.test(value)
    ? parentNode === undefined || parentNode.contentType.multipart === 'alternative'
    : parentNode?.contentType.multipart === 'alternative' && !/^(?:image|multipart)\//.test(value);
}

function nameOf(part: Part): string {
  const { value } = part.contentType.parsed;
  const name = nameIn(part);
  if (name !== undefined) return `the attachment ${decodeWords(name)}`;
  if (value === 'text/plain') return 'the text part';
  return value === 'text/html' ? 'the HTML part' : `the part ${value}`;
}

/** A header with the lines that continue it, joined as the parser joins them. */
function wholeHeader(parser: Internals): Line {
  const { av } = parser;
  const lines: Uint8Array[] = [];
  let line: Line;
  do {
    line = inherited.readLine.call(parser);
    lines.push(line.bytes);
  } while (!line.done && line.bytes.length > 0 && isBlank(av[parser.readPos]));
  return { bytes: Buffer.concat(lines), done: line.done };
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

function mayBeBoundary(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === dash && bytes[at + 1] === dash;
}

function hasMoreLines(bytes: Uint8Array, most: number): boolean {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && lines <= most; at = bytes.indexOf(10, at + 1))
    lines++;
  return lines > most;
}
