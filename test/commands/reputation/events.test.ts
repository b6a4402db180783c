import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

function event(id: string, createdAt: string) {
  return {
    id,
    fromState: 'HEALTHY',
    toState: 'WARNING',
    bounceRate: 5.214,
    sampleSize: 1419,
    actor: 'suporte',
    reason: null,
    createdAt,
    novel: { kept: true },
  };
}

const newest = event('rep_3', '2026-01-15T08:00:00.000Z');
const middle = event('rep_2', '2026-01-14T10:00:00.000Z');
const oldest = event('rep_1', '2026-01-01T00:00:00.000Z');

test('piped: tab-separated rows, newest first, the rate as a number', async () => {
  const { stdout, stderr, exitCode } = await createWorld().run('reputation events --sandbox');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(9);
  expect(lines.slice(0, 3)).toEqual([
    'createdAt\tfromState\ttoState\tbounceRate\tsampleSize\tactor\treason',
    '2026-01-08T10:00:00.000Z\tWARNING\tHEALTHY\t1.943\t3088\tsystem\t',
    '2026-01-01T10:00:00.000Z\tSUPERVISED\tWARNING\t5.5\t2400\tsuporte\tReview ended',
  ]);
});

test('on a terminal of 80 columns: the plot, an empty line, the table', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  const { stdout } = await world.run('reputation events --sandbox', { terminal: 80 });
  const [plot = '', table = ''] = stdout.trimEnd().split('\n\n');
  expect(plot.split('\n')).toEqual([
    'Bounce rate at each change',
    '   12% ┤',
    '       │                           B  S',
    '       │                         C │  │',
    '       │                         │ │  │',
    '    6% ┤                        W│ │  │                  W',
    '       │W  H                    ││ │  │                  │',
    '       ││  │                    ││ │  │                  │',
    '       ││  │                    ││ │  │                  │          H',
    '    0% └╌╌╌─────────────────────╌━━███╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌────────────',
    '        2025-12-01                     2025-12-23                            now',
    'sample  ▄  ▅                    ▅▆ ▆  ▆                  ▇          █',
    '           1602                  1965 2074               2400       3088',
    'W WARNING ╌  H HEALTHY  C CRITICAL ━  B BLOCKED █  S SUPERVISED ╌',
  ]);
  const lines = table.split('\n');
  expect(lines[0]).toMatch(/^WHEN +FROM +TO +BOUNCE RATE +SAMPLE +ACTOR +REASON$/);
  expect(lines[1]).toMatch(/^7 days ago +WARNING +HEALTHY +1.943% +3088 +system$/);
  expect(lines).toHaveLength(9);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the plot names a time zone that is not that of the machine', async () => {
  const line = 'reputation events --sandbox --no-color --timezone Asia/Tokyo';
  const { stdout } = await createWorld().run(line, { terminal: 80 });
  expect(stdout).toMatch(/^Bounce rate at each change, Asia\/Tokyo\n/);
});

test('the plot has the colours of the states', async () => {
  const { stdout } = await createWorld().run('reputation events --sandbox', { terminal: 80 });
  expect(stdout).toContain('\x1b[31mB\x1b[39m  \x1b[1m\x1b[35mS\x1b[39m\x1b[22m\n');
  expect(stdout).toContain('\x1b[32mH HEALTHY\x1b[39m');
});

test.each(['--json', '--jsonl', '--csv', '-q', '--fields id'])(
  'no plot on a terminal with %s',
  async (flags) => {
    const { stdout } = await createWorld().run(`reputation events --sandbox ${flags}`, {
      terminal: 80,
    });
    expect(stdout).toMatch(/rep_8|1\.943/);
    expect(stdout).not.toContain('┤');
  },
);

test('the plot is drawn of the rows that are listed', async () => {
  const { stdout } = await createWorld({ NO_COLOR: '1' }).run(
    ['reputation', 'events', '--sandbox', '--since', '20 days ago'],
    { terminal: 80 },
  );
  expect(stdout).toContain('\nW WARNING ╌  H HEALTHY\n\nWHEN ');
});

test('nothing to show on a terminal: no plot either', async () => {
  const { world } = await connected({ body: [] });
  const { stdout, stderr } = await world.run('reputation events', { terminal: 80 });
  expect(stdout).toBe('');
  expect(stderr).toContain('No changes of the deliverability state.\n');
});

test('--limit is in the query, and absent without the flag', async () => {
  const { world, requests } = await connected({ body: [] }, { body: [] });
  await world.run('reputation events');
  await world.run('reputation events --limit 200');
  expect(requests()).toEqual([
    'GET /api/v1/reputation/events',
    'GET /api/v1/reputation/events?limit=200',
  ]);
  const { stdout } = await createWorld().run('reputation events --sandbox --limit 2 -q');
  expect(stdout).toBe('rep_8\nrep_7\n');
});

test('--since filters locally, and requests the most there can be', async () => {
  const { world, requests } = await connected({ body: [newest, middle, oldest] });
  const { stdout, stderr } = await world.run([
    'reputation',
    'events',
    '--since',
    '24 hours ago',
    '-q',
  ]);
  expect({ stdout, stderr }).toEqual({ stdout: 'rep_3\nrep_2\n', stderr: '' });
  expect(requests()).toEqual(['GET /api/v1/reputation/events?limit=200']);
});

test('--json is the unmodified response, or the part in the period', async () => {
  const body = [newest, middle, oldest];
  const { world } = await connected({ body }, { body }, { body });
  expect(JSON.parse((await world.run('reputation events --json')).stdout)).toEqual(body);
  const cut = await world.run('reputation events --since 2026-01-15 --json');
  expect(JSON.parse(cut.stdout)).toEqual([newest]);
  const none = await world.run('reputation events --since 2026-01-15T09:00Z --json');
  expect(none).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' });
});

test('--since is read in the time zone in force', async () => {
  const { world } = await connected({ body: [newest, middle] }, { body: [newest, middle] });
  const since = ['reputation', 'events', '-q', '--since', '2026-01-14 10:30'];
  expect((await world.run(since)).stdout).toBe('rep_3\n');
  expect((await world.run([...since, '--timezone', 'Europe/Berlin'])).stdout).toBe(
    'rep_3\nrep_2\n',
  );
});

test('reports that there may be more than were requested', async () => {
  const body = [newest, middle];
  const { world } = await connected({ body }, { body }, { body });
  expect((await world.run('reputation events --since 2025-12-01 --limit 2')).stderr).toBe(
    'Only the newest 2 were requested; there may be more since then.\n',
  );
  expect((await world.run('reputation events --since 2026-01-15 --limit 2')).stderr).toBe('');
  expect((await world.run('reputation events --limit 2')).stderr).toBe('');
});

test('--csv and --fields', async () => {
  const { world } = await connected({ body: [newest] }, { body: [newest] });
  expect((await world.run('reputation events --csv')).stdout).toBe(
    'createdAt,fromState,toState,bounceRate,sampleSize,actor,reason\r\n2026-01-15T08:00:00.000Z,HEALTHY,WARNING,5.214,1419,suporte,\r\n',
  );
  expect((await world.run('reputation events --fields toState,bounceRate')).stdout).toBe(
    'toState\tbounceRate\nWARNING\t5.214\n',
  );
});

test('nothing to show', async () => {
  const { world } = await connected({ body: [] });
  const { stdout, stderr } = await world.run('reputation events');
  expect(stdout).toBe('createdAt\tfromState\ttoState\tbounceRate\tsampleSize\tactor\treason\n');
  expect(stderr).toBe('No changes of the deliverability state.\n');
});

test.each([
  ['--limit 0', '--limit: "0" is not a whole number from 1 to 200'],
  ['--limit 201', '--limit: "201" is not a whole number from 1 to 200'],
  ['--limit 5x', '--limit: "5x" is not a whole number from 1 to 200'],
  ['--since gibberish', '--since: "gibberish" is not a time'],
  ['--json --csv', '--json and --csv cannot be used together'],
])('%s is a usage error, and nothing is sent', async (flags, message) => {
  const { world, requests } = await connected();
  const { exitCode, stdout, stderr } = await world.run(`reputation events ${flags}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('an unknown state is shown unchanged; a response without one: 8', async () => {
  const { world } = await connected(
    { body: [{ ...newest, toState: 'FROZEN' }] },
    { body: [{ id: 'rep_1' }] },
  );
  expect((await world.run('reputation events')).stdout).toContain('\tFROZEN\t');
  const { exitCode, stdout } = await world.run('reputation events');
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
});

describe('404 in plain text', () => {
  const lacking: Answer = { status: 404, body: '404 Not Found' };
  const refused: Answer = { status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } };
  const words = 'reputation events --retries 0';

  test('of a service with other endpoints: it does not offer this one', async () => {
    const { run, service, requests } = await connected(lacking, { body: [] }, lacking, {
      body: [],
    });
    const outcome = await run(`${words} --json`);
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome)).toMatchObject({
      code: 'not_offered',
      message: 'This service does not report the reputation of accounts.',
      status: 404,
      hint: 'For delivered and bounced emails: mailer stats',
    });
    expect(requests()).toEqual(['GET /api/v1/reputation/events', 'GET /api/v1/domains']);
    const keys = service.requests.map(({ headers }) => headers.authorization);
    expect(new Set(keys).size).toBe(1);
    expect(await run(`${words} --fail-on BLOCKED`)).toEqual({
      exitCode: 4,
      stdout: '',
      stderr:
        'Error: This service does not report the reputation of accounts.\nHint: For delivered and bounced emails: mailer stats\n',
    });
  });

  test.each([
    ['nothing else in JSON', { body: '<html></html>' }],
    ['no other endpoint', lacking],
    ['no response', (response) => void response.destroy()],
  ] satisfies [string, Answer][])('of one that has %s: check the base URL', async (_, other) => {
    const { run, service } = await connected(lacking, other);
    const { code, message, hint } = errorOf(await run(`${words} --json`));
    expect({ code, message }).toEqual({ code: 'not_found', message: '404 Not Found' });
    expect(hint).toContain(
      `Check the base URL, whose path usually ends in /api: ${service.baseUrl}`,
    );
    expect(service.requests).toHaveLength(2);
  });

  test('of one that rejects the key elsewhere, in JSON: it does not offer this', async () => {
    const { run } = await connected(lacking, refused);
    expect(errorOf(await run(`${words} --json`)).code).toBe('not_offered');
  });

  test('the request that explains it lasts three seconds at most, however many retries', async () => {
    const silence: Answer = () => {};
    const { run, world } = await connected(lacking, ...Array<Answer>(20).fill(silence));
    const outcome = await run('reputation events --timeout 0.2 --retries 15', {
      random: () => 0.999,
    });
    expect(outcome).toMatchObject({ exitCode: 4 });
    expect(world.clock.elapsed).toBeLessThanOrEqual(3000);
  });

  test('of an endpoint of every service: check the base URL, without another request', async () => {
    const { run, service } = await connected(lacking);
    const { code, hint } = errorOf(await run('domain list --json'));
    expect(code).toBe('not_found');
    expect(hint).toContain(service.baseUrl);
    expect(service.requests).toHaveLength(1);
  });

  test('of a write names its method; nothing is sent again', async () => {
    const { run, requests } = await connected(lacking, { body: [] });
    const outcome = await run('api PATCH /v1/campaigns/cm3k9x2f8?x=1 -f name=x --json');
    expect(errorOf(outcome).message).toBe(
      'This service does not offer PATCH /v1/campaigns/cm3k9x2f8.',
    );
    expect(requests()).toEqual(['PATCH /api/v1/campaigns/cm3k9x2f8?x=1', 'GET /api/v1/domains']);
  });

  test('is shown by api -i, and explained', async () => {
    const { run } = await connected(lacking, { body: [] });
    const { exitCode, stdout, stderr } = await run('api GET /v1/webhooks -i');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr:
        'Error: This service does not offer GET /v1/webhooks.\nHint: Check method and path. To see what the service offers: mailer api /v1/doc\n',
    });
    expect(stdout).toMatch(/^HTTP 404 Not Found\n.*\n\n404 Not Found$/s);
  });

  test('of an endpoint that some services have, written to api: the path is not blamed', async () => {
    const { run } = await connected(lacking, { body: [] });
    expect(await run('api GET /v1/templates')).toEqual({
      exitCode: 4,
      stdout: '',
      stderr:
        'Error: This service has no templates.\nHint: To see what it offers: mailer whoami --features\n',
    });
  });
});
