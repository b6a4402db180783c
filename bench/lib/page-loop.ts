// What `email list --all --jsonl` has to be compared with: the same pages, fetched with the same
// library one after the other, and written as lines of JSON, with nothing else done to them.
import { once } from 'node:events';
import { request } from 'undici';

interface Page {
  readonly data: readonly unknown[];
  readonly count: number;
}

const [baseUrl] = process.argv.slice(2);
for (let page = 1, received = 0, count = 1; received < count; page++) {
  const { body } = await request(`${baseUrl}/v1/emails?page=${page}&limit=50`);
  // The server of the bench makes no others.
  const reply = (await body.json()) as Page;
  const lines = reply.data.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
  received += reply.data.length;
  count = reply.count;
}
