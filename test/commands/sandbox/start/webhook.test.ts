import { UseSend } from 'usesend-js';
import { expect, test } from 'vitest';
import { type Answer, startRecorder } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';
import { serveIn } from '../../../support/serving.ts';

const secret = 'whsec_0123456789abcdef';

test('--webhook sends calls, and a clock that is advanced passes the retries', async () => {
  const failing = Array<Answer>(6).fill({ status: 503 });
  const handler = await startRecorder(...failing, {});
  const world = createWorld({ MAILER_WEBHOOK_SECRET: secret });
  const { env, url } = await serveIn(
    world,
    ['--empty', '--seed', '-', '--webhook', handler.url, '--webhook-events', 'contact.created'],
    { stdin: JSON.stringify({ books: [{ id: 'book_a', name: 'A' }] }) },
  );
  const add = 'contact add --book book_a --email ana@example.org';
  expect(await world.run(add, { env })).toMatchObject({ exitCode: 0 });
  const advance = { method: 'POST', body: '{"by": "10m"}' };
  const headers = { 'content-type': 'application/json' };
  const advanced = await fetch(`${url}/control/advance`, { ...advance, headers });
  expect(advanced.status).toBe(200);
  expect(handler.requests).toHaveLength(6);
  // The client compares the time of each call with its own clock.
  const tolerance = { tolerance: Number.MAX_SAFE_INTEGER };
  const client = new UseSend('us_key_example').webhooks(secret);
  const attempts = handler.requests.map(({ body, headers }) => {
    const sent = { headers: headers as Record<string, string> };
    return Object(client.constructEvent(body, { ...sent, ...tolerance })).attempt;
  });
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
});
