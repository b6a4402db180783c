// The limit: the same library sends prepared bodies and does nothing else. They are in a file, one per
// line, which is read whole before the first is sent.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { apiKey } from './api-key.ts';

const [path = '', baseUrl = '', concurrency = '8'] = process.argv.slice(2);
const bodies = lines(readFileSync(path));
const dispatcher = new Agent();
let sent = 0;
let next = 0;

async function worker(): Promise<void> {
  for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
    const reply = await request(`${baseUrl}/v1/emails/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
      dispatcher,
    });
    // The bench's server returns nothing else.
    const { data } = (await reply.body.json()) as { readonly data: readonly unknown[] };
    sent += data.length;
  }
}

function lines(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    found.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return found;
}

await Promise.all(Array.from({ length: Number(concurrency) }, worker));
process.stdout.write(`${sent}\n`);
