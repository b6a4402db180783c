import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../support/connected.ts';
import { type Answer, startRecorder } from '../support/recorder.ts';
import { shortLimit } from '../support/time-limits.ts';

const ok = { body: { emailId: 'em_1' } };
const down: Answer = { status: 503, body: 'down' };
const broken: Answer = (response) => response.destroy();
const limited: Answer = { status: 429, headers: { 'retry-after': '1' } };
const conflict: Answer = {
  status: 409,
  body: { error: { code: 'NOT_UNIQUE', message: 'in use' } },
};

describe('is repeated after 503 and after a broken connection:', () => {
  test.each([
    'GET /v1/anything',
    'GET /v1/emails',
    'POST /v1/emails -f a=b',
    'POST /v1/emails/ -f a=b',
    'post v1/emails/batch?x=y --input -',
    'POST /v1/emails/em_1/cancel',
    'PATCH /v1/emails/em_1 -f scheduledAt=x',
    'DELETE /v1/contactBooks/book_1/contacts/c_1',
    'PUT /v1/domains/1/verify',
  ])('%s', async (words) => {
    const { run, service } = await connected(down, broken, ok);
    const { exitCode } = await run(`api ${words} --yes`, { stdin: '[]' });
    expect(exitCode).toBe(0);
    expect(service.requests).toHaveLength(3);
  });
});

describe('is not repeated if it may have been processed:', () => {
  test.each([
    'POST /v1/contactBooks -f name=x',
    'POST /v1/campaigns -f name=x',
    'POST /v1/campaigns/c_1/resume',
    'POST /v1/campaigns/c_1/anything',
    'PUT /v1/anything',
    'PATCH /v1/anything',
    'DELETE /v1/anything',
    'DELETE /v1/emails/em_1',
    'PUT /v1/emails',
    'POST /v1/emails/em_1',
    'POST /v1/emails/batch/more',
    'POST /v2/emails',
    'POST /V1/emails',
  ])('%s', async (words) => {
    for (const answer of [down, broken]) {
      const { run, service } = await connected(answer, ok);
      const outcome = await run(`api ${words} --json --yes`);
      expect(outcome.exitCode).toBe(7);
      expect(service.requests).toHaveLength(1);
      expect(service.requests[0]?.headers).not.toHaveProperty('idempotency-key');
      const error = errorOf(outcome);
      expect(error.hint).toContain('Check before you run the command again');
      expect(error).not.toHaveProperty('idempotencyKey');
    }
  });

  test('a 429 is always retried', async () => {
    const { run, service } = await connected(limited, ok);
    expect((await run('api DELETE /v1/anything --yes')).exitCode).toBe(0);
    expect(service.requests).toHaveLength(2);
  });
});

describe('a send', () => {
  const send = ['api', 'POST', '/v1/emails', '-f', 'to=a@b.c', '-f', "subject=It's", '-F', 'n=1'];

  test('has an idempotency key of its own, the same in every try', async () => {
    const { run, service } = await connected(down, ok);
    expect((await run(send)).exitCode).toBe(0);
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\w-]{36,}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('has the given key', async () => {
    const { run, service } = await connected(ok);
    await run([...send, '--idempotency-key', 'order-1']);
    expect(service.requests[0]?.headers['idempotency-key']).toBe('order-1');
  });

  test('waits while the service processes it, and is 5 if the key was used for another body', async () => {
    const first = await connected(conflict, ok);
    expect((await first.run([...send, '--idempotency-key', 'order-1'])).exitCode).toBe(0);
    const second = await connected(...Array<Answer>(5).fill(conflict));
    const outcome = await second.run([...send, '--idempotency-key', 'order-1', '--json']);
    expect(outcome.exitCode).toBe(5);
    expect(errorOf(outcome).hint).toContain('only a new email needs a new key');
    expect(second.service.requests).toHaveLength(5);
  });

  test('any other conflict is 5 at once', async () => {
    const { run, service } = await connected(conflict, ok);
    expect((await run('api POST /v1/contactBooks -f name=x')).exitCode).toBe(5);
    expect(service.requests).toHaveLength(1);
  });

  test('prints how to repeat it if its outcome is unknown', async () => {
    const { run, service } = await connected(down);
    const { exitCode, stdout, stderr } = await run([...send, '--retries', '0', '-i']);
    const idempotencyKey = service.requests[0]?.headers['idempotency-key'];
    expect(exitCode).toBe(7);
    expect(stdout).toMatch(/^HTTP 503 /);
    expect(stderr).toContain(`Idempotency-Key: ${idempotencyKey}\n`);
    expect(stderr).toContain(
      `mailer api POST /v1/emails -f to=a@b.c -f 'subject=It'\\''s' -F n=1 --retries 0 -i --idempotency-key ${idempotencyKey}\n`,
    );
  });

  test('of stdin needs the same input again', async () => {
    for (const input of [['--input', '-'], ['--input=-']]) {
      const { run } = await connected(down);
      const words = ['api', 'POST', '/v1/emails', ...input, '--retries', '0', '--json'];
      const { hint } = errorOf(await run(words, { stdin: '{}' }));
      expect(hint).toContain('with the same standard input');
      expect(hint).toMatch(
        /mailer api POST \/v1\/emails '?--input[ =]-'? .*--idempotency-key \S+$/,
      );
    }
  });

  test('whose response is not JSON, though JSON is expected, may have been accepted', async () => {
    const { run, service } = await connected({ body: 'fine' });
    const outcome = await run([...send, '--json']);
    expect(outcome.exitCode).toBe(8);
    const { idempotencyKey, hint } = errorOf(outcome);
    expect(idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
    expect(hint).toContain('The request may have been accepted');
  });

  test('that was rejected needs no repetition', async () => {
    const { run } = await connected({ status: 400, body: { error: { message: 'no' } } });
    const outcome = await run([...send, '--json']);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
  });
});

describe('--idempotency-key', () => {
  test('is sent with any writing request, which is not repeated because of it', async () => {
    const { run, service } = await connected(down);
    const outcome = await run('api POST /v1/contactBooks --idempotency-key k1 --json');
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]?.headers['idempotency-key']).toBe('k1');
    const error = errorOf(outcome);
    expect(error).not.toHaveProperty('idempotencyKey');
    expect(error.hint).toContain('Check before');
  });

  test.each([
    ['api GET /v1/emails --idempotency-key k1 --json', /GET/],
    ['api POST /v1/emails --idempotency-key é --json', /ASCII/],
  ])('%s is a usage error', async (words, message) => {
    const { run, service } = await connected();
    const outcome = await run(words);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(message);
    expect(service.requests).toEqual([]);
  });
});

describe('network failures', () => {
  test.each([
    ['plain text', { status: 404, body: '404 Not Found' }, 4, 'not_found', '404 Not Found'],
    [
      'a page of a proxy',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>nginx</html>' },
      7,
      'unavailable',
      'The service responded with 502.',
    ],
    ['no key', { status: 401, body: { error: { message: 'No' } } }, 3, 'auth', 'No'],
    ['no right', { status: 403, body: { error: { message: 'No' } } }, 3, 'auth', 'No'],
    ['no such method', { status: 405, body: { error: 'Never' } }, 1, 'rejected', 'Never'],
    ['too much', limited, 6, 'rate_limited', 'The rate limit was exceeded.'],
  ])('%s', async (_, answer, exitCode, code, message) => {
    const { run } = await connected(answer);
    const outcome = await run('api GET /v1/x --json --retries 0');
    expect(outcome.exitCode).toBe(exitCode);
    expect(errorOf(outcome)).toMatchObject({ code, message });
  });

  test('no response in time', async () => {
    const { run } = await connected(() => {});
    const outcome = await run(`api POST /v1/x --json --timeout ${shortLimit}`);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome)).toMatchObject({ code: 'unavailable', message: /./ });
    expect(errorOf(outcome).message).toContain(`within ${shortLimit} s`);
  });

  test('nothing listens: certainly not processed', async () => {
    const { run, service } = await connected();
    await service.close();
    const outcome = await run('api POST /v1/x --json --retries 1');
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome).hint ?? '').not.toContain('may have been carried out');
  });

  test('no key at all', async () => {
    const { world, service } = await connected();
    const outcome = await world.run('api GET /v1/x --json', { env: { MAILER_API_KEY: '' } });
    expect(outcome.exitCode).toBe(3);
    expect(service.requests).toEqual([]);
  });
});

test('a redirect to another origin is not followed', async () => {
  const elsewhere = await startRecorder();
  const { run } = await connected({
    status: 307,
    headers: { location: `${elsewhere.url}/api/v1/x` },
  });
  const { exitCode, stdout, stderr } = await run('api GET /v1/x --include');
  expect(exitCode).toBe(8);
  expect(stdout).toMatch(/^HTTP 307 Temporary Redirect\n/);
  expect(stderr).toContain('mailer did not follow');
  expect(elsewhere.requests).toEqual([]);
});

test('--debug shows what goes over the wire, without the key', async () => {
  const { run } = await connected({ body: { echo: `Bearer ${key}` } });
  const { stdout, stderr } = await run('api POST /v1/x -f a=b --debug');
  expect(stderr).toMatch(/> POST http.*\/api\/v1\/x\n> authorization: Bearer \*\*\*/);
  expect(stderr).toContain('> {"a":"b"}');
  expect(stdout).toBe('{"echo":"Bearer ***"}\n');
  expect(stdout + stderr).not.toContain(key);
});
