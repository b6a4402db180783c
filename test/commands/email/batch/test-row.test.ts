import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keys, line, runsDirectory, template } from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import { connected, errorOf } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

const accepted = { body: { emailId: 'em_1' } };
const people = `to,cc,scheduled at,name
ana@example.org,,,Ana
ben@example.org,boss@example.org,2020-01-01T00:00:00Z,Ben
nobody,,,Eve
`;
const me = ['--to', 'me@example.org', '--row'];

async function setUp(...answers: readonly Answer[]) {
  const setup = await connected(...answers);
  setup.file('people.csv', people);
  return setup;
}

test('--row sends one row to --to alone, at once, whatever its recipients and copies are', async () => {
  const { run, requests, sent } = await setUp(accepted, accepted);
  const { exitCode, stdout } = await run([...line, ...me, '2', '--bcc', 'all@example.org']);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: 'em_1\n' });
  const email = { from: 'hello@example.com', subject: 'Hi Ben', text: 'Hello' };
  expect(sent(0)).toEqual({ ...email, to: 'me@example.org' });
  expect((await run([...line, ...me, '3'])).exitCode).toBe(0);
  expect(sent(1)).toMatchObject({ to: 'me@example.org', subject: 'Hi Eve' });
  expect(requests()).toEqual(['POST /api/v1/emails', 'POST /api/v1/emails']);
});

test('a test is not the send of its row: no run knows of it, and its key is its own', async () => {
  const setup = await setUp(accepted, accepted, accept);
  await setup.run([...line, ...me, '1']);
  await setup.run([...line, ...me, '1', '--idempotency-key', 'test-1']);
  expect(existsSync(runsDirectory(setup.world))).toBe(false);
  expect((await setup.run([...line, '--skip-invalid', '--allow-past'])).exitCode).toBe(11);
  expect(setup.sent(2)).toMatchObject([{ to: 'ana@example.org' }, { to: 'ben@example.org' }]);
  expect(keys(setup)).toEqual([expect.any(String), 'test-1', expect.any(String)]);
  expect(new Set(keys(setup)).size).toBe(3);
});

test('it needs a yes, and the policy applies to whom it goes', async () => {
  const { run, requests } = await setUp();
  const unasked = ['email', 'batch', 'people.csv', ...template, ...me, '1'];
  const outcome = await run([...unasked, '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('Send a test of row 1 to me@example.org?');
  const env = { MAILER_ALLOW_TO: 'ana@example.org' };
  const refused = await run([...line, ...me, '1', '--json'], { env });
  expect(errorOf(refused)).toMatchObject({ code: 'policy', addresses: ['me@example.org'] });
  expect(requests()).toEqual([]);
});

test('--dry-run shows its request', async () => {
  const { run, requests } = await setUp();
  const { stdout } = await run([...line, ...me, '1', '--dry-run', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ body: { to: 'me@example.org', subject: 'Hi Ana' } });
  expect(requests()).toEqual([]);
});

test('recipients may be in any column, or in none', async () => {
  const { run, sent, file } = await setUp(accepted);
  file('people.csv', 'name,mail_work,mail_home\nAna,a@example.org,b@example.org\n');
  expect((await run([...line, ...me, '1'])).exitCode).toBe(0);
  expect(sent(0)).toMatchObject({ to: 'me@example.org', subject: 'Hi Ana' });
});

test.each([
  ['without --to', ['--row', '1'], '--row needs --to, the address that gets the test'],
  ['a recipient of the row', ['--to', '{{ to }}', '--row', '1'], 'has no placeholders'],
  ['no address', ['--to', 'me', '--row', '1'], '--to: "me" is not an email address'],
  ['a row that is not there', [...me, '4'], 'people.csv has 3 rows, so no row 4'],
  [
    'an invalid row',
    [...me, '1', '--markdown-file', 'hi.md'],
    'row 1: --markdown-file: no value for nam',
  ],
  ['a flag about runs', [...me, '1', '--results', 'r.csv'], 'together with --results'],
  ['a preview', [...me, '1', '--preview', '1'], '--row cannot be used together with --preview'],
])('%s is an error', async (_, words, message) => {
  const { run, requests, file } = await setUp();
  file('hi.md', 'Hi {{ nam }}\n');
  const outcome = await run([...line, ...words, '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain(message);
  expect(requests()).toEqual([]);
});
