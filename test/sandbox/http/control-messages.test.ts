import { describe, expect, test } from 'vitest';
import { openSandbox } from '../../../src/sandbox/open.ts';
import { email, hour, startSandbox, temporaryDirectory } from '../harness.ts';

function withMail(...given: Parameters<typeof startSandbox>) {
  const started = startSandbox(...given);
  const get = (path: string, init: RequestInit = {}) =>
    started.sandbox.fetch(new Request(`http://sandbox.test${path}`, init));
  async function wait(query: string, init: RequestInit = {}) {
    const reply = await get(`/control/messages/wait?${query}`, init);
    return { status: reply.status, body: Object(await reply.json()) };
  }
  const send = async (more: Parameters<typeof email>[0]) =>
    (await started.ok('email.send', { body: email(more) })).emailId ?? '';
  return { ...started, get, wait, send };
}

const ana = 'ana@example.org';

describe('a wait for messages', () => {
  test('ends at once with what is there: texts, headers, attachments, links and codes', async () => {
    const { get, wait, send } = withMail();
    const id = await send({
      to: 'Ana <Ana@Example.org>',
      subject: 'Confirm your address',
      text: undefined,
      html: '<p>Your code is <b>483920</b>.</p><p><a href="https://shop.test/v?a=1&amp;b=2">Confirm <i>now</i></a></p><a href="https://shop.test/u">Unsubscribe</a>',
      headers: { 'X-Kind': 'sign-up' },
      attachments: [{ filename: 'terms.txt', content: 'aGk=' }],
    });
    const { status, body } = await wait(`to=${ana}&timeout=0`);
    expect(status).toBe(200);
    expect(body.total).toBe(1);
    const path = `/messages/${id}/attachments/0`;
    expect(body.messages).toMatchObject([
      {
        id,
        to: ['Ana <Ana@Example.org>'],
        subject: 'Confirm your address',
        createdAt: '2026-01-31T12:00:00.000Z',
        text: null,
        headers: { 'X-Kind': 'sign-up' },
        attachments: [{ filename: 'terms.txt', size: 2, path }],
        codes: [{ code: '483920', named: true }],
        links: [
          { url: 'https://shop.test/v?a=1&b=2', text: 'Confirm now', unsubscribes: false },
          { url: 'https://shop.test/u', text: 'Unsubscribe', unsubscribes: true },
        ],
      },
    ]);
    expect(await (await get(path)).text()).toBe('hi');
  });

  test('ends when a message comes, also from another process, by its exact address', async () => {
    const directory = temporaryDirectory();
    const { wait, send, clock } = withMail({ directory });
    const other = openSandbox({ directory, now: () => clock.now });
    let ended = false;
    const waiting = wait(`to=${ana}&timeout=1m`).finally(() => {
      ended = true;
    });
    await send({ to: 'nina-ana@example.org', subject: 'Not hers' });
    await send({ to: 'ana@example.org.test', subject: 'Not hers' });
    expect(ended).toBe(false);
    other.receive({
      from: 'shop@example.net',
      to: ['ana@example.org'],
      subject: 'Over SMTP',
      text: 'Hi',
      source: new TextEncoder().encode('Subject: Over SMTP\r\n\r\nHi'),
    });
    const { body } = await waiting;
    expect(body.messages).toMatchObject([{ subject: 'Over SMTP' }]);
    other.close();
  });

  test('finds an address with a plus as it is, and a domain in both spellings', async () => {
    const { wait, send } = withMail();
    await send({ to: 'ana+news@example.org', subject: 'Plus' });
    await send({ to: 'eva@xn--mnchen-3ya.example', subject: 'Punycode' });
    await send({ to: 'Eva <eva@münchen.example>', subject: 'Unicode' });
    for (const to of ['ana+news@example.org', 'ana%2Bnews@example.org', 'ana%20news@example.org']) {
      const { body } = await wait(`to=${to}&timeout=0`);
      expect(body.messages, to).toMatchObject([{ subject: 'Plus' }]);
    }
    for (const to of [
      'eva@m%C3%BCnchen.example',
      'eva@xn--mnchen-3ya.example',
      'eva@MÜNCHEN.example',
    ]) {
      const { body } = await wait(`to=${to}&timeout=0`);
      expect(body.total, to).toBe(2);
    }
    expect((await wait('to=news@example.org&timeout=0')).body.total).toBe(0);
  });

  test('that is in vain names a send that was rejected, and mail that is scheduled', async () => {
    const { wait, send, request, clock } = withMail();
    await send({ to: ana, subject: 'Later', scheduledAt: '2026-02-01T00:00:00Z' });
    const later = (await wait(`to=${ana}&timeout=0`)).body.error.message;
    expect(later).toMatch(/The newest here: "Later" to ana@example\.org \(SCHEDULED\);/);
    clock.now += 1000;
    await request('POST', '/emails', { body: email({ to: ana, from: 'a@unknown.example' }) });
    const { message } = (await wait(`to=${ana}&timeout=0`)).body.error;
    expect(message).toMatch(
      /POST \/\S+ was rejected with 400: BAD_REQUEST: Domain unknown\.example .*\.$/,
    );
    await send({ to: 'ben@example.org', subject: 'Next' });
    expect((await wait(`to=${ana}&timeout=0`)).body.error.message).not.toContain('rejected');
  });

  test('finds copies, blind copies, senders and subjects', async () => {
    const { wait, send } = withMail();
    await send({ to: 'ben@example.org', bcc: ana, subject: 'Your RECEIPT for March' });
    for (const query of [`to=${ana}`, 'subject=receipt', 'from=shop@example.com&subject=march']) {
      expect(await wait(`${query}&timeout=0`), query).toMatchObject({ status: 200 });
    }
    const other = await wait('from=shop@example.co&subject=march&timeout=0');
    expect(other).toMatchObject({ status: 404 });
  });

  test('counts messages, and shows the newest first', async () => {
    const { wait, send } = withMail();
    await send({ to: ana, subject: 'First' });
    await send({ to: ana, subject: 'Second' });
    const one = await wait(`to=${ana}&timeout=0`);
    expect(one.body).toMatchObject({ total: 2, messages: [{ subject: 'Second' }] });
    const two = await wait(`to=${ana}&count=2&timeout=0`);
    expect(two.body.messages).toMatchObject([{ subject: 'Second' }, { subject: 'First' }]);
    const { status, body } = await wait(`to=${ana}&count=3&timeout=0`);
    expect(status).toBe(404);
    expect(body.error.message).toMatch(
      /^Only 2 of 3 messages to "ana@example.org" came within 0 s/,
    );
    expect(body.messages).toHaveLength(2);
  });

  test('finds the message that has a code, or a link', async () => {
    const { wait, send } = withMail();
    await send({
      to: ana,
      subject: 'Sign-up',
      text: 'Your code: 483920 https://shop.test/confirm/1',
    });
    await send({ to: ana, subject: 'Welcome', text: 'Hello. https://shop.test/help' });
    for (const query of ['code=true', 'link=/CONFIRM/']) {
      const { body } = await wait(`to=${ana}&${query}&timeout=0`);
      expect(body.messages, query).toMatchObject([{ subject: 'Sign-up', code: '483920' }]);
    }
    await send({ to: ana, subject: 'Two', text: 'Your code: 483921. Your code: 483922.' });
    const { body } = await wait(`to=${ana}&code=true&timeout=0`);
    expect(body.messages).toMatchObject([{ subject: 'Two', code: null }]);
    const { status, body: none } = await wait(`to=${ana}&link=nowhere&timeout=0`);
    expect(status).toBe(404);
    expect(none.error.message).toContain('with a link that has "nowhere"');
  });

  test('leaves out what was sent before: by a time of its clock, or after a message', async () => {
    const { wait, send, advance } = withMail();
    const first = await send({ to: ana, subject: 'First' });
    expect(await wait(`to=${ana}&since=${first}&timeout=0`)).toMatchObject({ status: 404 });
    advance(hour);
    await send({ to: ana, subject: 'Second' });
    for (const since of [first, '2026-01-31T12:30:00Z', '2026-01-31T12:30:00%2B00:00']) {
      const { body } = await wait(`to=${ana}&since=${since}&timeout=0`);
      expect(body, since).toMatchObject({ total: 1, messages: [{ subject: 'Second' }] });
    }
  });

  test('does not find mail that is scheduled until it is sent', async () => {
    const { wait, send, advance, request } = withMail();
    await send({ to: ana, subject: 'Later', scheduledAt: '2026-01-31T13:00:00Z' });
    expect(await wait(`to=${ana}&timeout=0`)).toMatchObject({ status: 404 });
    const between = await send({ to: ana, subject: 'Between' });
    const waiting = wait(`to=${ana}&since=${between}&timeout=1m`);
    advance(2 * hour);
    await request('GET', '/domains');
    expect((await waiting).body.messages).toMatchObject([{ subject: 'Later' }]);
  });

  test('says what came instead', async () => {
    const { wait, send } = withMail();
    await send({ to: 'ben@example.org', subject: 'For Ben' });
    const { status, body } = await wait(`to=${ana}&subject=code&timeout=10ms`);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: 'NOT_FOUND' });
    expect(body.error.message).toMatch(
      /^No message to "ana@example.org" with "code" in its subject came within 0.01 s. The newest here: "For Ben" to ben@example.org; /,
    );
  });

  test('with a count of 0, sees that nothing comes', async () => {
    const { wait, send } = withMail();
    expect(await wait(`to=${ana}&count=0&timeout=10ms`)).toEqual({
      status: 200,
      body: { messages: [], total: 0 },
    });
    const waiting = wait(`to=${ana}&count=0&timeout=1m`);
    await send({ to: ana, subject: 'There' });
    const { status, body } = await waiting;
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'CONFLICT' }, messages: [{ subject: 'There' }] });
  });

  test('ends when its client has gone', async () => {
    const { wait } = withMail();
    const controller = new AbortController();
    const waiting = wait(`to=${ana}&timeout=10m`, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await waiting).toMatchObject({ status: 404 });
  });

  test.each([
    ['too=x', 'The query may have to, from, subject, since, code, link, count, timeout.'],
    ['to=a@b&to=c@d', 'to is given twice.'],
    ['to=ana', 'to is an address, such as ana@example.org.'],
    ['count=-1', 'count is a whole number from 0 to 100.'],
    ['count=x', 'count is a whole number from 0 to 100.'],
    ['count=', 'count is a whole number from 0 to 100.'],
    ['timeout=1d', 'timeout is a duration of at most 10m, such as 500ms, 10s or 1m.'],
    ['since=yesterday&timeout=0', 'There is no message "yesterday". since is a time such as'],
  ])('rejects %s', async (query, message) => {
    const { wait } = withMail();
    const { status, body } = await wait(query);
    expect(status).toBe(400);
    expect(body.error.message).toContain(message);
  });
});

test('three hundred waits end with the one message that they wait for', async () => {
  const { wait, send } = withMail();
  const waits = Array.from({ length: 300 }, () => wait(`to=${ana}&timeout=1m`));
  await send({ to: ana, subject: 'All at once' });
  const statuses = new Set((await Promise.all(waits)).map(({ status }) => status));
  expect([...statuses]).toEqual([200]);
});

test('/healthz answers without a key', async () => {
  const reply = await withMail().get('/healthz');
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({ status: 'ok' });
});
