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

test('the built program knows its packages, and the runtime that it runs on', async () => {
  const { exitCode, stdout } = await createPlace().run('version --json');
  expect(exitCode).toBe(0);
  const { packages, runtime } = JSON.parse(stdout) as Record<string, unknown>;
  expect(packages).toContainEqual({ name: 'zod', version: expect.stringMatching(/^\d/) });
  expect(runtime).toMatchObject({ platform: process.platform, arch: process.arch });
});
