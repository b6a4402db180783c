// A loop that sends one email at a time with the published client, as the simplest scripts do.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { UseSend } from 'usesend-js';
import { apiKey } from './api-key.ts';
import { letterWriter } from './letter.ts';

const [path = '', baseUrl = ''] = process.argv.slice(2);
const client = new UseSend(apiKey, baseUrl);
const letter = letterWriter();
let sent = 0;
for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
  const { error } = await client.emails.send(letter(row));
  if (error !== null) throw new Error(error.message);
  sent++;
}
process.stdout.write(`${sent}\n`);
