import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const days = [
  { date: '2026-01-13', delivered: 90, hardBounced: 10, complained: 0, bounceRate: 10 },
  { date: '2026-01-14', delivered: 2, hardBounced: 1, complained: 0, bounceRate: 33.333333 },
].map((day) => ({ ...day, complaintRate: 0, novel: 1 }));

test('piped: a row for each day, the rates as numbers', async () => {
  const { run, requests } = await connected({ body: days });
  expect(
    (await run('reputation history --days 7 --domain 3')).stdout.split('\n').slice(0, 2),
  ).toEqual([
    'date\tdelivered\thardBounced\tcomplained\tbounceRate\tcomplaintRate',
    '2026-01-13\t90\t10\t0\t10\t0',
  ]);
  expect(requests()).toEqual(['GET /api/v1/reputation/timeseries?days=7&domainId=3']);
});

test('on a terminal: a plot of the rate, and percentages', async () => {
  const { run } = await connected({ body: days });
  const { stdout } = await run('reputation history --no-color', { terminal: 80 });
  const [plot = '', table = ''] = stdout.trimEnd().split('\n\n');
  expect(plot).toMatch(/^Bounce rate per day\n40% ┤/);
  expect(plot).toMatch(/\n +2026-01-13$|\n +2026-01-13 /);
  expect(table).toMatch(/^2026-01-14 +2 +1 +0 +33\.333% +0%$/m);
});

test('--json is the unmodified response', async () => {
  const { run, requests } = await connected({ body: days });
  expect(JSON.parse((await run('reputation history --json')).stdout)).toEqual(days);
  expect(requests()).toEqual(['GET /api/v1/reputation/timeseries']);
});

test('on the sandbox: the days that had mail', async () => {
  const world = createWorld();
  await world.run(
    'email send --sandbox --from a@example.com --to bounced@example.org --subject Hi --text Hello',
  );
  world.clock.advance(3_600_000);
  const { stdout } = await world.run('reputation history --sandbox --json');
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ date: '2026-01-13', delivered: 1, bounceRate: 0 }),
    expect.objectContaining({ date: '2026-01-15', delivered: 1, hardBounced: 1, bounceRate: 50 }),
  ]);
  const today = await world.run('reputation history --sandbox --days 1 -q');
  expect(today.stdout).toBe('2026-01-15\n');
});

test('no mail', async () => {
  const { run } = await connected({ body: [] });
  expect((await run('reputation history')).stderr).toBe('No mail in this time.\n');
});

test.each(['0', '91', 'x'])('--days %s is a usage error', async (given) => {
  const { run } = await connected();
  const { exitCode, stderr } = await run(`reputation history --days ${given}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`--days: "${given}" is not a whole number from 1 to 90`);
});

test('a service without it: not_offered', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  expect(errorOf(await run('reputation history --json'))).toMatchObject({ code: 'not_offered' });
});
