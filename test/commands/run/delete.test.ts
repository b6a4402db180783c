import { mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  down,
  filesOfRun,
  hold,
  impatient,
  line,
  locks,
  onlyRun,
  runs,
  runsDirectory,
  setUp,
} from '../../support/batch-run.ts';
import { accept, emailsIn } from '../../support/batch-service.ts';
import { errorOf } from '../../support/connected.ts';

const deletion = (name: string, ...words: readonly string[]) => ['run', 'delete', name, ...words];

test('deletes a run, journal, bodies and lock, by a prefix of its name', async () => {
  const { run, world, service } = await setUp(150, accept, down, ...Array(2).fill(accept));
  await run(impatient);
  const name = onlyRun(world);
  const { exitCode, stdout, stderr } = await run(deletion(name.slice(0, 8), '--yes'));
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: `${name}\n`,
    stderr: `Deleted run ${name}.\n`,
  });
  expect(runs(world)).toEqual([]);
  expect(locks(world)).toEqual([]);
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  expect(service.requests.slice(2).flatMap((request) => emailsIn(request))).toHaveLength(150);
});

test('shows with --json what it has deleted', async () => {
  const { run, world } = await setUp(3, accept);
  await run(line);
  const { stdout } = await run(deletion(onlyRun(world), '--yes', '--json'));
  expect(JSON.parse(stdout)).toMatchObject({ state: 'complete', emails: 3, accepted: 3 });
});

test('says before what follows, and deletes nothing without a yes', async () => {
  const answers = [accept, accept, accept, down, ...Array(20).fill(accept)];
  const { run, world, service } = await setUp(1500, ...answers);
  const asks = async () => {
    const { exitCode, stderr } = await run(deletion(onlyRun(world)));
    expect(exitCode).toBe(2);
    expect(runs(world)).toHaveLength(1);
    expect(stderr).toMatch(/^Error: Nothing was deleted, because this needs confirmation: The /);
    expect(stderr).toContain(' Delete it?\nHint: To confirm, add --yes.\n');
    return stderr;
  };
  await run(impatient);
  expect(await asks()).toContain(
    `people.csv, at ${service.baseUrl}: 300 of 1,500 emails are accepted, 100 have no response yet; without its journal, the same command starts over and sends every email.`,
  );
  world.clock.advance(24 * 3_600_000);
  await run(line);
  expect(await asks()).toContain(
    `people.csv, at ${service.baseUrl}: the outcome of 100 emails is unknown; without its journal, the same command starts`,
  );
  await run([...line, '--resend-unknown']);
  expect(await asks()).toContain(
    `people.csv, at ${service.baseUrl}: complete, 1,500 emails; without its journal, the same command sends every email again.`,
  );
  const journal = join(runsDirectory(world), onlyRun(world), 'journal.sqlite');
  truncateSync(journal, 5000);
  expect(await asks()).toContain(
    `The journal of run ${onlyRun(world)} cannot be read, so it is unknown what was sent; without its journal, the same command starts`,
  );
  expect(await run(deletion(onlyRun(world), '--yes'))).toMatchObject({ exitCode: 0 });
  expect(runs(world)).toEqual([]);
});

test('deletes nothing when several runs could be meant, and the one whose whole name is given', async () => {
  const { run, world } = await setUp(250, ...Array(9).fill(accept));
  for (const shard of ['1/3', '2/3']) await run([...line, '--shard', shard]);
  const [first = '', second = ''] = runs(world);
  const whole = first.slice(0, 32);
  const both = await run(deletion(whole, '--yes', '--json'));
  expect(both.exitCode).toBe(2);
  expect(errorOf(both).message).toContain(second);
  expect(runs(world)).toEqual([first, second]);
  // A whole run's name is a prefix of its shards' names.
  mkdirSync(join(runsDirectory(world), whole));
  expect(await run(deletion(whole, '--yes'))).toMatchObject({ exitCode: 0 });
  expect(runs(world)).toEqual([first, second]);
  expect(await run(deletion(second, '--yes'))).toMatchObject({ exitCode: 0 });
  expect(runs(world)).toEqual([first]);
});

test('takes no short prefix, and lists what it could mean', async () => {
  const { run, world } = await setUp(3, accept);
  await run(line);
  const name = onlyRun(world);
  const outcome = await run(deletion(name.slice(0, 7), '--yes', '--json'));
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toBe(
    `${name.slice(0, 7)} has fewer than 8 characters of a run's name. Nothing was deleted. It could be:\n  ${name}`,
  );
  expect(runs(world)).toEqual([name]);
});

test.each([
  ['', 2],
  ['preparing-x', 4],
  ['../../../../people.csv', 4],
])('deletes nothing else: %j', async (name, code) => {
  const { run, world } = await setUp(3, accept);
  await run(line);
  mkdirSync(join(runsDirectory(world), 'preparing-x'));
  expect(await run(deletion(name, '--yes'))).toMatchObject({ exitCode: code, stdout: '' });
  expect(runs(world)).toHaveLength(2);
});

test('leaves a run alone that another process has', async () => {
  const { run, world } = await setUp(150, accept, down);
  await run(impatient);
  const held = hold(world, onlyRun(world));
  const outcome = await run(deletion(onlyRun(world), '--yes', '--json'));
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome).message).toContain('in progress in another process');
  expect(filesOfRun(world)).toEqual(['journal.sqlite', 'run.json']);
  held.close();
  expect(await run(deletion(onlyRun(world), '--yes'))).toMatchObject({ exitCode: 0 });
});
