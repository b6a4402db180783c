import { describe, expect, test } from 'vitest';
import { connected } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Already gone' } } };
const down = { status: 503, body: { error: { message: 'down' } } };
const inUse = { status: 409, body: { error: { code: 'NOT_UNIQUE', message: 'in use' } } };
const send = 'email send --to a@b.c --from d@e.f --subject x --text y';

const lost: Answer = (response) => response.destroy();

test('a reschedule that is rejected after a try without a response may have been carried out', async () => {
  const { world } = await connected(down, refusal);
  const line = 'email reschedule em_1 --scheduled-at 2026-02-01T00:00:00Z';
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Error: Already gone');
  expect(stderr).toContain('The request may have been carried out');
});

describe.each([
  ['campaign delete cm3k9x2f8000008l4', 'campaign cm3k9x2f8000008l4', 'cm3k9x2f8000008l4'],
  ['contact delete contact_ana --book book_1', 'contact contact_ana', 'contact_ana'],
  ['contact book delete book_1', 'contact book book_1', 'book_1'],
  ['domain delete 3', 'domain 3', '3'],
])('%s', (line, what, id) => {
  test.each([{ error: { code: 'NOT_FOUND', message: 'Not found' } }, { error: 'Not found' }])(
    'is reported as done if a retry after a lost response gets 404: %j',
    async (body) => {
      const noCampaigns = { body: { campaigns: [], totalPage: 0 } };
      const { world } = await connected(lost, { status: 404, body }, noCampaigns);
      expect(await world.run(`${line} --yes`)).toEqual({
        exitCode: 0,
        stdout: `${id}\n`,
        stderr: `There is no ${what} any more: an earlier attempt, whose response was lost, probably deleted it.\n`,
      });
    },
  );

  test.each([
    ['the first try finds nothing', [{ status: 404, body: { error: 'Not found' } }]],
    ["the 404 is a proxy's", [lost, { status: 404, body: '<html>no</html>' }]],
  ])('is an error if %s', async (_, answers: Answer[]) => {
    const { world } = await connected(...answers, { body: { data: [], totalPage: 0 } });
    expect((await world.run(`${line} --yes`)).exitCode).toBe(4);
  });

  test('prints what running it again does if no request got a response', async () => {
    const { world } = await connected(lost, lost);
    const { exitCode, stderr } = await world.run(`${line} --yes --retries 1`);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(
      'Hint: It may have been deleted. Run the command again: not found (exit code 4) means that it was.',
    );
  });
});

test('a rejection of a send shows that its first request was not accepted', async () => {
  const { world } = await connected(down, refusal);
  const { stderr } = await world.run(send);
  expect(stderr).not.toContain('may have been');
});

test('a rejection by a proxy leaves the outcome unknown', async () => {
  const page = { status: 400, body: '<html>no</html>' };
  const { world } = await connected(down, page);
  const { exitCode, stderr } = await world.run(send);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('The request may have been accepted');
});

test('409 for a generated key means that the service still processes it', async () => {
  const { world } = await connected(down, inUse, inUse, inUse, inUse);
  const { exitCode, stderr } = await world.run(send);
  expect(exitCode).toBe(7);
  expect(stderr).toContain('The service is still processing the request.');
  expect(stderr).toContain('--idempotency-key');
});

test('409 for a given key is a conflict', async () => {
  const { world } = await connected(inUse, inUse, inUse, inUse, inUse);
  expect((await world.run(`${send} --idempotency-key k1`)).exitCode).toBe(5);
});

test('--debug shows no control characters of the service', async () => {
  const body = { error: { code: 'BAD_REQUEST', message: 'x\u001b]0;owned\u0007y' } };
  const { world } = await connected({ status: 400, body });
  const { stderr } = await world.run('email get em_1 --debug');
  expect(stderr).toContain('x\\x1b]0;owned');
  expect(stderr.includes('\u001b')).toBe(false);
});

test('an empty --profile is absent, for the settings and the key', async () => {
  const { service, world } = await connected({ body: { emailId: 'em_1' } });
  await world.run('config set from me@example.com');
  const line = 'email send --to a@b.c --subject x --text y --profile';
  expect((await world.run([...line.split(' '), ''])).exitCode).toBe(0);
  expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ from: 'me@example.com' });
});
