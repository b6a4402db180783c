import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Processado' } } };
const created = '2026-01-10T08:00:00Z';
const history = (...emailEvents: readonly (readonly [status: string, createdAt: string])[]) => ({
  body: {
    id: 'em_1',
    createdAt: created,
    emailEvents: emailEvents.map(([status, createdAt]) => ({ status, createdAt })),
  },
});
const listed = (latestStatus: string | undefined) => ({
  body: { data: [{ id: 'em_1', createdAt: created, latestStatus }], count: 1 },
});

describe.each(['email cancel em_1', 'email reschedule em_1 --scheduled-at 2h'])('%s', (line) => {
  test('of an email that was sent: its status, and since when', async () => {
    const { run, requests } = await connected(
      refusal,
      // The service returns events unordered, with separate ones for each recipient.
      history(
        ['DELIVERED', '2026-01-15T09:30:07Z'],
        ['SENT', '2026-01-15T09:30:00Z'],
        ['DELIVERED', '2026-01-15T09:30:05Z'],
      ),
    );
    expect(await run(line)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'Error: The email is no longer scheduled. Its status is DELIVERED since Thu 15 Jan 2026, 09:30 GMT (2026-01-15T09:30:05Z).\nHint: To see its history: mailer email get em_1\n',
    });
    expect(requests().slice(1)).toEqual(['GET /api/v1/emails/em_1']);
  });

  test('before anything is reported, the list has the status', async () => {
    const { run, requests } = await connected(refusal, history(), listed('QUEUED'));
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome)).toMatchObject({
      code: 'rejected',
      status: 400,
      apiCode: 'BAD_REQUEST',
      message: 'The email is no longer scheduled. Its status is QUEUED.',
    });
    expect(requests()).toHaveLength(3);
  });

  test.each([
    ['still scheduled', [history(), listed('SCHEDULED')]],
    ['in no list', [history(), { body: { data: [], count: 0 } }]],
    ['in a list without statuses', [history(), listed(undefined)]],
    ['not there', [{ status: 404, body: {} }]],
    ['of a service that is away', []],
  ])('of one that is %s: what the service says', async (_, answers) => {
    const { run } = await connected(refusal, ...answers);
    const { exitCode, stderr } = await run(line);
    expect(exitCode).toBe(1);
    expect(stderr).toBe('Error: Processado\n');
  });

  test.each([
    ['by a proxy', { status: 400, body: '<html></html>' }],
    [
      'for a field',
      { status: 400, body: { error: { issues: [{ path: ['emailId'], message: 'Bad' }] } } },
    ],
  ])('rejected %s: no status is fetched', async (_, answer) => {
    const { run, requests } = await connected(answer);
    expect((await run(line)).exitCode).toBe(1);
    expect(requests()).toHaveLength(1);
  });
});

test('in the sandbox, the second cancel reports that the email is cancelled', async () => {
  const { run, clock } = createWorld();
  const { stdout } = await run([
    ...['email', 'send', '--sandbox', '--to', 'ana@example.org', '--from', 'hello@example.com'],
    ...['--subject', 'Later', '--text', 'Hello', '--scheduled-at', 'in 1 hour'],
  ]);
  const id = stdout.trim();
  await run(`email cancel ${id} --sandbox`);
  clock.advance(60_000);
  const { exitCode, stderr } = await run(`email cancel ${id} --sandbox`);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Its status is CANCELLED since Thu 15 Jan 2026, 10:00 GMT/);
});
