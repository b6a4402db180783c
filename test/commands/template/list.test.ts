import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const create = (name: string) => [
  ...['template', 'create', '--name', name, '--subject', `About ${name}`],
  ...['--html', '<p>Hello</p>', '--sandbox', '--quiet'],
];

test('piped: tab-separated rows, newest first, of the same moment too', async () => {
  const world = createWorld();
  const older = (await world.run(create('Older'))).stdout.trim();
  const newer = (await world.run(create('Newer'))).stdout.trim();
  const { stdout, stderr, exitCode } = await world.run('template list --sandbox');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'id\tname\tsubject\tcreatedAt',
    `${newer}\tNewer\tAbout Newer\t2026-01-15T10:00:00.000Z`,
    `${older}\tOlder\tAbout Older\t2026-01-15T10:00:00.000Z`,
    expect.stringMatching(/^tmpl_welcome\tWelcome\t/),
  ]);
});

test('on a terminal of 80 columns no line is longer', async () => {
  const world = createWorld({ NO_COLOR: '1' });
  await world.run(create('A name that is far longer than anybody needs it to be '.repeat(2)));
  const { stdout } = await world.run('template list --sandbox', { terminal: 80 });
  expect(stdout).toMatch(/^ID +NAME +SUBJECT +CREATED\n/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('--json is the unmodified response; --quiet prints ids', async () => {
  const reply = [{ id: 'tmpl_1', name: 'Welcome', subject: 'Hi', novel: 1 }];
  const { run } = await connected({ body: reply }, { body: reply });
  expect(JSON.parse((await run('template list --json')).stdout)).toEqual(reply);
  expect((await run('template list -q')).stdout).toBe('tmpl_1\n');
});

test('a service without templates: 4, not offered', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  const { exitCode, stderr } = await run('template list --json');
  expect(exitCode).toBe(4);
  expect(JSON.parse(stderr).error.code).toBe('not_offered');
});
