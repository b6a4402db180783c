import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { campaign, email, startSandbox, type TestSandbox } from '../harness.ts';
import { see } from '../inbox/pages.ts';

/**
 * One process serves everybody, so a message that takes long blocks all others. Each of these
 * inputs once took time quadratic in its length: minutes, so that the test timed out.
 */

async function send(own: TestSandbox, fields: Record<string, unknown>): Promise<string> {
  const { emailId } = await own.ok('email.send', { body: email(fields) });
  return emailId;
}

test('a link before a long row of dots is a link', async () => {
  const own = startSandbox();
  const dots = '.'.repeat(400_000);
  const id = await send(own, { text: `http://a.test/${dots}x and http://b.test/${dots}` });
  const { html } = await see(own, `/messages/${id}?view=text`);
  expect(html).toContain(`href="http://a.test/${dots}x"`);
  expect(html).toContain('href="http://b.test/"');
});

test('an attachment with a long name keeps its beginning and its end', async () => {
  const own = startSandbox();
  const filename = `report${'.'.repeat(600_000)}x.pdf`;
  const id = await send(own, { attachments: [{ filename, content: 'aGk=' }] });
  const reply = await own.sandbox.fetch(
    new Request(`http://sandbox.test/messages/${id}/attachments/0`),
  );
  expect(reply.headers.get('Content-Disposition')).toMatch(/filename="report\.+\.pdf"/);
});

test('the source of a message shortens the long name of an attachment', async () => {
  const own = startSandbox();
  const filename = `${'é'.repeat(3_000_000)}.pdf`;
  const id = await send(own, { attachments: [{ filename, content: 'aGk=' }] });
  const { text } = await see(own, `/messages/${id}?view=source`);
  expect(text).toContain('.pdf');
  expect(text.length).toBeLessThan(10_000);
});

test('text with more marks on a letter than any script has is found', async () => {
  const own = startSandbox();
  const marks = '\u0301\u0323'.repeat(50_000);
  for (let nth = 0; nth < 20; nth++) await send(own, { text: `Needle a${marks}` });
  const { text } = await see(own, '/?q=needle');
  expect(text).toContain('20 of 22 messages found');
});

test('a list cuts a long subject', async () => {
  const own = startSandbox();
  const subject = `Needle ${'x'.repeat(5_000_000)}`;
  const id = await send(own, { subject });
  for (const path of ['/', '/live', '/?q=needle', `/messages/${id}`]) {
    const { html, text } = await see(own, path);
    expect(text).toContain('Needle xxx');
    expect(html.length).toBeLessThan(20_000);
  }
  expect((await own.ok('email.get', { params: { emailId: id } })).subject).toBe(subject);
});

test.each([
  ['of a body that is whole', 30_000, true],
  ['of a body of which the beginning is kept', 70_000, false],
])('lists within lists %s are shown', async (_, depth, closed) => {
  const own = startSandbox();
  const rawBody = `${'['.repeat(depth)}${closed ? ']'.repeat(depth) : ''}`;
  await own.request('POST', '/emails', { rawBody });
  const { status, text } = await see(own, '/requests/1');
  expect(status).toBe(200);
  expect(text).toContain('are not shown');
});

test('a search for one repeated letter in requests that consist of it', async () => {
  const own = startSandbox();
  await own.request('POST', '/emails', { rawBody: 'a'.repeat(65_536) });
  const database = new DatabaseSync(own.sandbox.path);
  database.exec(`UPDATE requests SET reply_body = request_body;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
    INSERT INTO requests (at, milliseconds, method, path, status, turned_away, reason,
      request_headers, request_body, request_length, reply_headers, reply_body, reply_length)
    SELECT at, milliseconds, method, path, status, turned_away, reason, request_headers,
      request_body, request_length, reply_headers, reply_body, reply_length FROM requests, n`);
  database.close();
  expect((await see(own, `/requests?q=${'a'.repeat(199)}b`)).text).toContain(
    'No request contains aaa',
  );
  expect((await see(own, `/requests?q=${'A'.repeat(199)}`)).text).toContain('of 100');
});

test('many secrets in a query are hidden in a large body', async () => {
  const own = startSandbox();
  const query = Array.from({ length: 4000 }, (_, nth) => `token=secret-${nth}-`).join('&');
  const text = `secret-7- ${'secret-'.repeat(300_000)}`;
  await own.request('POST', `/emails?${query}`, { body: email({ text }) });
  const { html } = await see(own, '/requests/1');
  expect(html).toContain('(hidden) secret-secret-');
  expect(html).not.toContain('secret-7-');
});

test('of very many invalid addresses, the first hundred are named', async () => {
  const own = startSandbox();
  const body = email({ to: Array.from({ length: 100_000 }, () => 'x') });
  const reply = await own.request('POST', '/emails', { body });
  expect(reply.status).toBe(400);
  expect(reply.text.match(/is not an email address/g)).toHaveLength(100);
});

test('of very many invalid headers, the first hundred are named', async () => {
  const own = startSandbox();
  const body = email({ headers: many(50_000) });
  const reply = await own.request('POST', '/emails', { body });
  expect(reply).toMatchObject({ status: 400 });
  expect(reply.text.match(/Expected string/g)).toHaveLength(100);
});

test.each<[string, string, string, unknown]>([
  ['headers', 'POST', '/emails', email({ headers: many(101_000) })],
  ['variables', 'POST', '/emails', email({ variables: many(101_000) })],
  ['addresses', 'POST', '/emails', email({ to: Array.from({ length: 101_000 }, () => 1) })],
  ['variables of a book', 'POST', '/contactBooks', { name: 'Many', properties: many(101_000) }],
])('101,000 %s are rejected without checking each one', async (_, method, path, body) => {
  const own = startSandbox();
  const reply = await own.request(method, path, { body });
  expect(reply).toMatchObject({ status: 400 });
  expect(reply.text).toContain('at most 100000 items');
  expect(reply.text.length).toBeLessThan(1000);
});

test('very many unknown fields are dropped, like a few', async () => {
  const own = startSandbox();
  const reply = await own.request('POST', '/emails', { body: email(many(110_000)) });
  expect(reply).toMatchObject({ status: 200 });
  const refused = await own.request('POST', '/emails', { body: many(110_000) });
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.text).not.toContain('key1');
});

describe('JSON nested deeper than any stack', () => {
  const lists = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const objects = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
  const content = `${'{"type":"doc","content":['.repeat(50_000)}${']}'.repeat(50_000)}`;
  const withField = (fields: object, name: string, value: string) =>
    JSON.stringify({ ...fields, [name]: 0 }).replace(`"${name}":0`, `"${name}":${value}`);

  test.each([
    ['an object', '/emails', objects],
    ['a list', '/emails', lists],
    ['an email of a batch', '/emails/batch', `[${objects}]`],
    ['a list of addresses', '/emails', withField(email(), 'to', lists)],
    ['a header', '/emails', withField(email(), 'headers', objects)],
    ['a variable', '/emails', withField(email(), 'variables', objects)],
    [
      'a variable with a NUL character',
      '/emails',
      withField(email(), 'variables', `{"a":"\\u0000","b":${lists}}`),
    ],
    ['a campaign', '/campaigns', objects],
    ['a document', '/campaigns', JSON.stringify(campaign({ html: undefined, content }))],
  ])('is rejected as %s', async (_, path, rawBody) => {
    const own = startSandbox();
    expect(await own.request('POST', path, { rawBody })).toMatchObject({ status: 400 });
  });

  test('is dropped in an unknown field', async () => {
    const own = startSandbox();
    const rawBody = withField(email(), 'extra', lists);
    expect(await own.request('POST', '/emails', { rawBody })).toMatchObject({ status: 200 });
  });
});

/** An object with this many numbers. */
function many(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key${nth}`, nth]));
}

test('a list in which everything is wrong has a readable number of issues', async () => {
  const own = startSandbox();
  const body = email({ to: Array.from({ length: 20_000 }, () => 1) });
  const reply = await own.request('POST', '/emails', { body });
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('"path":["to",99]');
  expect(reply.text.length).toBeLessThan(30_000);
});
