import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

const one = { MAILER_API_KEY: 'us_sandbox_test_one' };
const mail = '--from hello@example.com --to ana@example.org --text t --sandbox';

test('with --sandbox, the key of a test account in the environment selects it', async () => {
  const world = createWorld();
  expect(await world.run(`email send --subject One ${mail}`, { env: one })).toMatchObject({
    exitCode: 0,
  });
  const subjects = async (env: Record<string, string>) => {
    const { stdout } = await world.run('email list --sandbox --fields subject', { env });
    return stdout.split('\n');
  };
  expect(await subjects(one)).toContain('One');
  expect(await subjects({ MAILER_API_KEY: 'us_sandbox_test_other' })).not.toContain('One');
  for (const key of ['us_sandbox_local', 'us_12345678_0123456789abcdef', '']) {
    expect(await subjects({ MAILER_API_KEY: key })).not.toContain('One');
  }
});
