import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--idempotency-key', 'order-1', '--json'],
];
const sent = { body: { emailId: 'em_1' } };
const conflict: Answer = {
  status: 409,
  body: { error: { code: 'NOT_UNIQUE', message: 'Idempotency-Key in use' } },
};
const times = (count: number) => Array<Answer>(count).fill(conflict);

test('a request still in progress is waited for: 409, 409, then the id', async () => {
  const { run, service, world } = await connected(...times(2), sent);
  const { exitCode, stdout } = await run(send);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ emailId: 'em_1' });
  expect(service.requests).toHaveLength(3);
  expect(world.clock.pauses.every((pause) => pause > 0)).toBe(true);
  for (const { headers, body } of service.requests) {
    expect(headers['idempotency-key']).toBe('order-1');
    expect(body).toBe(service.requests[0]?.body);
  }
});

test('409 until the end is 5: the key was used for another body', async () => {
  const { run, service } = await connected(...times(9));
  const outcome = await run(send);
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome)).toMatchObject({
    code: 'conflict',
    status: 409,
    apiCode: 'NOT_UNIQUE',
    hint: expect.stringContaining('new key'),
  });
  // Read once, because the sender's domain may be registered in another spelling.
  const methods = service.requests.map(({ method }) => method);
  expect(methods).toEqual([...Array(5).fill('POST'), 'GET']);
});

test('a 409 without a code, and one with the code at the top, are waited for too', async () => {
  const bare: Answer = { status: 409, body: 'Conflict' };
  const top: Answer = { status: 409, body: { code: 'NOT_UNIQUE', message: 'wait' } };
  const { run, service } = await connected(bare, top, sent);
  expect((await run(send)).exitCode).toBe(0);
  expect(service.requests).toHaveLength(3);
});

test('a 409 with Retry-After is waited for that long', async () => {
  const { run, world } = await connected({ ...conflict, headers: { 'retry-after': '3' } }, sent);
  expect((await run(send)).exitCode).toBe(0);
  expect(world.clock.pauses).toHaveLength(1);
  expect(world.clock.pauses[0]).toBeGreaterThanOrEqual(3000);
  expect(world.clock.pauses[0]).toBeLessThan(4000);
});

test('of an operation without a key it is 5 at once', async () => {
  const { run, service } = await connected(...times(3));
  expect((await run('email cancel em_1 --json')).exitCode).toBe(5);
  expect(service.requests).toHaveLength(1);
});

test('after a time-out, 409 until the end leaves the outcome unknown', async () => {
  const { run } = await connected({ status: 503, body: 'down' }, ...times(9));
  const outcome = await run(send);
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome)).toMatchObject({
    idempotencyKey: 'order-1',
    hint: expect.stringContaining('--idempotency-key order-1'),
  });
});

describe('under a generated key, 409 means that the request is being processed:', () => {
  const words = send.filter((word) => word !== '--idempotency-key' && word !== 'order-1');
  const api = 'api POST /v1/emails -f to=a@b.c --json'.split(' ');

  test.each([
    ['a send, from the first answer on', words, 0],
    ['a send, to the end', words, 2],
    ['api, from the first answer on', api, 0],
    ['api, to the end', api, 2],
  ])('%s', async (_, given, retries) => {
    const { run, service } = await connected(...times(9));
    const outcome = await run([...given, '--retries', String(retries)]);
    expect(outcome.exitCode).toBe(7);
    expect(service.requests).toHaveLength(retries + 1);
    const key = service.requests[0]?.headers['idempotency-key'];
    const { idempotencyKey, hint, message } = errorOf(outcome);
    expect(message).toBe('The service is still processing the request.');
    expect(idempotencyKey).toBe(key);
    expect(hint).toMatch(
      /^The request may have been accepted\. For 24 hours, this command sends it again /,
    );
    expect(hint).toContain(`--idempotency-key ${key}`);
  });

  test('in text, the key and the command are shown too', async () => {
    const { run, service } = await connected(...times(1));
    const text = words.filter((word) => word !== '--json');
    const { stderr } = await run([...text, '--retries', '0']);
    const key = service.requests[0]?.headers['idempotency-key'];
    expect(stderr).toContain(`Idempotency-Key: ${key}\n`);
    expect(stderr).toMatch(new RegExp(`\\nmailer email send .* --idempotency-key ${key}\\n$`));
    expect(stderr).not.toContain('in use');
  });

  test('a later rejection shows that it was not accepted', async () => {
    const { run } = await connected(...times(1), { status: 400, body: { error: 'No' } });
    const outcome = await run(words);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
  });
});
