import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, createWords, page, summary } from './draft.ts';

test('piped: tab-separated rows, newest first, header first', async () => {
  const world = createWorld();
  const older = await create(world, 'Older');
  world.clock.advance(1000);
  const newer = await create(world, 'Newer\tone');
  expect(await world.run('campaign list --sandbox')).toEqual({
    exitCode: 0,
    stdout: [
      'id\tname\tstatus\tsent\ttotal\tcreatedAt',
      `${newer}\tNewer\\tone\tDRAFT\t0\t0\t2026-01-15T10:00:01.000Z`,
      `${older}\tOlder\tDRAFT\t0\t0\t2026-01-15T10:00:00.000Z`,
      '',
    ].join('\n'),
    stderr: '',
  });
});

test('on a terminal of 80 columns the id is complete, and the name is cut', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  const id = await create(world, 'A name that is far longer than anybody needs it to be');
  world.clock.advance(2 * 60 * 60 * 1000);
  const { stdout } = await world.run('campaign list --sandbox', { terminal: 80 });
  const [head = '', row = ''] = stdout.split('\n');
  expect(head).toMatch(/^ID +NAME +STATUS +SENT +TOTAL +CREATED$/);
  expect(row).toMatch(new RegExp(`^${id}  A name .*…  DRAFT +0 +0 +2 hours ago$`));
  expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(80);
});

test('--json is the unmodified response; --fields reduces its rows', async () => {
  const reply = { campaigns: [summary('camp_1', { novel: 1 })], totalPage: 1, extra: null };
  const { world } = await connected({ body: reply }, { body: reply });
  expect(JSON.parse((await world.run('campaign list --json')).stdout)).toEqual(reply);
  const { stdout } = await world.run('campaign list --json --fields status,id');
  expect(JSON.parse(stdout)).toEqual({
    campaigns: [{ status: 'DRAFT', id: 'camp_1' }],
    totalPage: 1,
    extra: null,
  });
});

test('--quiet, --jsonl, --csv', async () => {
  const rows = [summary('camp_2', { name: 'A, b' }), summary('camp_1')];
  const { world } = await connected(page(...rows), page(...rows), page(...rows));
  expect((await world.run('campaign list -q')).stdout).toBe('camp_2\ncamp_1\n');
  const { stdout } = await world.run('campaign list --jsonl');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(rows);
  expect((await world.run('campaign list --csv')).stdout).toBe(
    'id,name,status,sent,total,createdAt\r\ncamp_2,"A, b",DRAFT,0,0,2026-01-15T09:59:00.000Z\r\ncamp_1,Spring news,DRAFT,0,0,2026-01-15T09:59:00.000Z\r\n',
  );
});

test('page, status and search are the query; empty ones are left out', async () => {
  const { world, requests } = await connected(page(), page(), page());
  await world.run([
    'campaign',
    'list',
    '--page',
    '3',
    '--status',
    'draft',
    '--search',
    'März & co',
  ]);
  await world.run(['campaign', 'list', '--status', '', '--search', '']);
  expect(requests()).toEqual([
    'GET /api/v1/campaigns?page=3&status=DRAFT&search=M%C3%A4rz+%26+co',
    'GET /api/v1/campaigns?page=1',
  ]);
});

test('--status and --search select', async () => {
  const world = createWorld();
  const draft = await create(world, 'March');
  await create(world, 'April', '--scheduled-at', 'tomorrow');
  expect((await world.run('campaign list --sandbox -q --status DRAFT')).stdout).toBe(`${draft}\n`);
  expect((await world.run('campaign list --sandbox -q --search MAR')).stdout).toBe(`${draft}\n`);
});

test('no campaigns: only the header, and a sentence on stderr', async () => {
  const outcome = await createWorld().run('campaign list --sandbox');
  expect(outcome).toEqual({
    exitCode: 0,
    stdout: 'id\tname\tstatus\tsent\ttotal\tcreatedAt\n',
    stderr: 'No campaigns.\n',
  });
});

test('a page past the end is reported', async () => {
  const { world } = await connected({ body: { campaigns: [], totalPage: 3 } });
  const { exitCode, stderr } = await world.run('campaign list --page 99');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'Page 99 is past the end: the last page is 3.\n',
  });
});

test('prints the command for the next page, but not after the last', async () => {
  const body = { campaigns: [summary('camp_1')], totalPage: 3 };
  const { world } = await connected({ body }, { body });
  expect((await world.run('campaign list --page 2')).stderr).toBe(
    'Page 2 of 3. Next: --page 3, or --all\n',
  );
  expect((await world.run('campaign list --page 3')).stderr).toBe('');
});

test('--all pages to the end, and shows campaigns once that new ones push to a later page', async () => {
  const world = createWorld();
  const ids: string[] = [];
  for (let index = 0; index < 31; index++) ids.unshift(await create(world, `Campaign ${index}`));
  const { stdout, stderr } = await world.run('campaign list --sandbox --all -q');
  expect(stdout).toBe(`${ids.join('\n')}\n`);
  expect(stderr).toBe('');

  const { world: other, requests } = await connected(
    { body: { campaigns: [summary('camp_3'), summary('camp_2')], totalPage: 2 } },
    { body: { campaigns: [summary('camp_2'), summary('camp_1')], totalPage: 2 } },
  );
  const joined = JSON.parse((await other.run('campaign list --all --json')).stdout);
  expect(joined.totalPage).toBe(2);
  expect(joined.campaigns).toEqual([summary('camp_3'), summary('camp_2'), summary('camp_1')]);
  expect(requests()).toEqual(['GET /api/v1/campaigns?page=1', 'GET /api/v1/campaigns?page=2']);
});

test('--all: one header for all pages; an empty page is the last', async () => {
  const { world, requests } = await connected(
    { body: { campaigns: [summary('camp_2')], totalPage: 9 } },
    { body: { campaigns: [summary('camp_1')], totalPage: 9 } },
    { body: { campaigns: [], totalPage: 9 } },
  );
  const { stdout } = await world.run('campaign list --all --fields id');
  expect(stdout).toBe('id\ncamp_2\ncamp_1\n');
  expect(requests()).toHaveLength(3);
});

test('--all ends at a short page if the service does not count pages', async () => {
  const full = Array.from({ length: 30 }, (_, index) => summary(`camp_a${index}`));
  const { world, requests } = await connected(
    { body: { campaigns: full } },
    { body: { campaigns: [summary('camp_b')] } },
  );
  const { stdout } = await world.run('campaign list --all -q');
  expect(stdout.trim().split('\n')).toHaveLength(31);
  expect(requests()).toHaveLength(2);
});

test.each([
  ['--page 0', '--page: "0" is not a whole number, 1 or more'],
  ['--page 1 --all', '--all and --page cannot be used together'],
  ['--status GONE', '--status: "GONE" is not one of DRAFT, SCHEDULED, RUNNING, PAUSED, SENT'],
  ['--limit 5', 'campaign list has no --limit'],
])('%s is a usage error, and nothing is sent', async (flags, message) => {
  const { world, service } = await connected();
  const { exitCode, stdout, stderr } = await world.run(`campaign list ${flags}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test('a response that is not a list of campaigns: 8', async () => {
  const { world } = await connected({ body: { campaigns: 'none' } });
  const { exitCode, stderr } = await world.run('campaign list --json');
  expect(exitCode).toBe(8);
  expect(JSON.parse(stderr).error.code).toBe('bad_reply');
});

test('control characters in a name do not reach the terminal', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  await world.run(createWords('\u001b[31mred'));
  const { stdout } = await world.run('campaign list --sandbox', { terminal: 120 });
  expect(stdout).toContain('\\x1b[31mred');
  expect(stdout).not.toContain('\u001b');
});
