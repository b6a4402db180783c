import { expect, test } from 'vitest';
import { startRecorder } from '../../support/recorder.ts';
import { startSandbox } from '../harness.ts';

/** A sandbox, and requests to its endpoints of webhooks. */
function withControl() {
  const { sandbox } = startSandbox();
  const control = async (method: string, path = '', body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const url = `http://sandbox.test/control/webhooks${path}`;
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const reply = await sandbox.fetch(new Request(url, init));
    return { status: reply.status, body: (await reply.json()) as { webhooks: { id: string }[] } };
  };
  return { sandbox, control };
}

test('an endpoint is added, gets calls, and is removed', async () => {
  const handler = await startRecorder({ status: 202, body: 'thanks' });
  const { sandbox, control } = withControl();
  const added = await control('POST', '', { url: handler.url, events: ['domain.created'] });
  expect(added).toMatchObject({ status: 200, body: { webhooks: [{ temporary: true }] } });
  expect(JSON.stringify(added)).not.toContain('whsec');
  await sandbox.fetch(
    new Request('http://sandbox.test/api/v1/domains', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${sandbox.apiKey}`,
      },
      body: JSON.stringify({ name: 'new.example.net', region: 'us-east-1' }),
    }),
  );
  await sandbox.callWebhooks().settled();
  expect((await control('GET')).body).toMatchObject({
    calls: [{ type: 'domain.created', status: 202, response: 'thanks', delivered: true }],
  });
  const [{ id } = { id: '' }] = added.body.webhooks;
  expect(await control('DELETE', `/${id}`)).toMatchObject({ status: 200, body: { webhooks: [] } });
  expect((await control('DELETE', `/${id}`)).status).toBe(404);
});

test.each([
  { url: 'https://example.com/hook' },
  { url: 'ftp://localhost' },
  { url: 'http://user:pass@localhost:1' },
  { url: 'http://127.0.0.1.example.com' },
  { url: 'http://localhost:1', events: ['email.read'] },
  { url: 'http://localhost:1', secret: 'a b' },
])('%j is an error', async (body) => {
  expect((await withControl().control('POST', '', body)).status).toBe(400);
});
