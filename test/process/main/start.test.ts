import { expect, test } from 'vitest';
import { createPlace } from '../../support/process.ts';

test('the built program starts: its version, help, a misspelt word, completion', async () => {
  const { run } = createPlace();
  const [version, help, misspelt, completion] = await Promise.all([
    run('--version'),
    run('--help'),
    run('emial send'),
    run('completion bash'),
  ]);
  expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('email') });
  expect(misspelt).toMatchObject({ exitCode: 2, stdout: '' });
  expect(misspelt.stderr).toContain('Did you mean email');
  expect(completion).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('complete') });
});
