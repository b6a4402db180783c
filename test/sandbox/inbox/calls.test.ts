import { expect, test } from 'vitest';
import type { NewWebhook } from '../../../src/sandbox/model/webhooks.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { email, startSandbox } from '../harness.ts';
import { rowsOf, see } from './pages.ts';

const secret = 'whsec_0123456789abcdef';

/** A sandbox with one handler, which responds as told, then with 200. */
async function withHandler(...answers: Answer[]) {
  const handler = await startRecorder(...answers, ...Array<Answer>(50).fill({}));
  const own = startSandbox({
    fresh: { empty: true, seeds: { domains: [{ name: 'example.com' }] } },
  });
  const webhook: NewWebhook = {
    ...{ url: handler.url, secret, events: ['email.sent'], temporary: false },
  };
  own.sandbox.addWebhook(webhook);
  const deliverer = own.sandbox.callWebhooks();
  return {
    ...own,
    handler,
    async sendOne() {
      await own.ok('email.send', { body: email() });
      own.advance(1000);
      own.sandbox.catchUp();
      await deliverer.settled();
    },
    async post(path: string) {
      const init = { method: 'POST', headers: { Origin: 'http://sandbox.test' } };
      const reply = await own.sandbox.fetch(new Request(`http://sandbox.test${path}`, init));
      await deliverer.settled();
      return { status: reply.status, location: reply.headers.get('Location') };
    },
  };
}

/** The path of the newest call. */
async function newest(own: Awaited<ReturnType<typeof withHandler>>): Promise<string> {
  return /href="(\/calls\/call_\w+)"/.exec((await see(own, '/calls')).html)?.[1] ?? '';
}

test('the list says how to add a handler, and then what came of each call', async () => {
  expect((await see(startSandbox(), '/calls')).text).toContain(
    'There is no handler. To add one: mailer sandbox webhook add localhost:3000/webhooks',
  );
  const own = await withHandler({ status: 500, body: 'No' });
  expect((await see(own, '/calls')).text).toContain('No calls yet');
  await own.sendOne();
  await own.sendOne();
  expect(rowsOf(await see(own, '/calls'), 'Calls')).toEqual([
    ['email.sent', 'delivered, 200', '1', own.handler.url, 'now'],
    ['email.sent', '500, is repeated', '1', own.handler.url, expect.any(String)],
  ]);
});

test('a call has its attempts, what was answered, and the request as it was sent', async () => {
  const own = await withHandler({ status: 500, body: '<script>alert(1)</script>' });
  await own.sendOne();
  const path = await newest(own);
  const { text, html } = await see(own, path);
  expect(text).toContain('Attempt 1 500');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain(secret);
  const [request] = own.handler.requests;
  expect(html).toContain(request?.headers['x-usesend-signature']);
  expect(html).toContain(request?.headers['x-usesend-timestamp']);
  expect(text).toContain('The next attempt is due');
});

test('a call can be repeated, also when its handler was switched off', async () => {
  const own = await withHandler({ status: 500 });
  await own.sendOne();
  const path = await newest(own);
  expect(await own.post(`${path}/repeat`)).toEqual({ status: 303, location: path });
  const page = await see(own, path);
  expect(page.text).toContain('delivered, 200');
  expect(page.text).toMatch(/Attempt 1 500[\s\S]*Attempt 2 200/);
  expect(own.handler.requests.map(({ headers }) => headers['x-usesend-retry'])).toEqual([
    'false',
    'true',
  ]);
  expect(await own.post('/calls/nothing/repeat')).toMatchObject({ status: 404 });
  expect((await see(own, '/calls/nothing')).text).toContain('Calls are deleted with their handler');
});
