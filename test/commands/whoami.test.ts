import { expect, test } from 'vitest';
import { type Answer, startRecorder } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const key = 'us_0123456789_wxyz';

async function loggedIn(...answers: readonly Answer[]) {
  const world = createWorld();
  const service = await startRecorder({ body: [] }, ...answers);
  await world.run(['login', '--with-token', '--base-url', service.baseUrl], { stdin: key });
  return { world, service, baseUrl: service.baseUrl };
}

test('shows profile, base URL and masked key, and where each came from', async () => {
  const { world, baseUrl } = await loggedIn({ body: [] });
  expect(await world.run('whoami')).toEqual({
    exitCode: 0,
    stdout: [
      'profile\tdefault',
      `baseUrl\t${baseUrl}`,
      'baseUrlSource\tprofile default',
      'key\tus_…wxyz',
      'keySource\tprofile default',
      'reachable\tyes',
      'problem\t',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('--json, with key and URL of the environment', async () => {
  const { world, baseUrl } = await loggedIn({ body: [] });
  const outcome = await world.run('whoami --json', {
    env: { MAILER_API_KEY: 'us_from_env_012345', MAILER_BASE_URL: baseUrl },
  });
  expect(JSON.parse(outcome.stdout)).toEqual({
    profile: 'default',
    baseUrl,
    baseUrlSource: 'MAILER_BASE_URL',
    key: 'us_…2345',
    keySource: 'MAILER_API_KEY',
    reachable: true,
    problem: null,
  });
});

test.each([
  ['16 characters: its ends', '0123456789abcdef', '012…cdef'],
  ['15 characters: nothing', '0123456789abcde', '****'],
  ['white space around it: without that', ' us_0123456789_wxyz\r\n', 'us_…wxyz'],
  ['512 characters: its ends', 'x'.repeat(512), 'xxx…xxxx'],
])('what is shown of a key with %s', async (_, MAILER_API_KEY, shown) => {
  const { world, baseUrl } = await loggedIn({ body: [] });
  const env = { MAILER_API_KEY, MAILER_BASE_URL: baseUrl };
  const { stdout } = await world.run('whoami --json', { env });
  expect(JSON.parse(stdout)).toMatchObject({ key: shown, reachable: true });
});

test('--quiet prints the profile', async () => {
  const { world } = await loggedIn({ body: [] });
  expect((await world.run('whoami --quiet')).stdout).toBe('default\n');
});

test('a rejected key: 3', async () => {
  const { world } = await loggedIn({
    status: 403,
    body: { error: { code: 'FORBIDDEN', message: 'Invalid API token' } },
  });
  const outcome = await world.run('whoami --json');
  expect(outcome.exitCode).toBe(3);
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    key: 'us_…wxyz',
    reachable: true,
    problem: { code: 'auth', message: 'Invalid API token', status: 403 },
  });
  expect(JSON.parse(outcome.stderr).error.hint).toMatch(
    /^Check that it is a key of http\S+\. Store another one: mailer login$/,
  );
});

test('an unreachable service: 7', async () => {
  const { world, service } = await loggedIn();
  await service.close();
  const outcome = await world.run('whoami --json --retries 0');
  expect(outcome.exitCode).toBe(7);
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    reachable: false,
    problem: { code: 'unavailable' },
  });
});

test('no key: 3, and what to do', async () => {
  const outcome = await createWorld().run('whoami');
  expect(outcome.exitCode).toBe(3);
  expect(outcome.stdout).toContain('reachable\tnot tried');
  expect(outcome.stdout).toContain('problem\tThere is no API key.');
  expect(outcome.stderr).toContain('mailer login');
});

test('a key that belongs elsewhere is not sent: 3', async () => {
  const { world } = await loggedIn();
  const other = await startRecorder();
  const outcome = await world.run(['whoami', '--base-url', other.baseUrl]);
  expect(outcome.exitCode).toBe(3);
  expect(outcome.stdout).toContain(`it was not sent to ${other.url}`);
  expect(other.requests).toEqual([]);
});

test('the sandbox', async () => {
  const outcome = await createWorld().run('whoami --sandbox --json');
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    profile: null,
    baseUrlSource: '--sandbox',
    reachable: true,
  });
});
