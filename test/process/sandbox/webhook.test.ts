import { UseSend } from 'usesend-js';
import { expect, test } from 'vitest';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { serveSandbox } from '../../support/served.ts';

const secret = 'whsec_0123456789abcdef';

test('sandbox start --webhook sends calls, and a clock that is advanced passes the retries', async () => {
  const failing = Array<Answer>(6).fill({ status: 503 });
  const handler = await startRecorder(...failing, {});
  const place = createPlace({ MAILER_WEBHOOK_SECRET: secret });
  const served = await serveSandbox(
    place,
    [
      ...['--port', '0', '--empty', '--seed', '-'],
      ...['--webhook', handler.url, '--webhook-events', 'contact.created'],
    ],
    { input: JSON.stringify({ books: [{ id: 'book_a', name: 'A' }] }) },
  );
  const add = ['contact', 'add', '--book', 'book_a', '--email', 'ana@example.org'];
  const { exitCode, stderr } = await place.run(add, { env: served.env });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  const advance = { method: 'POST', body: '{"by": "10m"}' };
  const headers = { 'content-type': 'application/json' };
  const advanced = await fetch(`${served.url}/control/advance`, { ...advance, headers });
  expect(advanced.status).toBe(200);
  expect(handler.requests).toHaveLength(6);
  const client = new UseSend('us_key_example').webhooks(secret);
  const attempts = handler.requests.map(({ body, headers }) => {
    const sent = { headers: headers as Record<string, string> };
    const event: unknown = client.constructEvent(body, sent);
    return (event as { attempt: number }).attempt;
  });
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
});
