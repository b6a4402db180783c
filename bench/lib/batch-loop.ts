// The baseline for `email batch`: a loop that reads the CSV file, renders the letter and calls the
// published client, with the same concurrency and no journal.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { UseSend } from 'usesend-js';
import { apiKey } from './api-key.ts';
import { letterWriter } from './letter.ts';

const [path = '', baseUrl = '', concurrency = '8'] = process.argv.slice(2);
const client = new UseSend(apiKey, baseUrl);
const letter = letterWriter();
const underWay = new Set<Promise<void>>();
let emails: ReturnType<typeof letter>[] = [];
let sent = 0;

async function send(batch: typeof emails): Promise<void> {
  const { data, error } = await client.emails.batch(batch);
  if (error !== null) throw new Error(error.message);
  sent += data?.length ?? 0;
}

async function begin(batch: typeof emails): Promise<void> {
  if (underWay.size >= Number(concurrency)) await Promise.race(underWay);
  const request = send(batch).finally(() => underWay.delete(request));
  underWay.add(request);
}

for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
  emails.push(letter(row));
  if (emails.length < 100) continue;
  await begin(emails);
  emails = [];
}
if (emails.length > 0) await begin(emails);
await Promise.all(underWay);
process.stdout.write(`${sent}\n`);
