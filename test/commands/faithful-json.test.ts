import { expect, test } from 'vitest';
import { connected } from '../support/connected.ts';
import { startRecorder } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const row =
  '{"id":"em_1","to":["a@b.c"],"domainId":12345678901234567890,"weight":1.10,"big":1e400,"zero":-0}';
const reply = `{"data":[${row}],"count":9007199254740993}`;

async function world(key = 'us_key_of_the_test') {
  const raw = { headers: { 'content-type': 'application/json' }, body: reply };
  const end = { body: { data: [], count: 1 } };
  const { baseUrl } = await startRecorder(raw, end);
  return createWorld({ MAILER_BASE_URL: baseUrl, MAILER_API_KEY: key });
}

test.each([
  ['--json', `${reply}\n`],
  ['--jsonl', `${row}\n`],
  ['--json --fields domainId,weight', undefined],
  ['--jq .data[]|.domainId,.weight', '12345678901234567890\n1.10\n'],
  ['--csv --fields domainId,weight', 'domainId,weight\r\n12345678901234567890,1.10\r\n'],
  ['--fields big,zero', 'big\tzero\n1e400\t-0\n'],
])('email list %s keeps numbers as the service wrote them', async (flags, expected) => {
  const { stdout } = await (await world()).run(`email list ${flags}`);
  expect(stdout).toBe(
    expected ??
      '{"data":[{"domainId":12345678901234567890,"weight":1.10}],"count":9007199254740993}\n',
  );
});

test('numbers of joined pages are kept, too', async () => {
  const { stdout } = await (await world()).run('email list --all --json');
  expect(stdout).toContain(row);
  expect(stdout).toContain('"count":9007199254740993');
});

test('a field that is not in the contract counts if a row has it', async () => {
  const { exitCode, stdout } = await (await world()).run('email list --fields id,weight');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'id\tweight\nem_1\t1.10\n' });
});

test.each(['', '--json', '--jsonl', '--csv', '--fields subject', '--json --fields subject'])(
  'a key in a response is not printed (%s)',
  async (flags) => {
    const key = 'us_secret_key_12345';
    const body = { data: [{ id: 'em_1', subject: `Bearer ${key}` }], count: 1 };
    const { baseUrl } = await startRecorder({ body });
    const outcome = await createWorld({ MAILER_BASE_URL: baseUrl, MAILER_API_KEY: key }).run(
      `email list ${flags}`,
    );
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stdout + outcome.stderr).not.toContain(key);
    expect(outcome.stdout).toContain('Bearer ***');
  },
);

test('filtered rows keep their numbers', async () => {
  const event =
    '{"id":"r1","fromState":"A","toState":"B","bounceRate":5.50,"createdAt":"2026-01-15T09:00:00Z"}';
  const older = event.replace('2026-01-15', '2025-01-15').replace('r1', 'r0');
  const { run } = await connected({
    headers: { 'content-type': 'application/json' },
    body: `[${event},${older}]`,
  });
  const outcome = await run(['reputation', 'events', '--since', '2026-01-01', '--json']);
  expect(outcome.stdout).toBe(`[${event}]\n`);
});

test.each([
  ...['1.10', '-0', '0.0000001', '1e3', '-2.5E-7', '123456789.123456789', '12345678901234567'],
  ...['0', '-1', '0.5', '100', '"12345678901234567, 1.10"', '[1,2.50]', '{"a":[-0]}'],
])('a value is in JSON as the service wrote it: %s', async (value) => {
  const body = `{"data":[{"id":"em_1","value":${value}}],"count":1}`;
  const { baseUrl } = await startRecorder({
    headers: { 'content-type': 'application/json' },
    body,
  });
  const world = createWorld({ MAILER_BASE_URL: baseUrl, MAILER_API_KEY: 'us_key_of_the_test' });
  expect((await world.run('email list --json')).stdout).toBe(`${body}\n`);
});
