import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Answer, startRecorder } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const key = 'us_0123456789_wxyz';

/** The response of a service that does not tell whose a key is. */
const untold = { status: 404, body: '404 Not Found', headers: { 'content-type': 'text/plain' } };

async function loggedIn(...answers: readonly Answer[]) {
  const world = createWorld();
  const service = await startRecorder({ body: [] }, ...answers);
  await world.run(['login', '--with-token', '--base-url', service.baseUrl], { stdin: key });
  return { world, service, baseUrl: service.baseUrl };
}

test('shows profile, base URL and masked key, and where each came from', async () => {
  const { world, baseUrl } = await loggedIn({ body: [] }, untold);
  expect(await world.run('whoami')).toEqual({
    exitCode: 0,
    stdout: [
      'profile\tdefault',
      `baseUrl\t${baseUrl}`,
      'baseUrlSource\tprofile default',
      'key\t****',
      'keySource\tprofile default',
      'team\t',
      'scopes\t',
      'reachable\ttrue',
      'domains\t',
      'rateLimit\t',
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('a current profile that does not exist is why there is no key, for doctor, too', async () => {
  const { world } = await loggedIn({ body: [] });
  const { stdout: path } = await world.run('config path');
  const config = JSON.parse(readFileSync(path.trim(), 'utf8'));
  writeFileSync(path.trim(), JSON.stringify({ ...config, currentProfile: 'defualt' }));
  const hint = 'To choose another: mailer profile use NAME. Profiles: default';
  for (const line of ['whoami', 'domain list']) {
    const outcome = await world.run(line);
    expect(outcome.exitCode).toBe(3);
    expect(outcome.stderr).toBe(
      `Error: There is no API key: the current profile "defualt" does not exist.\nHint: ${hint}\n`,
    );
  }
  const { checks } = JSON.parse((await world.run('doctor --json')).stdout);
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'config', state: 'FAILED', remedy: hint }),
  );
  await world.run('profile use default');
  expect((await world.run('whoami')).exitCode).toBe(0);
});

test('--json, with key and URL of the environment', async () => {
  const { world, baseUrl } = await loggedIn({ body: [] }, untold);
  const outcome = await world.run('whoami --json', {
    env: { MAILER_API_KEY: 'us_from_env_012345', MAILER_BASE_URL: baseUrl },
  });
  expect(JSON.parse(outcome.stdout)).toEqual({
    profile: 'default',
    baseUrl,
    baseUrlSource: 'MAILER_BASE_URL',
    key: '****',
    keySource: 'MAILER_API_KEY',
    team: null,
    scopes: null,
    reachable: true,
    domains: [],
    rateLimit: null,
    policy: null,
    problem: null,
  });
});

test.each([
  ['16 characters: its ends', '0123456789abcdef', '012…cdef'],
  ['15 characters: nothing', '0123456789abcde', '****'],
  ['white space around it: without that', ' us_0123456789_wxyz\r\n', 'us_…wxyz'],
  ['512 characters: its ends', 'x'.repeat(512), 'xxx…xxxx'],
])('what is shown of a key with %s', async (_, MAILER_API_KEY, shown) => {
  const { world, baseUrl } = await loggedIn({ body: [] }, untold, { body: [] });
  const env = { MAILER_API_KEY, MAILER_BASE_URL: baseUrl };
  const { stdout } = await world.run('whoami --json', { env, terminal: 100 });
  expect(JSON.parse(stdout)).toMatchObject({ key: shown, reachable: true });
  // Logs of jobs keep what is in a pipe.
  const piped = await world.run('whoami --json', { env });
  expect(JSON.parse(piped.stdout)).toMatchObject({ key: '****' });
});

test('a key that is set but empty is named, and no job is told to log in', async () => {
  const empty = await createWorld({ CI: 'true', MAILER_API_KEY: '' }).run('domain list');
  expect(empty).toMatchObject({
    exitCode: 3,
    stderr:
      'Error: There is no API key: MAILER_API_KEY is set but empty.\nHint: In CI, this usually means that the secret does not exist, or that this job may not read it.\n',
  });
  const none = await createWorld({ CI: 'true' }).run('domain list');
  expect(none.stderr).toBe(
    'Error: There is no API key.\nHint: Set MAILER_API_KEY and MAILER_BASE_URL from the secrets of this job.\n',
  );
  const { world } = await loggedIn({ status: 401, body: { error: 'x' } });
  expect((await world.run('domain list', { env: { CI: 'true' } })).stderr).not.toContain('login');
  expect((await createWorld().run('domain list')).stderr).toContain('mailer login');
});

test('shows domains with their status, and how full the rate limit is', async () => {
  const domains = [
    { id: 2, name: 'example.org', status: 'PENDING', dnsRecords: [] },
    { id: 1, name: 'example.com', status: 'SUCCESS', dnsRecords: [] },
  ];
  const headers = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' };
  const { world } = await loggedIn(
    ...[{ body: domains, headers }, untold, { body: domains, headers }, untold],
  );
  const { stdout } = await world.run('whoami --no-color', { terminal: 100 });
  expect(stdout).toMatch(/^Domains +example\.org PENDING, example\.com SUCCESS$/m);
  expect(stdout).toMatch(/^Rate limit +2 of 2 requests used$/m);
  expect(JSON.parse((await world.run('whoami --json')).stdout)).toMatchObject({
    domains: domains.map(({ name, status }) => ({ name, status })),
    rateLimit: { limit: 2, remaining: 0 },
  });
});

describe('the team and the scopes of a key', () => {
  const scopes = { contacts: 'write', lists: 'read', templates: 'none', send: true };
  const names = ['contacts:write', 'lists:read', 'send'];
  const owner = { teamId: 7, teamName: 'Shop', scopes };

  test('are shown if the service tells them', async () => {
    const { world, service } = await loggedIn(
      { body: [] },
      { body: owner },
      { body: [] },
      { body: { ...owner, scopes: null } },
    );
    const { exitCode, stdout } = await world.run('whoami --no-color', { terminal: 100 });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Team +Shop$/m);
    expect(stdout).toMatch(/^Scopes +contacts:write, lists:read, send$/m);
    expect(service.requests.at(-1)).toMatchObject({ method: 'GET', path: '/api/v1/mcp/me' });
    expect(JSON.parse((await world.run('whoami --json')).stdout)).toMatchObject({
      team: 'Shop',
      scopes: null,
    });
  });

  test('a key whose scopes do not include domains is valid', async () => {
    const message = 'Missing scope';
    const rejected = { status: 403, body: { error: { code: 'FORBIDDEN', message } } };
    const { world } = await loggedIn(rejected, { body: owner }, rejected, { body: owner });
    const { exitCode, stdout, stderr } = await world.run('whoami --no-color', { terminal: 100 });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Domains +not allowed for this key$/m);
    expect(JSON.parse((await world.run('whoami --json')).stdout)).toMatchObject({
      scopes: names,
      domains: null,
      problem: null,
    });
  });

  test('are not known if that request fails', async () => {
    const { world } = await loggedIn({ body: [] }, { status: 500, body: 'down' });
    const { exitCode, stdout, stderr } = await world.run('whoami --json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ team: null, scopes: null, domains: [] });
  });
});

describe('a rejected send', () => {
  const send = 'email send --to a@example.org --from hello@example.com --subject Hi --text Hello';
  const rejected = { status: 403, body: { error: { code: 'FORBIDDEN', message: 'Conta' } } };
  const blocked = {
    id: 'rep_1',
    fromState: 'CRITICAL',
    toState: 'BLOCKED',
    createdAt: '2026-01-15T09:00:00Z',
  };
  const missing = { status: 404, body: '404 Not Found' };
  const state = (name: string) => ({ body: { state: name }, standing: true }) as const;

  const isFine =
    /^Hint: Nothing was sent\. The key is valid and the account is not blocked: the key may be restricted to another domain\. To list/m;
  const isBlocked = /but the account is blocked.*reputation events/;

  test.each([
    ['is blocked', [state('BLOCKED')], isBlocked],
    // The newest event may be older than the state in force.
    ['is not blocked any more', [state('HEALTHY'), { body: [blocked] }], isFine],
    ['is blocked, of an older service', [{ body: [blocked] }], isBlocked],
    ['is not, of an older service', [{ body: [] }], isFine],
    [
      'has no states to tell',
      [missing, { body: [] }],
      /^Hint: Nothing was sent\. The key is valid\. The account may be blocked: .* restricted to another domain\. To list/m,
    ],
  ])('of an account that %s is not blamed on the key', async (name, answers, hint) => {
    const { world } = await loggedIn(rejected, missing, ...answers);
    const { exitCode, stderr } = await world.run(send);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(hint);
    expect(stderr).not.toContain('Check the key');
    if (name === 'has no states to tell') expect(stderr).not.toContain('reputation events');
  });

  test('is told from a missing scope', async () => {
    const owner = (scopes: Readonly<Record<string, string | boolean>>) => ({
      body: { teamId: 7, teamName: 'Shop', scopes },
    });
    const reading = await loggedIn(rejected, owner({ campaigns: 'read', send: false }));
    expect((await reading.world.run(send)).stderr).toContain(
      'Hint: Nothing was sent. The key is valid, but lacks the scope send. It has: campaigns:read\n',
    );
    const sending = await loggedIn(rejected, owner({ send: true }), state('HEALTHY'));
    expect((await sending.world.run(send)).stderr).toMatch(isFine);
    const writing = await loggedIn(rejected, owner({ campaigns: 'write' }));
    expect((await writing.world.run('email list')).stderr).toContain('the key may be restricted');
  });

  test.each([
    ['email list', 'campaigns:read'],
    ['email cancel em_1', 'campaigns:write'],
    ['api POST /v1/campaigns/ca_1/resume', 'send'],
    ['api POST /v1/campaigns/ca_1/pause', 'campaigns:write'],
    ['contact book list', 'lists:read'],
    ['contact list --book bo_1', 'contacts:read'],
    ['template list', 'templates:read'],
    ['reputation events', 'reputation:read'],
  ])('%s lacks the scope %s', async (line, scope) => {
    const rest = { body: { teamId: 7, scopes: { none: 'write' } }, standing: true } as const;
    const { world } = await loggedIn(rejected, rest);
    expect((await world.run(line)).stderr).toContain(
      `lacks the scope ${scope}. It has: none:write`,
    );
  });

  test('with a wrong key is', async () => {
    const { world, baseUrl } = await loggedIn(rejected, rejected);
    const { stderr } = await world.run(send);
    expect(stderr).toContain(
      `Hint: Nothing was sent. Check the key of profile default, and that it belongs to ${baseUrl}`,
    );
  });
});

describe('a key that is rejected with 401', () => {
  const rejected = { status: 401, body: { error: { code: 'UNAUTHORIZED', message: 'Unknown' } } };
  const send = 'email send --to a@example.org --from hello@example.com --subject Hi --text Hello';
  const words = (baseUrl: string) => `Check that it is a key of ${baseUrl}.`;

  test.each(['email list', 'whoami', 'doctor'])(
    '%s: MAILER_API_KEY overrides mailer login',
    async (line) => {
      const { world, baseUrl } = await loggedIn(rejected, rejected);
      world.env.MAILER_API_KEY = key;
      world.env.MAILER_BASE_URL = baseUrl;
      const { exitCode, stdout, stderr } = await world.run(line);
      expect(exitCode).toBe(3);
      expect(stdout + stderr).toContain(`${words(baseUrl)} Set MAILER_API_KEY to another one`);
      expect(stdout + stderr).not.toContain('mailer login');
    },
  );

  test('of a profile: says which, and that nothing was sent or changed', async () => {
    const { world, baseUrl } = await loggedIn(rejected, rejected);
    expect((await world.run(`${send} --profile default`)).stderr).toBe(
      `Error: Unknown\nHint: Nothing was sent. ${words(baseUrl)} Store another one: mailer login --profile default\n`,
    );
    expect(
      (await world.run('contact book create --name Fans --double-opt-in on --allow-duplicate'))
        .stderr,
    ).toBe(
      `Error: Unknown\nHint: Nothing was changed. ${words(baseUrl)} Store another one: mailer login\n`,
    );
  });

  test('of a key command', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder({ body: [] }, rejected);
    await world.run(['login', '--base-url', baseUrl, '--key-command', `echo ${key}`]);
    expect((await world.run('email list')).stderr).toContain(
      'It was printed by the key command of profile default: correct that, or store another one: mailer login --key-command COMMAND',
    );
  });

  test('after something was sent, nothing is said about that', async () => {
    const { world } = await loggedIn({ body: { emailId: 'em_1' } }, rejected);
    const { stderr } = await world.run(`${send} --wait`);
    expect(stderr).not.toContain('Nothing was');
  });
});

test('an error of the connection names doctor, for the same account', async () => {
  const { world, service } = await loggedIn();
  await service.close();
  const { exitCode, stderr } = await world.run('domain list --retries 0 --profile default');
  expect(exitCode).toBe(7);
  expect(stderr).toMatch(/^Hint: To find the cause: mailer doctor --profile default$/m);
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
    key: '****',
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
  expect(outcome.stdout).toContain('reachable\t\n');
  expect(outcome.stdout).toContain('There is no API key.');
  expect(outcome.stderr).toContain('mailer login');
});

test('a key of another service is not sent: 3', async () => {
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
    team: 'Sandbox',
    scopes: null,
    reachable: true,
  });
});

describe('--features', () => {
  /** An OpenAPI document of these endpoints, with or without a base path. */
  function describing(base: string, ...endpoints: readonly string[]) {
    const paths: Record<string, Record<string, unknown>> = {};
    for (const endpoint of endpoints) {
      const [method = '', path = ''] = endpoint.split(' ');
      paths[`${base}${path}`] = { ...paths[`${base}${path}`], [method.toLowerCase()]: {} };
    }
    return { body: { openapi: '3.0.0', paths } };
  }

  const offeredIn = (stdout: string) =>
    JSON.parse(stdout) as { feature: string; offered: boolean | null; missing: string[] }[];

  test('on the sandbox: everything', async () => {
    const { exitCode, stdout, stderr } = await createWorld().run(
      'whoami --features --sandbox --json',
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const features = offeredIn(stdout);
    expect(features.map(({ feature }) => feature)).toEqual(
      expect.arrayContaining(['email', 'contact book', 'template', 'stats', 'reputation']),
    );
    for (const one of features) expect(one).toMatchObject({ offered: true, missing: [] });
  });

  test.each(['', '/api'])(
    'one request without a key, to a service with the base path "%s"',
    async (base) => {
      const { world, service } = await loggedIn(
        describing(
          base,
          ...[
            'POST /v1/campaigns',
            'GET /v1/campaigns/{id}',
            'POST /v1/campaigns/{campaign_id}/resume',
          ],
          ...['GET /v1/templates', 'PUT /v1/domains/{id}/verify', 'DELETE /v1/campaigns'],
        ),
      );
      const { stdout } = await world.run('whoami --features --json');
      const features = new Map(offeredIn(stdout).map((one) => [one.feature, one]));
      expect(features.get('campaign')?.offered).toBe(true);
      expect(features.get('campaign')?.missing).toEqual([
        ...['campaign.list', 'campaign.schedule', 'campaign.pause', 'campaign.delete'],
      ]);
      expect(features.get('stats')).toMatchObject({ offered: false });
      expect(features.get('service')).toBeUndefined();
      const [, asked, ...others] = service.requests;
      expect(asked?.path).toBe('/api/v1/doc');
      expect(asked?.headers.authorization).toBeUndefined();
      expect(others).toEqual([]);
    },
  );

  test('on a terminal: yes, no, or what is missing; --quiet: the offered ones', async () => {
    const doc = describing('', 'GET /v1/campaigns', 'POST /v1/emails');
    const { world } = await loggedIn(doc, doc);
    const { stdout } = await world.run('whoami --features --no-color', { terminal: 80 });
    expect(stdout).toMatch(/^FEATURE +OFFERED +MISSING$/m);
    expect(stdout).toMatch(/^campaign +in part +campaign\.create, campaign\.get/m);
    expect(stdout).toMatch(/^stats +no +stats\.byDay, stats\.total$/m);
    expect((await world.run('whoami --features -q')).stdout).toBe('email\ncampaign\n');
  });

  test.each([
    ['none', { status: 404, body: '404 Not Found' }],
    ['a web page', { body: '<html></html>' }],
    ['no paths', { body: { openapi: '3.0.0' } }],
    ['paths of another kind', { body: { paths: [] } }],
    ['paths of something else', { body: { paths: { '/v2/pets': { get: {} }, x: null } } }],
    ['odd paths', { body: { paths: { [`/v1/${'{'.repeat(100_000)}`]: 7, __proto__: 'get' } } }],
    [
      'a demand for a key',
      { status: 401, body: { error: { code: 'UNAUTHORIZED', message: 'No' } } },
    ],
  ] satisfies [string, Answer][])('a service with %s: not known', async (_, answer) => {
    const { world } = await loggedIn(answer, answer);
    const { exitCode, stdout, stderr } = await world.run('whoami --features');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'The service does not describe its API, so what it offers is not known.\n',
    });
    expect(stdout).toMatch(/^feature\toffered\tmissing\nemail\t\t\n/);
    const { stdout: json } = await world.run('whoami --features --json');
    for (const one of offeredIn(json)) expect(one).toMatchObject({ offered: null, missing: [] });
  });

  test('a service that cannot be reached: 7', async () => {
    const { world, service } = await loggedIn();
    await service.close();
    const { exitCode, stdout } = await world.run('whoami --features --retries 0');
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
  });

  test('a service whose base URL is all that is known: no key is needed', async () => {
    const service = await startRecorder(describing('', 'POST /v1/emails'));
    const outcome = await createWorld().run(`whoami --features -q --base-url ${service.baseUrl}`);
    expect(outcome).toEqual({ exitCode: 0, stdout: 'email\n', stderr: '' });
  });
});

describe('a policy', () => {
  test('has its rules and where they are set', async () => {
    const { world } = await loggedIn({ body: [] }, { body: [] });
    const env = { MAILER_ALLOW_TO: '*@example.com', MAILER_CAMPAIGNS: 'off' };
    const { stdout } = await world.run('whoami', { env });
    expect(stdout).toContain(
      'policy.rules\tallow-to, campaigns\npolicy.places\tMAILER_ALLOW_TO, MAILER_CAMPAIGNS\n',
    );
    expect(JSON.parse((await world.run('whoami --json', { env })).stdout).policy).toEqual({
      rules: ['allow-to', 'campaigns'],
      places: ['MAILER_ALLOW_TO', 'MAILER_CAMPAIGNS'],
      problem: null,
    });
  });

  test('that is invalid is shown, and so is the account', async () => {
    const { world, baseUrl } = await loggedIn({ body: [] });
    const { exitCode, stdout } = await world.run('whoami', { env: { MAILER_MAX_PER_DAY: 'x' } });
    expect({ exitCode, shown: stdout.split('\n') }).toEqual({
      exitCode: 0,
      shown: expect.arrayContaining([
        `baseUrl\t${baseUrl}`,
        expect.stringMatching(/^policy\.problem\tMAILER_MAX_PER_DAY: /),
      ]),
    });
  });
});
