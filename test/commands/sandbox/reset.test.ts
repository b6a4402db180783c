import { expect, test } from 'vitest';
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
