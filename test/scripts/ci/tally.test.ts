import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryDirectory } from '../../support/process.ts';
import { runInThread } from '../../support/thread.ts';

const script = join(root, 'scripts', 'ci', 'tally.js');
const passed = '12 passed, 0 failed\n3 passed, 0 failed, 2 skipped\n';

test.each([
  ['runs that passed', passed, ['0', '0'], '15 passed, 0 failed, 2 skipped', 0],
  [
    'tests that failed',
    `FAIL a.test.ts > a: 3 failed\nFAIL b.test.ts > b\n4 passed, 2 failed\n${passed}`,
    ['1', '0'],
    'FAIL a.test.ts > a: 3 failed\nFAIL b.test.ts > b\n19 passed, 2 failed',
    1,
  ],
  [
    'a check that failed, and is no test',
    '9 passed, 0 failed',
    ['0', '2'],
    '9 passed, 1 failed',
    1,
  ],
  ['nothing that ran', '', ['1', '1'], '0 passed, 1 failed', 1],
] as const)('the sum of %s', async (_, lines, exitCodes, sum, exitCode) => {
  const file = join(temporaryDirectory(), 'tally');
  writeFileSync(file, lines);
  const outcome = await runInThread(script, [file, ...exitCodes]);
  expect(outcome.stdout.startsWith(sum)).toBe(true);
  expect(outcome).toMatchObject({ exitCode, stderr: '' });
});
