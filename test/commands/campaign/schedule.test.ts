import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import type { Recorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { create, get, html, page, summary } from './draft.ts';

const atOnce = /^Sent at once: Thu 1 Jan 2026, .* is in the past\.\n$/;

const id = 'cm3k9x2f8000008l4';
const missing = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'Campaign not found' } },
};
const success = { body: { success: true } };

function withBodies({ requests }: Recorder): string[] {
  return requests.map(({ method, path, body }) => `${method} ${path} ${body}`);
}

test('an English time becomes UTC, shown local and UTC', async () => {
  const world = createWorld();
  const created = await create(world, 'Spring news');
  const outcome = await world.run([
    ...[
      'campaign',
      'schedule',
      created,
      '--yes',
      '--sandbox',
      '--scheduled-at',
      'next monday 10:30',
    ],
    ...['--timezone', 'America/New_York'],
  ]);
  expect(outcome).toEqual({
    exitCode: 0,
    stdout: `${created}\n`,
    stderr: 'Scheduled for Mon 19 Jan 2026, 10:30 GMT-5 (2026-01-19T15:30:00Z).\n',
  });
  expect(await get(world, created)).toMatchObject({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-19T15:30:00.000Z',
  });
});

test('--now starts it', async () => {
  const world = createWorld();
  const created = await create(world, 'Spring news');
  const { stdout, stderr } = await world.run(`campaign schedule ${created} --yes --now --sandbox`);
  expect(stdout).toBe(`${created}\n`);
  expect(stderr).toBe(
    `The service starts it now. To follow it: mailer campaign watch ${created} --sandbox\n`,
  );
  world.clock.advance(60_000);
  expect(await get(world, created)).toMatchObject({ status: 'SENT', sent: 11 });
});

test('the bodies: empty for now, with the time, with the batch size', async () => {
  const { world, service } = await connected(success, success, success);
  await world.run(`campaign schedule ${id} --yes --literal --allow-blank --again --now`);
  await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --scheduled-at 2026-02-01T09:00:00+01:00`,
  );
  await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --now --batch-size 100000 --json`,
  );
  const path = `POST /api/v1/campaigns/${id}/schedule`;
  expect(withBodies(service)).toEqual([
    `${path} {}`,
    `${path} {"scheduledAt":"2026-02-01T08:00:00Z"}`,
    `${path} {"batchSize":100000}`,
  ]);
});

test('--json is the unmodified response', async () => {
  const { world } = await connected({ body: { success: true, novel: 1 } });
  const { stdout } = await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --now --json`,
  );
  expect(JSON.parse(stdout)).toEqual({ success: true, novel: 1 });
});

test('a name is looked up first', async () => {
  const { world, service } = await connected(page(summary('camp_1')), success);
  const { stdout } = await world.run([
    'campaign',
    'schedule',
    'Spring news',
    '--now',
    '--yes',
    '--literal',
    '--allow-blank',
    '--again',
  ]);
  expect(stdout).toBe('camp_1\n');
  expect(withBodies(service)).toEqual([
    'GET /api/v1/campaigns?page=1&search=Spring+news ',
    'POST /api/v1/campaigns/camp_1/schedule {}',
  ]);
});

test('a name that looks like an id is looked up only if no such id exists', async () => {
  const { world, service } = await connected(
    missing,
    page(summary('camp_1', { name: 'spring-2026' })),
    success,
  );
  const { stdout } = await world.run(
    'campaign schedule spring-2026 --yes --literal --allow-blank --again --now',
  );
  expect(stdout).toBe('camp_1\n');
  expect(withBodies(service)).toEqual([
    'POST /api/v1/campaigns/spring-2026/schedule {}',
    'GET /api/v1/campaigns?page=1&search=spring-2026 ',
    'POST /api/v1/campaigns/camp_1/schedule {}',
  ]);
});

test('an unknown name is used as an id', async () => {
  const { world, service } = await connected(page(), success);
  expect(
    (await world.run('campaign schedule odd --yes --literal --allow-blank --again --now')).stdout,
  ).toBe('odd\n');
  expect(withBodies(service)[1]).toBe('POST /api/v1/campaigns/odd/schedule {}');
});

test('no such id and no such name: 4, with the message of the service', async () => {
  const { world } = await connected(missing, page());
  expect(
    await world.run(`campaign schedule ${id} --yes --literal --allow-blank --again --now`),
  ).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'Error: Campaign not found\nHint: To list the campaigns: mailer campaign list\n',
  });
});

test('no such id, and the look-up fails: still 4', async () => {
  const { world } = await connected(missing, { status: 500, body: {} });
  const { exitCode, stderr } = await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --now --retries 0`,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 4, stderr: 'Error: Campaign not found\n' });
});

test('an unknown name that cannot be an id: 4, and nothing is written', async () => {
  const { world, service } = await connected(page());
  const { exitCode, stderr } = await world.run([
    'campaign',
    'schedule',
    'No such',
    '--now',
    '--yes',
  ]);
  expect(exitCode).toBe(4);
  expect(stderr).toContain('There is no campaign "No such".');
  expect(withBodies(service)).toHaveLength(1);
});

test('an ambiguous name: 2, with the ids, and nothing is written', async () => {
  const world = createWorld();
  const ids = [await create(world, 'Twin'), await create(world, 'Twin', '--allow-duplicate')];
  const { exitCode, stderr } = await world.run('campaign schedule Twin --yes --now --sandbox');
  expect(exitCode).toBe(2);
  for (const each of ids) {
    expect(stderr).toContain(`  ${each}  DRAFT  2026-01-15T10:00:00.000Z\n`);
    expect(await get(world, each)).toMatchObject({ status: 'DRAFT' });
  }
});

test.each([
  ['', 'Missing --scheduled-at'],
  ['--scheduled-at tomorrow --now', '--now and --scheduled-at cannot be used together'],
  ['--scheduled-at yesterday', 'is in the past'],
  ['--scheduled-at soonish', '--scheduled-at: "soonish" is not a time'],
  ['--now --batch-size 0', '--batch-size: "0" is not a whole number from 1 to 100000'],
])('%s is a usage error, and nothing is sent', async (flags, message) => {
  const { world, service } = await connected();
  const { exitCode, stdout, stderr } = await world.run(`campaign schedule Spring --yes ${flags}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test('--allow-past', async () => {
  const { world, service } = await connected(success);
  const line = `campaign schedule ${id} --yes --literal --allow-blank --again --scheduled-at 2026-01-01T00:00:00Z --allow-past`;
  expect((await world.run(line)).stderr).toMatch(atOnce);
  expect(withBodies(service)[0]).toContain('{"scheduledAt":"2026-01-01T00:00:00Z"}');
});

test('--dry-run shows an id unmodified, and a name encoded, with a note about the look-up', async () => {
  const { world, service } = await connected();
  const byId = await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --now --dry-run`,
  );
  expect(byId.stdout).toContain(`POST ${service.baseUrl}/v1/campaigns/${id}/schedule\n`);
  expect(byId.stderr).toMatch(/^A dry run looks nothing up, .*\nDry run: nothing was sent\.\n$/);
  const byName = await world.run([
    'campaign',
    'schedule',
    'Spring/news',
    '--now',
    '--dry-run',
    '--json',
  ]);
  expect(JSON.parse(byName.stdout)).toMatchObject({
    url: `${service.baseUrl}/v1/campaigns/Spring%2Fnews/schedule`,
    body: {},
  });
  expect(byName.stderr).toContain(
    'The campaign "Spring/news" would be looked up first; the path then has its id.\nDry run: nothing was sent.\n',
  );
  expect(service.requests).toHaveLength(0);
});

test('success: false is an error', async () => {
  const { world } = await connected({ body: { success: false } });
  const { exitCode, stdout, stderr } = await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --now`,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('Error: The service did not carry out the request.\n');
});

test('is not repeated if the outcome is unknown', async () => {
  const { world, service } = await connected({ status: 502, body: 'bad gateway' });
  const { exitCode, stderr } = await world.run(
    `campaign schedule ${id} --yes --literal --allow-blank --again --now`,
  );
  expect(exitCode).toBe(7);
  expect(stderr).toContain('The request may have been carried out.');
  expect(service.requests).toHaveLength(1);
});

describe('a start that the service rejects', () => {
  const rejected = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Não foi' } } };
  const domains = { body: [{ id: 1, name: 'example.com', status: 'SUCCESS' }] };
  const draft = { body: summary(id, { contactBookId: 'book_1' }) };

  test('because nobody has confirmed yet: the hint says what it needs', async () => {
    const world = createWorld();
    await world.run('contact book create --name Readers --double-opt-in on --sandbox');
    await world.run('contact add --book Readers --email ana@example.org --sandbox --yes');
    const words =
      'campaign create --name First --from news@example.com --subject Hi --book Readers';
    await world.run([...words.split(' '), '--html', html, '--sandbox']);
    const outcome = await world.run('campaign schedule First --yes --now --sandbox');
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).toContain(
      'Hint: A campaign starts only if its contact book has a subscribed contact. Contacts subscribe',
    );
  });

  test.each([
    ['somebody is subscribed', { body: [{ id: 'c', email: 'a@example.org', subscribed: true }] }],
    ['the contacts cannot be listed', { status: 403, body: {} }],
  ])('where %s: no such hint', async (_, contacts) => {
    const { run, requests } = await connected(rejected, draft, domains, contacts);
    const { exitCode, stderr } = await run(
      `campaign schedule ${id} --yes --literal --allow-blank --again --now`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toBe('Error: Não foi\n');
    expect(requests().slice(1)).toEqual([
      `GET /api/v1/campaigns/${id}`,
      'GET /api/v1/domains',
      'GET /api/v1/contactBooks/book_1/contacts',
    ]);
  });

  test('because of its sender: the hint names the domains', async () => {
    const { run } = await connected(rejected, draft, { body: [] });
    const { stderr } = await run(
      `campaign schedule ${id} --yes --literal --allow-blank --again --now`,
    );
    expect(stderr).toContain('Hint: This account has no domain example.com, or this key');
  });
});
