import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  down,
  filesOfRun,
  impatient,
  line,
  onlyRun,
  runs,
  runsDirectory,
  setUp,
} from '../../support/batch-run.ts';
import { accept, refuseNamed } from '../../support/batch-service.ts';
import { peopleCsv } from '../../support/people.ts';
import { createWorld } from '../../support/run.ts';

test('shows how far each run is; the newest first', async () => {
  const { run, world, file } = await setUp(150, accept, down, accept);
  await run(impatient);
  world.clock.advance(60_000);
  file('people.csv', peopleCsv(2).replace('p1@', 'q1@'));
  await run([...line, '--again=2']);
  const { stdout } = await run('run list --json');
  expect(JSON.parse(stdout)).toMatchObject([
    { state: 'complete', begunAt: '2026-01-15T10:01:00.000Z', emails: 2, accepted: 2, left: 0 },
    {
      run: expect.stringMatching(/^[0-9a-f]{32}$/),
      state: 'incomplete',
      file: join(world.home, 'people.csv'),
      sending: 1,
      begunAt: '2026-01-15T10:00:00.000Z',
      emails: 150,
      accepted: 100,
      rejected: 0,
      unknown: 0,
      left: 50,
      unanswered: 50,
      bytes: expect.any(Number),
    },
  ]);
});

test('needs neither a key nor the service', async () => {
  const { run, service } = await setUp(3, accept);
  await run(line);
  const { exitCode, stdout } = await run('run list --csv --fields state,emails', {
    env: { MAILER_API_KEY: '', MAILER_BASE_URL: '' },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'state,emails\r\ncomplete,3\r\n' });
  expect(service.requests).toHaveLength(1);
});

test('prints only the names with --quiet', async () => {
  const { run, world } = await setUp(3, accept);
  await run(line);
  expect(await run('run list --quiet')).toMatchObject({
    stdout: `${onlyRun(world)}\n`,
    stderr: '',
  });
});

test('shows where a redirected run goes, in a column that other runs do not have on a terminal', async () => {
  const { run, file } = await setUp(1, accept, accept);
  await run(line);
  expect((await run('run list', { terminal: 100 })).stdout).not.toContain('REDIRECTED');
  file('people.csv', peopleCsv(2));
  await run(line, { env: { MAILER_REDIRECT_TO: 'me@example.net' } });
  expect((await run('run list', { terminal: 100 })).stdout).toContain('me@example.net');
  const { stdout } = await run('run list --csv --fields emails,redirectedTo');
  expect(stdout.split('\r\n').sort()).toEqual([
    '',
    '1,',
    '2,me@example.net',
    'emails,redirectedTo',
  ]);
});

test('reports what the runs take on disk, and how to resume and delete one', async () => {
  const { run, world } = await setUp(150, accept, down, accept);
  await run(impatient);
  const { stdout, stderr } = await run('run list');
  expect(stdout.split('\n')).toHaveLength(3);
  expect(stderr).toMatch(
    /^1 run, \d+(\.\d+)? KiB in .*\/runs\nTo resume one: mailer run resume RUN\nTo delete one: mailer run delete RUN\n$/,
  );
  const [{ run: name, bytes }] = JSON.parse((await run('run list --json')).stdout);
  const sizes = filesOfRun(world).map(
    (file) => readFileSync(join(runsDirectory(world), name, file)).byteLength,
  );
  expect(bytes).toBe(sizes.reduce((sum, size) => sum + size));
  await run(line);
  expect((await run('run list')).stderr).not.toContain('resume');
});

test('on a terminal shows which runs have rejected or unknown rows', async () => {
  const { run, world } = await setUp(150, ...Array(2).fill(refuseNamed('p2@example.org')), down);
  await run(impatient);
  world.clock.advance(24 * 3_600_000);
  await run(line);
  const { stdout } = await run('run list --no-color', { terminal: 80 });
  expect(stdout).toMatch(/^RUN +STATE +FILE +STARTED +TOTAL +ACCEPTED +LEFT\n/);
  const [, details] = stdout.split('\n\n');
  expect(details).toBe(`${onlyRun(world).slice(0, 8)}\nRejected  1\nUnknown   99\n`);
});

test('on a terminal shows the name of a file, however long its path is', async () => {
  const { run, file } = await setUp(3, accept);
  const folder = 'a-folder-with-a-long-name/and-another-one-in-it';
  file(`${folder}/people.csv`, peopleCsv(3));
  await run(line.map((word) => (word === 'people.csv' ? `${folder}/people.csv` : word)));
  const { stdout } = await run('run list --no-color', { terminal: 80 });
  expect(stdout).toContain('  people.csv  ');
  expect((await run('run list')).stdout).toContain(`${folder}/people.csv`);
});

test.each([
  ['', ''],
  ['-2of3', '--shard 2/3'],
])('on a terminal shows a prefix that names the run: %s', async (shard, flags) => {
  const { run, world } = await setUp(250, ...Array(9).fill(accept));
  const others = shard === '' ? [] : ['1/3', '3/3'].map((other) => `--shard ${other}`);
  for (const words of [flags, ...others]) await run([...line, ...words.split(' ').filter(Boolean)]);
  const { stdout } = await run('run list --no-color', { terminal: 80 });
  const shown = stdout
    .split('\n')
    .slice(1, -1)
    .map((row) => row.split(' ')[0] ?? '');
  const name = runs(world).find((one) => one.endsWith(shard)) ?? '';
  expect(shown).toContain(`${name.slice(0, 8)}${shard}`);
  const deleted = await run(`run delete ${name.slice(0, 8)}${shard} --yes`);
  expect(deleted).toMatchObject({ exitCode: 0, stdout: `${name}\n` });
  expect(runs(world)).toHaveLength(others.length);
});

test('with --sandbox lists and deletes runs of the embedded service', async () => {
  const world = createWorld();
  writeFileSync(join(world.home, 'people.csv'), peopleCsv(3));
  await world.run([...line, '--sandbox']);
  expect((await world.run('run list')).stderr).toMatch(/^No runs/);
  const { stdout } = await world.run('run list --sandbox --quiet');
  const deleted = await world.run(`run delete ${stdout.trim()} --yes --sandbox`);
  expect(deleted).toMatchObject({ exitCode: 0, stdout });
  expect((await world.run('run list --sandbox')).stderr).toMatch(/^No runs/);
});
