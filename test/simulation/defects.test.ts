import { execa } from 'execa';
import { expect, test } from 'vitest';
import { defects, planted, sourceOf } from './defects.ts';

const prove = (...args: readonly string[]) =>
  execa(process.execPath, ['scripts/prove.js', ...args], { reject: false });

test.each(defects.map((defect) => [defect.what, defect] as const))(
  'can be planted: %s',
  (_, one) => {
    expect(planted(one, sourceOf(one))).not.toBe(sourceOf(one));
  },
);

// All of them in a check; `npm run prove -- --defects` does the same at any time.
test.runIf(process.env.CI)('each defect is found', { timeout: 900_000 }, async () => {
  const { stdout, exitCode } = await prove('--defects', '--processes', '1');
  expect(stdout).not.toContain('NOT FOUND');
  expect(stdout).toContain(`${defects.length} of ${defects.length} defects found`);
  expect(exitCode).toBe(0);
});
