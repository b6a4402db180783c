import { expect, test } from 'vitest';
import { manifest } from '../../src/commands/manifest.ts';
import { createWorld } from '../support/run.ts';

const lines = manifest.map(({ words }) => words.join(' '));

test.each(lines)('%s accepts --yes and --no-input', async (words) => {
  const flags = ['--yes', '--no-input', '--nosuch'];
  const { stderr } = await createWorld().run([...words.split(' '), ...flags]);
  // The first flag that is not accepted is the error.
  expect(stderr).toContain('--nosuch');
  expect(stderr).not.toContain('--yes');
});

test('a command without a question does what it does without --yes, which its help page leaves out', async () => {
  const world = createWorld();
  expect((await world.run('--yes domain list --sandbox -y -q')).stdout).toMatch(/^\d+\n/);
  expect((await world.run('domain list --help')).stdout).not.toContain('--yes');
  expect((await world.run('domain delete --help')).stdout).toContain('--yes');
});
