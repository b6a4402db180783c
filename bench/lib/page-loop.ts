// The baseline for `email list --all --jsonl`: the same pages, fetched one after the other with the same
// library, and written as lines of JSON without further processing.
import { once } from 'node:events';
import { request } from 'undici';

interface Page {
  readonly data: readonly unknown[];
  readonly count: number;
}

const [baseUrl] = process.argv.slice(2);
for (let page = 1, received = 0, count = 1; received < count; page++) {
  const { body } = await request(`${baseUrl}/v1/emails?page=${page}&limit=50`);
  // The bench's server only returns pages.
  const reply = (await body.json()) as Page;
  const lines = reply.data.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
  received += reply.data.length;
  count = reply.count;
}
