// A loop over the published client's call for one email, as the simplest scripts have it.
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
