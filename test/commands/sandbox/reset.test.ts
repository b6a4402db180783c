import { expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { fileIn } from '../../support/connected.ts';
import { enter } from '../../support/keys.ts';
import { createWorld } from '../../support/run.ts';

const sent =
  'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi --text Hello';

test('needs --yes without a terminal, and deletes nothing before', async () => {
  const world = createWorld();
  await world.run(sent);
  const { exitCode, stdout, stderr } = await world.run('sandbox reset');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^Error: Nothing was deleted, .*\nHint: To confirm, add --yes\.\n$/);
  const subjects = async () =>
    (await world.run('email list --sandbox --fields subject')).stdout.split('\n');
  expect(await subjects()).toContain('Hi');
  expect(await world.run('sandbox reset --yes')).toMatchObject({ exitCode: 0 });
  expect(await subjects()).not.toContain('Hi');
});

test('deletes the runs on it, so that the same batch is sent again', async () => {
  const world = createWorld();
  const batch =
    'email batch people.csv --sandbox --yes --from hello@example.com --subject Hi --text Hello';
  fileIn(world, 'people.csv', 'to\nana@example.org\n');
  await world.run(batch);
  await world.run('sandbox reset --empty --yes');
  expect((await world.run('run list --sandbox --quiet')).stdout).toBe('');
});

test('deletes the ids that @last stands for, as they no longer exist', async () => {
  const world = createWorld();
  await world.run(sent);
  expect((await world.run('email get @last --sandbox')).exitCode).toBe(0);
  await world.run('sandbox reset --yes');
  expect(await world.run('email get @last --sandbox')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining(
      '@last: no email of this account (the sandbox) is recorded on this machine',
    ),
  });
});

test('asks at a terminal, and keeps the data on a no', async () => {
  const world = createWorld();
  await world.run('sandbox reset --empty --yes');
  const { exitCode, text } = await atTerminal(world.run, 'sandbox reset', [['(y/N)', enter]]);
  expect(exitCode).toBe(2);
  expect(text).toContain('Error: Not confirmed. Nothing was deleted.');
  expect((await world.run('email list --sandbox --quiet')).stdout).toBe('');
});
