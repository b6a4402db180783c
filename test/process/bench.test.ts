import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, root } from '../support/process.ts';

const file = join(root, 'bench', 'run.ts');

test('npm run bench measures, and prints a ratio for everything it has measured', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('--quick list-all', { file });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const [header = '', ...lines] = stdout.trimEnd().split('\n');
  expect(header).toMatch(/^ +MEDIAN +RANGE +BASELINE +MEDIAN +RATIO +GOAL$/);
  for (const flag of ['--jsonl', '--json', '--csv', '--quiet']) {
    expect(stdout).toMatch(
      new RegExp(`^200 rows, ${flag}: time +[\\d.]+ m?s .* plain loop +[\\d.]+ m?s +\\d`, 'm'),
    );
    expect(stdout).toMatch(
      new RegExp(`^200 rows, ${flag}: peak memory +\\d\\d+ MiB .* \\d\\.\\d\\d$`, 'm'),
    );
  }
  for (const line of lines) expect(line).toMatch(/ \d+\.\d\d$/);
});

test('a bench that is not there is named', async () => {
  const { exitCode, stdout, stderr } = await createPlace().run('nothing', { file });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain('no bench nothing; there are: list-all');
});
