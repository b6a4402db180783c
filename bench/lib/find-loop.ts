// The baselines for `email list --subject` and `email export`: the same requests, one after the other, without further
// processing.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { request } from 'undici';

interface Row {
  readonly id: string;
  readonly subject: string;
}

const [baseUrl, subject, output] = process.argv.slice(2);
const file = output === undefined ? process.stdout : createWriteStream(output);

async function get<Reply>(path: string): Promise<Reply> {
  const { body } = await request(`${baseUrl}/v1/emails${path}`);
  // The bench's server only returns what is asked for.
  return (await body.json()) as Reply;
}

for (let page = 1, received = 0, count = 1; received < count; page++) {
  const reply = await get<{ data: readonly Row[]; count: number }>(`?page=${page}&limit=50`);
  const rows: unknown[] = reply.data.filter((row) => row.subject.includes(subject ?? ''));
  if (output !== undefined) {
    for (const [index, { id }] of reply.data.entries()) rows[index] = await get(`/${id}`);
  }
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (lines !== '' && !file.write(lines)) await once(file, 'drain');
  received += reply.data.length;
  count = reply.count;
}
if (output !== undefined) process.stdout.write(`${output}\n`);
