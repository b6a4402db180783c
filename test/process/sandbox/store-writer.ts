/**
 * A process for `processes.test.ts`, with the arguments directory, count and, optionally, name. It
 * opens the sandbox in the directory and sends that many emails one by one, with the key
 * `<name>-<index>`. It prints each response on its own line as soon as it arrives.
 */
import { writeSync } from 'node:fs';
import { openSandbox } from '../../../src/sandbox/open.ts';

const [directory = '', count = '0', name = ''] = process.argv.slice(2);
const sandbox = openSandbox({ directory, now: Date.now });
for (let index = 0; index < Number(count); index++) {
  const response = await sandbox.fetch(
    new Request('http://sandbox.test/api/v1/emails', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${sandbox.apiKey}`,
        'Idempotency-Key': `${name}-${index}`,
      },
      body: JSON.stringify({
        to: 'delivered@example.com',
        from: 'shop@example.com',
        subject: `${name}-${index}`,
        text: 'Hi',
      }),
    }),
  );
  writeSync(1, `${response.status} ${await response.text()}\n`);
}
sandbox.close();
