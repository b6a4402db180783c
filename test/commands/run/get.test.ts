import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  down,
  hold,
  impatient,
  line,
  onlyRun,
  runDirectory,
  runs,
  setUp,
} from '../../support/batch-run.ts';
import { accept } from '../../support/batch-service.ts';
import { errorOf } from '../../support/connected.ts';

test('shows one run in full, by a prefix of its name', async () => {
  const { run, world } = await setUp(150, accept, down);
  await run(impatient);
  const name = onlyRun(world);
  const { exitCode, stdout } = await run(`run get ${name.slice(0, 3)}`);
  expect(exitCode).toBe(0);
  expect(Object.fromEntries(stdout.split('\n').map((row) => row.split('\t')))).toMatchObject({
    run: name,
    state: 'incomplete',
    file: join(world.home, 'people.csv'),
    begunAt: '2026-01-15T10:00:00.000Z',
    emails: '150',
    accepted: '100',
    left: '50',
    unanswered: '50',
    bytes: expect.stringMatching(/^\d+$/),
  });
});

test('reports that another process is sending a run, and not how to resume it', async () => {
  const { run, world } = await setUp(150, accept, down);
  await run(impatient);
  const held = hold(world, onlyRun(world));
  const { stdout, stderr } = await run(`run get ${onlyRun(world)}`);
  expect(stdout).toContain('\nstate\tsending\n');
  expect(stderr).toBe(
    'Another process is sending this run. To see its progress, run this command again.\n',
  );
  const listed = await run('run list --fields state,left');
  expect(listed.stdout).toMatch(/\nsending\t50\n/);
  expect(listed.stderr).not.toContain('To resume');
  held.close();
  expect((await run(`run get ${onlyRun(world)}`)).stdout).toContain('\nstate\tincomplete\n');
});

test('prints with --json what run list does', async () => {
  const { run, world } = await setUp(3, accept);
  await run(line);
  const listed = JSON.parse((await run('run list --json')).stdout);
  expect(JSON.parse((await run(`run get ${onlyRun(world)} --json`)).stdout)).toEqual(listed[0]);
  expect(await run(`run get ${onlyRun(world)} --quiet`)).toMatchObject({
    stdout: `${onlyRun(world)}\n`,
    stderr: '',
  });
});

test('shows of a run whose journal cannot be read what is known', async () => {
  const setup = await setUp(150, accept, down);
  await setup.run(impatient);
  truncateSync(join(runDirectory(setup), 'journal.sqlite'), 5000);
  const { exitCode, stdout } = await setup.run(`run get ${onlyRun(setup.world)} --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    run: onlyRun(setup.world),
    state: 'unreadable',
    bytes: expect.any(Number),
  });
});

test('names the place to look in for such a run on the sandbox', async () => {
  const { run, world } = await setUp(3);
  await run([...line, '--sandbox']);
  const name = (await run('run list --sandbox --quiet')).stdout.trim();
  const runs = join(world.home, '.local', 'share', 'mailer', 'sandbox', 'runs');
  truncateSync(join(runs, name, 'journal.sqlite'), 5000);
  const { stderr } = await run(`run get ${name} --sandbox`);
  expect(stderr).toContain('To see what was sent: mailer email list --sandbox\n');
});

test.each([['nobody'], ['preparing-x'], ['locks'], ['../../../../people.csv']])(
  'ends with 4 when there is no run %s',
  async (name) => {
    const { run } = await setUp(3, accept);
    await run(line);
    const outcome = await run(['run', 'get', name, '--json']);
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome)).toMatchObject({
      code: 'not_found',
      message: `There is no run ${JSON.stringify(name)}.`,
      hint: 'To list all runs: mailer run list --all\nImports of contacts are no runs: to resume one, repeat its command.',
    });
  },
);

test('lists the runs that a prefix could mean: 2', async () => {
  const { run, world } = await setUp(250, ...Array(9).fill(accept));
  for (const shard of ['1/3', '2/3']) await run([...line, '--shard', shard]);
  const [first = '', second = ''] = runs(world);
  const prefix = first.slice(0, 32);
  const outcome = await run(`run get ${prefix} --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toBe(
    `2 runs have names that start with ${prefix}:\n  ${first}\n  ${second}`,
  );
  expect((await run(`run get ${prefix.slice(0, 8)}-2of3 --quiet`)).stdout).toBe(`${second}\n`);
  const shown = await run(`run get ${second} --no-color`, { terminal: 80 });
  expect(shown.stdout).toMatch(/^Shard +2\/3$/m);
});

test('takes no empty name, as of a variable that is not set, for a prefix', async () => {
  const { run } = await setUp(3, accept);
  await run(line);
  const outcome = await run(['run', 'get', '', '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toBe("The run's name is empty");
});

test('shows who gets the emails of a redirected run, and so does the error about it', async () => {
  const data = Array.from({ length: 100 }, (_, index) => ({ emailId: `em_${index}` }));
  const { run } = await setUp(150, { body: { data } }, down);
  const env = { MAILER_REDIRECT_TO: 'me@example.net' };
  await run(impatient, { env });
  const [listed] = JSON.parse((await run('run list --json')).stdout);
  expect(listed).toMatchObject({ state: 'incomplete', redirectedTo: 'me@example.net' });
  const shown = await run(['run', 'get', listed.run, '--no-color'], { terminal: 80 });
  expect(shown.stdout).toMatch(/^Redirected to +me@example\.net$/m);
  expect((await run(['run', 'get', listed.run, '--json'])).stdout).toContain('me@example.net');
  const { exitCode, stderr } = await run(impatient);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    '100 of 150 emails are accepted (redirected to me@example.net), 50 have',
  );
});
