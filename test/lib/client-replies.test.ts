import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--json'],
];
const page = '<!DOCTYPE html><html><body>Welcome to nginx</body></html>';

/** The answers that no operation promises. */
const bad: readonly (readonly [string, Answer])[] = [
  ['JSON that breaks off', { body: '{"id":"em_1"' }],
  ['a web page', { body: page, headers: { 'content-type': 'text/html' } }],
  ['nothing', { body: '' }],
  ['204 without a body', (response) => void response.writeHead(204).end()],
  ['plain text', { body: 'OK' }],
  ['null', { body: 'null' }],
  ['an array', { body: [] }],
  ['another object', { body: { ok: true } }],
  ['an id of another type', { body: { id: 5, emailId: 5, emailEvents: [] } }],
  [
    'compressed JSON, which was not asked for',
    (response) => {
      const json = gzipSync(JSON.stringify({ emailId: 'em_1', id: 'em_1', emailEvents: [] }));
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(json);
    },
  ],
];

describe.each(bad)('with 200 and %s', (_, answer) => {
  test('a read is 8, without a second request', async () => {
    const { run, service } = await connected(answer);
    const outcome = await run('email get em_1 --json');
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).code).toBe('bad_reply');
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
    expect(service.requests).toHaveLength(1);
  });

  test('a send is 8, and says how to repeat it safely', async () => {
    const { run, service } = await connected(answer);
    const outcome = await run(send);
    expect(outcome.exitCode).toBe(8);
    const key = service.requests[0]?.headers['idempotency-key'];
    expect(errorOf(outcome)).toMatchObject({
      code: 'bad_reply',
      idempotencyKey: key,
      hint: expect.stringContaining(`--idempotency-key ${key}`),
    });
    expect(service.requests).toHaveLength(1);
  });
});

test('the error says which part of an answer is wrong', async () => {
  const { run } = await connected({ body: { data: [{ id: 'em_1' }, { id: null }], count: 2 } });
  const { message } = errorOf(await run('email list --json'));
  expect(message).toContain('GET /v1/emails');
  expect(message).toContain('data[1].id');
});

test('a web page points to the base URL', async () => {
  const { run, service } = await connected({ body: page });
  const { message, hint } = errorOf(await run('email list --json'));
  expect(`${message} ${hint}`).toContain(service.baseUrl);
  expect(`${message} ${hint}`).toContain('/api');
});

test('no compression is asked for', async () => {
  const { run, service } = await connected({ body: { data: [], count: 0 } });
  await run('email list --json');
  expect(service.requests[0]?.headers).not.toHaveProperty('accept-encoding');
});

test('any 2xx with the promised body is done', async () => {
  const { run } = await connected({ status: 201, body: { emailId: 'em_1' } });
  expect((await run(send)).exitCode).toBe(0);
});

test('an answer in several pieces, cut in the middle of a character, is put together', async () => {
  const text = JSON.stringify({ data: [{ id: 'em_1', subject: 'Ä👋' }], count: 1 });
  const bytes = Buffer.from(text);
  const { run } = await connected(async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const byte of bytes) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    response.end();
  });
  expect(JSON.parse((await run('email list --json')).stdout)).toEqual(JSON.parse(text));
});

describe('an answer that never ends', () => {
  const piece = Buffer.alloc(1024 * 1024, 0x20);

  /** Sends white space for as long as somebody reads it; `sent` counts its bytes. */
  function endless(status: number): { answer: Answer; sent: () => number; closed: Promise<void> } {
    let sent = 0;
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const answer: Answer = async (response) => {
      let open = true;
      response.on('close', () => {
        open = false;
        close();
      });
      response.writeHead(status, { 'content-type': 'application/json' });
      while (open) {
        sent += piece.byteLength;
        if (!response.write(piece)) {
          await Promise.race([once(response, 'drain').catch(() => {}), closed]);
        }
      }
    };
    return { answer, sent: () => sent, closed };
  }

  test.each([200, 500])('with %i is 8, after at most some ten megabytes', async (status) => {
    const { answer, sent, closed } = endless(status);
    const { run, service } = await connected(answer);
    const outcome = await run('email list --json');
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).code).toBe('bad_reply');
    await closed;
    expect(sent()).toBeLessThan(100 * 1024 * 1024);
    expect(service.requests).toHaveLength(1);
  });

  test('to a send leaves the outcome open', async () => {
    const { answer } = endless(200);
    const { run, service } = await connected(answer);
    const outcome = await run(send);
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });
});
