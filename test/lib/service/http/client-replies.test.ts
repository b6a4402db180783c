import { once } from 'node:events';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--json'],
];
const page = '<!DOCTYPE html><html><body>Welcome to nginx</body></html>';

/** Responses that no operation should return. */
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

test('the error names the invalid part of a response', async () => {
  const { run } = await connected({ body: { data: [{ id: 'em_1' }, { id: null }], count: 2 } });
  const { message } = errorOf(await run('email list --json'));
  expect(message).toContain('GET /v1/emails');
  expect(message).toContain('data[1].id');
});

test('for a web page, the hint is the base URL', async () => {
  const { run, service } = await connected({ body: page });
  const { message, hint } = errorOf(await run('email list --json'));
  expect(`${message} ${hint}`).toContain(service.baseUrl);
  expect(`${message} ${hint}`).toContain('/api');
});

test.each<[string, Answer]>([
  ['nothing', { body: '' }],
  ['white space', { body: ' \n' }],
  ['204', (response) => void response.writeHead(204).end()],
])('%s is reported as an empty response', async (_, answer) => {
  const { run, service } = await connected(answer);
  const { message, hint } = errorOf(await run('email list --json'));
  expect(message).toBe(`${service.baseUrl} returned an empty response.`);
  expect(hint).toBeUndefined();
});

describe('JSON nested 40,000 deep is 8, with this reason', () => {
  const arrays = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  const objects = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`;

  test.each([
    ['api GET /v1/x --fields a.b', objects],
    ['api GET /v1/x --fields a.b', `{"a":"\\"]","b":${arrays}}`],
    ['api GET /v1/x --jsonl', arrays],
    ['api GET /v1/x --csv', arrays],
    ['api GET /v1/x --json', objects],
    ['email list', `{"count":0,"data":[],"more":${arrays}}`],
    ['email get em_1 --json', `{"id":"em_1","emailEvents":[],"more":${objects}}`],
  ])('%s', async (words, text) => {
    const { run } = await connected({ body: text });
    const { exitCode, stdout, stderr } = await run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
    expect(stderr).toContain('nested too deeply');
    expect(stderr).not.toContain('base URL');
  });

  test('unmodified, it is shown nevertheless', async () => {
    const { run } = await connected({ body: arrays });
    expect((await run('api GET /v1/x')).stdout).toBe(`${arrays}\n`);
  });

  test('in a rejection it is a rejection', async () => {
    const { run } = await connected({ status: 400, body: objects });
    expect((await run('email list')).exitCode).toBe(1);
  });

  test('brackets in strings, and a thousand levels, are valid', async () => {
    const strings = ['['.repeat(5000), '\\', `"${'{'.repeat(5000)}`, '\\"['.repeat(2000)];
    const deep = JSON.parse(`${'['.repeat(900)}${']'.repeat(900)}`);
    const body = { strings, deep, wide: Array(3000).fill([]) };
    const { run } = await connected({ body });
    expect(JSON.parse((await run('api GET /v1/x --json')).stdout)).toEqual(body);
  });
});

test('of a rejection with very many issues, the first ones are shown', async () => {
  const issues = Array.from({ length: 500 }, (_, nth) => ({ path: ['to', nth], message: 'bad' }));
  const { run } = await connected({ status: 400, body: { error: { name: 'ZodError', issues } } });
  const { exitCode, stderr } = await run('email list');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('to[19]: bad; and 480 more');
  expect(stderr).not.toContain('to[20]');
});

test('no compression is requested', async () => {
  const { run, service } = await connected({ body: { data: [], count: 0 } });
  await run('email list --json');
  expect(service.requests[0]?.headers).not.toHaveProperty('accept-encoding');
});

test('any 2xx with the promised body is done', async () => {
  const { run } = await connected({ status: 201, body: { emailId: 'em_1' } });
  expect((await run(send)).exitCode).toBe(0);
});

test('a response in several chunks, split within a character, is joined', async () => {
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

describe('a response that never ends', () => {
  const piece = Buffer.alloc(1024 * 1024, 0x20);

  /** Sends white space for as long as the client reads. `sent` counts the bytes. */
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

  test('to a send is an unknown outcome', async () => {
    const { answer } = endless(200);
    const { run, service } = await connected(answer);
    const outcome = await run(send);
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });
});

describe('a response that a proxy has compressed unasked', () => {
  const reply = { data: [{ id: 'em_1', subject: 'Ä👋'.repeat(1000) }], count: 1 };
  const text = JSON.stringify(reply);
  const encoded = (bytes: string | Uint8Array, encoding: string, status = 200): Answer => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    return (response) => void response.writeHead(status, headers).end(bytes);
  };

  test.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['br, identity,gzip', gzipSync(brotliCompressSync(text))],
  ])('with %s is read', async (encoding, bytes) => {
    const { run } = await connected(encoded(bytes, encoding));
    const { exitCode, stdout } = await run('email list --json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(reply);
  });

  test('a rejection is read too', async () => {
    const refusal = gzipSync(JSON.stringify({ error: { message: 'No such page' } }));
    const { run } = await connected(encoded(refusal, 'gzip', 400));
    const outcome = await run('email list --json');
    expect(errorOf(outcome)).toMatchObject({ code: 'rejected', message: 'No such page' });
  });

  test.each(['gzip', 'br', 'zstd', 'foo'])('an empty body is valid: %s', async (encoding) => {
    const { run } = await connected(encoded('', encoding));
    expect((await run('api DELETE /v1/x --yes')).exitCode).toBe(0);
  });

  test.each([
    ['gzip', 'no gzip'],
    ['gzip', gzipSync(text).subarray(0, 50)],
    ['deflate', deflateSync(text).subarray(0, 50)],
    ['br', brotliCompressSync(text).subarray(0, 20)],
    ['zstd', zstdCompressSync(text).subarray(0, 20)],
    ['gzip, br', gzipSync(text)],
  ])('damaged %s is an invalid response with an unknown outcome', async (encoding, bytes) => {
    const bad = encoded(bytes, encoding);
    const { run, service } = await connected(bad, bad);
    const outcome = await run([...send, '--retries', '1']);
    expect(outcome.exitCode).toBe(7);
    expect(service.requests).toHaveLength(2);
    const { message, idempotencyKey } = errorOf(outcome);
    expect(message).toMatch(
      /^The response is damaged: it cannot be read as (gzip|deflate|br|zstd)\.$/,
    );
    expect(idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });

  test.each(['compress', 'gzip, toString'])(
    '%s is an unknown encoding, and named',
    async (encoding) => {
      const { run, service } = await connected(encoded(gzipSync(text), encoding));
      const outcome = await run(send);
      expect(outcome.exitCode).toBe(8);
      const name = encoding.split(', ').at(-1)?.toLowerCase();
      expect(errorOf(outcome).message).toContain(`Content-Encoding "${name}"`);
      expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
      expect(service.requests).toHaveLength(1);
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('a decompression bomb of %s is stopped', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(17 * 1024 * 1024, 0x20));
    const { run, service } = await connected(encoded(bomb, encoding));
    const outcome = await run('email list --json');
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).message).toBe('The response is larger than 16 MiB.');
    expect(service.requests).toHaveLength(1);
  });
});
