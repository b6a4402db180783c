import { describe, expect, test } from 'vitest';
import { connected, key } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--retries', '0'],
];

/** Responses that contain the key. */
const echoes: readonly (readonly [string, (key: string) => Answer])[] = [
  [
    'an envelope',
    (key) => ({ status: 403, body: { error: { code: key, message: `Bad ${key}` } } }),
  ],
  [
    'issues',
    (key) => ({
      status: 400,
      body: { success: false, error: { issues: [{ path: [key], message: key }] } },
    }),
  ],
  ['a bare string', (key) => ({ status: 404, body: { error: `No ${key}` } })],
  ['plain text', (key) => ({ status: 500, body: `Authorization: Bearer ${key}` })],
  ['HTML', (key) => ({ status: 502, body: `<html>${key}</html>` })],
  [
    'a header',
    (key) => ({ status: 400, headers: { 'x-request-id': key, 'x-echo': `Bearer ${key}` } }),
  ],
  ['an answer that is not JSON', (key) => ({ body: `<${key}>` })],
  ['a wrong answer', (key) => ({ body: { [key]: key } })],
  [
    'a redirect',
    (key) => ({ status: 302, headers: { location: `https://x.example/${key}?k=${key}` } }),
  ],
];

// Only characters that a header can have, some of which JSON escapes.
const keys = [key, 'us_"quoted"\\back\\slash/1234', 'us_short'];

describe.each(keys)('the key %s', (secret) => {
  test.each(echoes)('is not shown if the service puts it into %s', async (_, echo) => {
    for (const flags of [[], ['--json'], ['--debug'], ['--debug', '--json'], ['-q']]) {
      const { run, service } = await connected(echo(secret));
      const env = { MAILER_API_KEY: secret };
      const { exitCode, stdout, stderr } = await run([...send, ...flags], { env });
      expect(exitCode).toBeGreaterThan(0);
      expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
      for (const shown of [secret, JSON.stringify(secret).slice(1, -1)]) {
        expect(stdout + stderr).not.toContain(shown);
      }
    }
  });

  test('is not shown by --debug and --dry-run', async () => {
    const { run } = await connected({ body: { emailId: 'em_1' } }, { body: { emailId: 'em_1' } });
    const env = { MAILER_API_KEY: secret };
    const traced = await run([...send, '--debug'], { env });
    expect(traced.stderr).toContain('> authorization: Bearer ***');
    expect(traced.stdout + traced.stderr).not.toContain(secret);
    const dry = await run([...send, '--dry-run', '--debug'], { env });
    expect(dry.stdout + dry.stderr).not.toContain(secret);
  });
});

test('no part of the key is left when --debug cuts a long line', async () => {
  for (let before = 3960; before < 4010; before++) {
    const { run } = await connected({ status: 400, body: `${'x'.repeat(before)}${key}` });
    const { stderr } = await run([...send, '--debug']);
    expect(stderr).not.toContain(key.slice(0, 8));
  }
});

test('--debug shows method, URL, status and headers of each attempt', async () => {
  const { run, service } = await connected(
    { status: 503, body: 'down' },
    { body: { emailId: 'em_1' } },
  );
  const { exitCode, stdout, stderr } = await run([...send.slice(0, -2), '--debug']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'em_1\n' });
  expect(stderr.split(`> POST ${service.baseUrl}/v1/emails\n`)).toHaveLength(3);
  expect(stderr).toMatch(/^< 503 .*\n[\s\S]*^< 200 /m);
  expect(stderr).toContain('< {"emailId":"em_1"}');
});
