/**
 * A process of its own, for `processes.test.ts`: opens the sandbox in the directory given first
 * and sends as many emails as given second, one by one under the key `<name>-<index>` where the
 * name is given third, and writes each id on a line of its own as soon as it is acknowledged.
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
