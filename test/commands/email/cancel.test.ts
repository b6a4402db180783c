import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

test('is one POST without a body and without a content type', async () => {
  const { run, service } = await connected({ body: { emailId: 'em_1' } });
  const { exitCode, stdout } = await run('email cancel em_1');
  expect(exitCode).toBe(0);
  expect(stdout).toBe('em_1\n');
  expect(service.requests).toHaveLength(1);
  const [request] = service.requests;
  expect(request?.method).toBe('POST');
  expect(request?.path).toBe('/api/v1/emails/em_1/cancel');
  expect(request?.body).toBe('');
  expect(request?.headers.authorization).toBe(`Bearer ${key}`);
  expect(request?.headers).not.toHaveProperty('content-type');
  expect(request?.headers).not.toHaveProperty('idempotency-key');
});

test('--dry-run sends nothing and shows a request without a body', async () => {
  const { run, service } = await connected();
  const shown = JSON.parse((await run('email cancel em_1 --dry-run --json')).stdout);
  expect(shown).toMatchObject({ method: 'POST', url: `${service.baseUrl}/v1/emails/em_1/cancel` });
  expect(shown).not.toHaveProperty('body');
  expect(service.requests).toEqual([]);
});

describe('if the first response is lost', () => {
  const lost: Answer = (response) => response.destroy();
  const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Processed' } } };
  const email = (...statuses: string[]) => ({
    body: {
      id: 'em_1',
      emailEvents: statuses.map((status) => ({ status, createdAt: '2026-01-10T12:00:00Z' })),
    },
  });

  test('the email shows that it is cancelled', async () => {
    const { run, requests } = await connected(lost, refusal, email('CANCELLED'));
    expect(await run('email cancel em_1')).toEqual({
      exitCode: 0,
      stdout: 'em_1\n',
      stderr: 'Cancelled email em_1.\n',
    });
    expect(requests()).toEqual([
      ...Array(2).fill('POST /api/v1/emails/em_1/cancel'),
      'GET /api/v1/emails/em_1',
    ]);
  });

  test('an email that cannot be fetched is rejected, with the command to check it', async () => {
    const { run } = await connected(lost, refusal, { status: 404, body: {} });
    expect(await run('email cancel em_1')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr:
        'Error: Processed\nHint: It may have been cancelled. Check its status: mailer email get em_1\n',
    });
  });

  test('one that was sent is rejected, with its status', async () => {
    const { run } = await connected(lost, refusal, email('SENT'));
    const { exitCode, stderr } = await run('email cancel em_1');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Its status is SENT since Sat 10 Jan 2026, 12:00');
  });
});

describe('with the sandbox', () => {
  test('keeps a scheduled email from being sent; the second cancel is rejected', async () => {
    const world = createWorld();
    const { stdout } = await world.run([
      ...['email', 'send', '--sandbox', '--to', 'ana@example.org', '--from', 'hello@example.com'],
      ...['--subject', 'Later', '--text', 'Hello', '--scheduled-at', 'in 1 hour'],
    ]);
    const id = stdout.trim();
    const cancelled = await world.run(`email cancel ${id} --sandbox`);
    expect(cancelled).toEqual({
      exitCode: 0,
      stdout: `${id}\n`,
      stderr: `Cancelled email ${id}.\n`,
    });
    world.clock.advance(2 * 3_600_000);
    const email = JSON.parse((await world.run(`email get ${id} --sandbox --json`)).stdout);
    expect(email.emailEvents).toMatchObject([{ status: 'CANCELLED' }]);
    const again = await world.run(`email cancel ${id} --sandbox --json`);
    expect(again.exitCode).toBe(1);
    expect(errorOf(again)).toMatchObject({ code: 'rejected', status: 400 });
  });

  test('an unknown id is not found', async () => {
    const outcome = await createWorld().run('email cancel none_1 --sandbox --json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome)).toMatchObject({
      code: 'not_found',
      status: 404,
      apiCode: 'NOT_FOUND',
    });
  });
});

test.each([
  '../../x',
  '..',
  '.',
  'a/b',
  'a?b',
  'a#b',
  'a\\b',
  'a%2fb',
  'ab',
  'a b',
  'a\0b',
  'a\nb',
])('the id %j is an error', async (id) => {
  const { run, service } = await connected();
  const outcome = await run(['email', 'cancel', id, '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).code).toBe('usage');
  expect(service.requests).toEqual([]);
});

test('no id, and an empty one', async () => {
  const { run, service } = await connected();
  expect((await run('email cancel')).exitCode).toBe(2);
  expect((await run(['email', 'cancel', ''])).exitCode).toBe(2);
  expect(service.requests).toEqual([]);
});
