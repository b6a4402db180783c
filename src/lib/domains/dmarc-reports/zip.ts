import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type Allowance, assertLeft, type Bytes, type ReportContent, take } from './bytes.ts';
import { DamagedError } from './report.ts';
import { unpacked } from './unpack.ts';

/** The most files in one archive. */
const mostEntries = 10_000;
const stored = 0;
const deflated = 8;

/** A file in an archive. */
export interface ZipEntry {
  /** As the archive has it, which need not be a valid path. */
  readonly name: string;
  open(): Promise<ReportContent>;
}

/**
 * The files of a ZIP archive, one after the other. Throws a `DamagedError` if the archive is damaged; opening or reading
 * a file throws one, or an error of zlib, if only that is.
 */
export async function* entriesOf(archive: Buffer, allowance: Allowance): AsyncGenerator<ZipEntry> {
  // Names are not checked, because nothing is written under them.
  const options = { lazyEntries: true, decodeStrings: false };
  const zip = await damagedIfFails(fromBufferPromise(archive, options));
  if (zip.entryCount > mostEntries) {
    throw new DamagedError(`has ${zip.entryCount} files, more than ${mostEntries}`);
  }
  const entries = zip.eachEntry();
  for (;;) {
    // Files that share their bytes could be unpacked thousands of times.
    assertLeft(allowance);
    const { value: entry, done } = await damagedIfFails(entries.next());
    if (done === true) return;
    const name = entry.fileNameRaw.toString('utf8');
    if (!name.endsWith('/')) yield { name, open: () => contentOf(archive, zip, entry, allowance) };
  }
}

/** Not by yauzl's streams: for small files, streams take many times longer. */
async function contentOf(
  archive: Buffer,
  zip: ZipFile,
  entry: Entry,
  allowance: Allowance,
): Promise<ReportContent> {
  if (entry.isEncrypted()) throw new DamagedError('is encrypted');
  const header = zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const { fileDataStart: start } = await damagedIfFails(header);
  const data = archive.subarray(start, start + entry.compressedSize);
  if (entry.compressionMethod === stored) {
    take(data.length, allowance);
    return checked(data, entry);
  }
  if (entry.compressionMethod !== deflated)
    throw new DamagedError('uses a compression method that is not supported');
  return checked(unpacked(data, 'deflate', allowance), entry);
}

/** The same content; throws a `DamagedError` if the checksum is wrong. */
function checked(content: ReportContent, entry: Entry): ReportContent {
  if (!Buffer.isBuffer(content)) return checkedAtEnd(content, entry);
  assertSum(crc32(content), entry);
  return content;
}

async function* checkedAtEnd(content: Bytes, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const piece of content) {
    sum = crc32(piece, sum);
    yield piece;
  }
  assertSum(sum, entry);
}

function assertSum(sum: number, entry: Entry): void {
  if (sum !== entry.crc32) throw new DamagedError('is damaged: its checksum is wrong');
}

/** All errors of the archive's reader are about its bytes, which are in memory. */
async function damagedIfFails<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DamagedError(`is damaged: ${why}`, { cause: error });
  }
}
