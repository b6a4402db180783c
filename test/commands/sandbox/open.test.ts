import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

test('says how to start a sandbox that is not served', async () => {
  const browser: string[] = [];
  const { exitCode, stdout, stderr } = await createWorld().run('sandbox open', { browser });
  expect({ exitCode, stdout, browser }).toEqual({ exitCode: 7, stdout: '', browser: [] });
  expect(stderr).toContain('Hint: Start it in another terminal: mailer sandbox start');
});
