// The baseline for `dmarc report`: only unpacks the files of a directory and parses their XML, without looking at it.
// Not in TypeScript, whose types Node would have to strip first.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { parseDocument } from 'htmlparser2';
import { fromBufferPromise } from 'yauzl';

const [directory] = process.argv.slice(2);
let reports = 0;
for (const name of readdirSync(directory)) {
  const packed = readFileSync(join(directory, name));
  const bytes = name.endsWith('.zip') ? await fromZip(packed) : gunzipSync(packed);
  reports += parseDocument(bytes.toString(), { xmlMode: true }).children.length;
}
process.stdout.write(`${reports}\n`);

async function fromZip(archive) {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const { value: entry } = await zip.eachEntry().next();
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return inflateRawSync(archive.subarray(fileDataStart, fileDataStart + entry.compressedSize));
}
