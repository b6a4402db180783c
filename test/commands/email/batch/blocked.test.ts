import { describe, expect, test } from 'vitest';
import { down, line, onlyRun, posts, setUp } from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';

const standing = (state: string, more: object = {}) =>
  ({ body: { state, ...more }, standing: true }) as const;
const before =
  'Warning: The account is blocked: the service accepts these emails, but does not send them.\n';
const after = 'Warning: 2 emails accepted, but the account is blocked: they stay queued.\n';

describe('a blocked account', () => {
  test('is named before and after a batch, which is sent all the same', async () => {
    const setup = await setUp(2, standing('BLOCKED'), accept, standing('BLOCKED'));
    const { exitCode, stderr } = await setup.run(line);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `${before}${after}Accepted 2 of 2 emails.\n`,
    });
    expect(setup.requests()).toEqual([
      'GET /api/v1/reputation/status',
      'POST /api/v1/emails/batch',
      'GET /api/v1/reputation/status',
    ]);
  });

  test('is a field of the JSON, and a warning besides', async () => {
    const setup = await setUp(2, standing('BLOCKED'), accept, standing('BLOCKED'));
    const { stdout, stderr } = await setup.run([...line, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 2, accountState: 'BLOCKED' });
    expect(stderr).toBe(`${before}${after}`);
  });

  test('that is unblocked meanwhile is not named afterwards; without a word, it still is', async () => {
    const freed = await setUp(2, standing('BLOCKED'), accept, standing('HEALTHY'));
    expect((await freed.run(line)).stderr).toBe(`${before}Accepted 2 of 2 emails.\n`);
    const silent = await setUp(2, standing('BLOCKED'), accept);
    expect((await silent.run(line)).stderr).toContain(after);
  });

  test('is named when a run is resumed, and in the question', async () => {
    const setup = await setUp(2, down, standing('BLOCKED'), accept, standing('BLOCKED'));
    expect((await setup.run([...line, '--retries', '0'])).exitCode).toBe(7);
    const { stderr } = await setup.run(['run', 'resume', onlyRun(setup.world), '--yes']);
    expect(stderr).toContain(before);
    expect(stderr).toContain(after);
    const asked = await setUp(2, down, standing('BLOCKED'));
    await asked.run([...line, '--retries', '0']);
    const question = await asked.run(['run', 'resume', onlyRun(asked.world)]);
    expect(question).toMatchObject({ exitCode: 2 });
    expect(question.stderr).toContain(
      'needs confirmation: The account is blocked: the service accepts these emails, but does not send them. Resume this run?',
    );
    expect(posts(asked)).toHaveLength(1);
  });

  test('is not asked about in a dry run', async () => {
    const setup = await setUp(2, standing('BLOCKED'));
    const { stderr } = await setup.run([...line, '--dry-run']);
    expect(stderr).not.toContain('blocked');
    expect(setup.requests()).toEqual([]);
  });
});

test('a supervised account: how many emails it may send', async () => {
  const setup = await setUp(2, standing('SUPERVISED', { supervisedDailyLimit: 1500 }), accept);
  const { stderr } = await setup.run(line);
  expect(stderr).toBe(
    'Warning: The account is supervised: it may send 1,500 emails a day.\nAccepted 2 of 2 emails.\n',
  );
  expect(setup.requests()).toHaveLength(2);
});

test.each([
  ['is healthy', standing('HEALTHY')],
  ['may not be asked about', { status: 403, standing: true } as const],
  ['has no state', { status: 404, body: '404 Not Found', standing: true } as const],
  ['has an unreadable state', { body: [], standing: true } as const],
  ['fails to tell', { status: 500, body: 'oops', standing: true } as const],
])('an account that %s: nothing is said, and the batch is sent', async (name, answer) => {
  const setup = await setUp(2, answer, ...(name === 'fails to tell' ? [accept] : []), accept);
  const { exitCode, stderr } = await setup.run(line);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Accepted 2 of 2 emails.\n' });
  expect(posts(setup)).toHaveLength(1);
  expect(setup.world.clock.elapsed).toBeLessThan(3000);
});
