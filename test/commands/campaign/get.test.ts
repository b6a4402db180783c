import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, lacking, noSuch, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';

test('by id or by exact name: the same campaign, with its counters', async () => {
  const world = createWorld();
  const created = await create(world, 'Spring news', '--scheduled-at', 'tomorrow');
  await create(world, 'Spring news 2');
  const expected = [
    `id\t${created}`,
    'name\tSpring news',
    'status\tSCHEDULED',
    'from\tnews@example.com',
    'subject\tNews',
    'scheduledAt\t2026-01-16T00:00:00.000Z',
    'total\t11',
    'sent\t0',
    'delivered\t0',
    'unsubscribed\t0',
  ];
  for (const named of [created, 'Spring news']) {
    const { stdout, exitCode } = await world.run(['campaign', 'get', named, '--sandbox']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(expected));
  }
});

test('every counter is shown, and --json is the unmodified campaign', async () => {
  const row = summary(id, {
    ...{ total: 100, sent: 99, delivered: 98, opened: 50, clicked: 20, unsubscribed: 3 },
    ...{ bounced: 2, hardBounced: 1, complained: 4, novel: { kept: true } },
  });
  const { world, requests } = await connected(...Array(3).fill({ body: row }));
  const { stdout } = await world.run(`campaign get ${id}`);
  expect(stdout).toContain(
    'total\t100\nsent\t99\ndelivered\t98\nopened\t50\nclicked\t20\nunsubscribed\t3\nbounced\t2\nhardBounced\t1\ncomplained\t4\n',
  );
  expect(JSON.parse((await world.run(`campaign get ${id} --json`)).stdout)).toEqual(row);
  const fields = await world.run(`campaign get ${id} --fields complained,novel.kept`);
  expect(fields.stdout).toBe('complained\t4\nnovel.kept\ttrue\n');
  expect(requests()).toEqual(Array(3).fill(`GET /api/v1/campaigns/${id}`));
});

test('on a terminal: times in words, empty fields left out', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  const created = await create(world, 'Spring news');
  const { stdout } = await world.run(`campaign get ${created} --sandbox`, { terminal: 80 });
  expect(stdout).toMatch(/^Id +c[a-z0-9]{24}\nName +Spring news\nStatus +DRAFT\n/);
  expect(stdout).toMatch(/^Created +just now, 2026-01-15 10:00$/m);
  expect(stdout).not.toContain('Scheduled');
  expect((await world.run(`campaign get ${created} --sandbox -q`)).stdout).toBe(`${created}\n`);
});

test.each([
  ['has only the list', lacking],
  [
    'fails at it',
    { status: 500, body: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'no' } } },
  ],
])('at a service that %s an id is searched for page by page', async (_, answer) => {
  const { world, requests } = await connected(
    answer,
    { body: { campaigns: [summary('camp_9')], totalPage: 9 } },
    { body: { campaigns: [summary(id)], totalPage: 9 } },
  );
  expect((await world.run(`campaign get ${id} -q`)).stdout).toBe(`${id}\n`);
  expect(requests()).toEqual([
    `GET /api/v1/campaigns/${id}`,
    ...['GET /api/v1/campaigns?page=1', 'GET /api/v1/campaigns?page=2'],
  ]);
});

test('a name is searched for on all pages, and only the exact one counts', async () => {
  const { world, requests } = await connected(
    { body: { campaigns: [summary('camp_9', { name: 'More Spring news' })], totalPage: 2 } },
    {
      body: {
        campaigns: [summary('camp_8'), summary('c7', { name: 'SPRING NEWS' })],
        totalPage: 2,
      },
    },
    { body: summary('camp_8', { opened: 7 }) },
  );
  const { stdout } = await world.run(['campaign', 'get', 'Spring news', '--fields', 'id,opened']);
  expect(stdout).toBe('id\tcamp_8\nopened\t7\n');
  expect(requests()).toEqual([
    'GET /api/v1/campaigns?page=1&search=Spring+news',
    'GET /api/v1/campaigns?page=2&search=Spring+news',
    'GET /api/v1/campaigns/camp_8',
  ]);
});

test('a name at a service that has only the list: as listed', async () => {
  const row = summary('camp_8', { sent: 5 });
  const { world, requests } = await connected(page(row), lacking);
  const { stdout } = await world.run(['campaign', 'get', 'Spring news', '--json']);
  expect(JSON.parse(stdout)).toEqual(row);
  expect(requests()).toHaveLength(2);
});

test('a name that looks like an id is found too, in full', async () => {
  const named = { name: 'spring-2026' };
  const { world, requests } = await connected(noSuch, page(summary('camp_1', named)), {
    body: summary('camp_1', { ...named, html: '<p>x</p>' }),
  });
  const { stdout } = await world.run('campaign get spring-2026 --json');
  expect(JSON.parse(stdout)).toMatchObject({ id: 'camp_1', html: '<p>x</p>' });
  expect(requests()).toEqual([
    'GET /api/v1/campaigns/spring-2026',
    'GET /api/v1/campaigns?page=1&search=spring-2026',
    'GET /api/v1/campaigns/camp_1',
  ]);
});

test('an id in an unusual form is found too', async () => {
  const { world, requests } = await connected(page(), { body: summary('odd') });
  expect((await world.run('campaign get odd -q')).stdout).toBe('odd\n');
  expect(requests()).toEqual([
    'GET /api/v1/campaigns?page=1&search=odd',
    'GET /api/v1/campaigns/odd',
  ]);
});

test.each(['Twin', 'twin-2026'])('several of the name %s: 2, with their ids', async (name) => {
  const rows = [
    summary('camp_2', { name, status: 'SENT' }),
    summary('camp_1', { name, createdAt: '2025-12-01T08:00:00.000Z' }),
  ];
  const { world } = await connected(...(name === 'Twin' ? [] : [noSuch]), page(...rows));
  expect(await world.run(['campaign', 'get', name])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: [
      `Error: 2 campaigns are named "${name}":`,
      '  camp_2  SENT  2026-01-15T09:59:00.000Z',
      '  camp_1  DRAFT  2025-12-01T08:00:00.000Z',
      'Hint: Use the id instead.',
      '',
    ].join('\n'),
  });
});

test.each([id, 'Nothing like it', 'odd'])('there is no %s: 4', async (named) => {
  const world = createWorld();
  await create(world, 'Spring news');
  const { exitCode, stdout, stderr } = await world.run(['campaign', 'get', named, '--sandbox']);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: `Error: There is no campaign "${named}".\nHint: To list the campaigns: mailer campaign list --sandbox\n`,
  });
});

test('an empty argument: 2, and nothing is sent', async () => {
  const { world, requests } = await connected();
  const { exitCode, stderr } = await world.run(['campaign', 'get', '', '--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error).toEqual({
    code: 'usage',
    message: "The campaign's id or name is empty",
  });
  expect(requests()).toEqual([]);
});
