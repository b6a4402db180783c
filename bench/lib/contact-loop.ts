// The baseline for `contact import`: a loop that reads the CSV file and calls the published client with
// 1,000 contacts at a time. It keeps no journal, and checks whether contacts have arrived only if its
// third argument is `read`.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { UseSend } from 'usesend-js';
import { apiKey } from './api-key.ts';
import { bookId } from './contact-server.ts';

const [path = '', baseUrl = '', reads] = process.argv.slice(2);
/** Addresses that fit into a URL of 8,000 characters: as many as the program looks up at once. */
const perRead = 250;
const client = new UseSend(apiKey, baseUrl);

interface Contact {
  readonly email: string;
  readonly firstName: string;
  readonly properties: Record<string, string>;
}

let contacts: Contact[] = [];
const addresses: string[] = [];
let sent = 0;

async function send(): Promise<void> {
  const { error } = await client.contacts.bulkCreate(bookId, contacts);
  if (error !== null) throw new Error(error.message);
  sent += contacts.length;
  contacts = [];
}

for await (const row of createReadStream(path).pipe(parse({ columns: true }))) {
  const { to: email, name: firstName, ...properties } = row;
  contacts.push({ email, firstName, properties });
  if (reads !== undefined) addresses.push(email);
  if (contacts.length === 1000) await send();
}
if (contacts.length > 0) await send();
for (let start = 0; start < addresses.length; start += perRead) {
  const asked = addresses.slice(start, start + perRead);
  const query = new URLSearchParams({ emails: asked.join(',') });
  const response = await fetch(`${baseUrl}/api/v1/contactBooks/${bookId}/contacts?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const found: unknown = await response.json();
  if (!Array.isArray(found) || found.length !== asked.length) throw new Error('Some are missing');
}
process.stdout.write(`${sent}\n`);
