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

describe('with ids on stdin', () => {
  const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Processed' } } };
  const reached = (id: string, status: string) => ({
    body: { id, emailEvents: [{ status, createdAt: '2026-01-10T12:00:00Z' }] },
  });
  const denied = { status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } };
  const of = (emailId: string) => ({ body: { emailId } });

  test('cancels what email list prints', async () => {
    const world = createWorld();
    const send = ['email', 'send', '--sandbox', '--to', 'ana@example.org', '--text', 'Hello'];
    const later = ['--from', 'hello@example.com', '--scheduled-at', 'in 1 hour', '--subject'];
    const one = (
      await world.run([...send, ...later, 'One', '--idempotency-key', 'key-1'])
    ).stdout.trim();
    const two = (
      await world.run([...send, ...later, 'Two', '--idempotency-key', 'key-2'])
    ).stdout.trim();
    const listed = await world.run('email list --sandbox --status scheduled --quiet');
    const cancelled = await world.run('email cancel - --sandbox', { stdin: listed.stdout });
    expect(cancelled).toMatchObject({ exitCode: 0, stderr: 'Cancelled 2 emails.\n' });
    expect(cancelled.stdout.trim().split('\n').sort()).toEqual([one, two].sort());
    expect((await world.run('email list --sandbox --status scheduled --quiet')).stdout).toBe('');
    const again = await world.run('email cancel - --sandbox --json', { stdin: `id\n${one}\n` });
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({ cancelled: [], already: [one], failed: [] });
  });

  test('goes on after those that cannot be cancelled, and names them', async () => {
    const { run, requests } = await connected(
      ...[refusal, reached('em_1', 'SENT'), of('em_2'), { status: 404, body: {} }],
    );
    const outcome = await run('email cancel -', { stdin: 'em_1\nem_2\nem_3\n' });
    expect(outcome).toMatchObject({ exitCode: 11, stdout: 'em_2\n' });
    expect(outcome.stderr).toMatch(
      /2 of 3 emails could not be cancelled:\n *em_1: The email is no longer scheduled\. Its status is SENT.*\n *em_3: /,
    );
    expect(requests()).toHaveLength(4);
  });

  test('ends with the code of the first failure if none can be cancelled', async () => {
    const { run } = await connected({ status: 404, body: {} }, { status: 404, body: {} });
    expect(await run('email cancel -', { stdin: 'em_1\nem_2\n' })).toMatchObject({ exitCode: 4 });
  });

  test('ends where the key is refused, and shows what was cancelled', async () => {
    const { run, requests } = await connected(of('em_1'), denied);
    const outcome = await run('email cancel -', { stdin: 'em_1\nem_2\nem_3\n' });
    expect(outcome).toMatchObject({ exitCode: 3, stdout: 'em_1\n' });
    expect(outcome.stderr).toContain(
      '1 of 3 emails cancelled. To continue, run the same command again.',
    );
    expect(requests().filter((one) => one.startsWith('POST'))).toHaveLength(2);
  });

  test.each([
    ['a line that is no id', 'em_1\nno id\n', 'line 2 has no id'],
    ['nothing', '', 'There are no ids on stdin.'],
  ])('%s cancels nothing', async (_, stdin, problem) => {
    const { run, service } = await connected();
    const outcome = await run('email cancel -', { stdin });
    expect(outcome).toMatchObject({ exitCode: 2 });
    expect(outcome.stderr).toContain(problem);
    expect(service.requests).toEqual([]);
  });

  test('may be empty with --allow-empty', async () => {
    const { run } = await connected();
    expect(await run('email cancel - --allow-empty', { stdin: '' })).toMatchObject({ exitCode: 0 });
  });

  test('--dry-run shows the requests of all', async () => {
    const { run, service } = await connected();
    const outcome = await run('email cancel - --dry-run --json', { stdin: 'em_1\nem_2\n' });
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      url: `${service.baseUrl}/v1/emails/em_1/cancel`,
    });
    expect(JSON.parse(outcome.stdout).requests).toHaveLength(2);
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
