import { execa } from 'execa';
import { expect, test } from 'vitest';
import { defects, planted, sourceOf } from './defects.ts';

const run = async (script: string, ...args: readonly string[]) =>
  await execa(process.execPath, ['--no-warnings', script, ...args], { reject: false });

test.each(defects.map((defect) => [defect.what, defect] as const))(
  'can be planted: %s',
  (_, one) => {
    expect(planted(one, sourceOf(one))).not.toBe(sourceOf(one));
  },
);

// Some that are found quickly; `npm run prove -- --defects` tries all, before each release.
test.each([
  'the beginning of a request is written down after it has left',
  'splitting loses an email',
  'pending contacts are changed like others',
])('finds: %s', { timeout: 240_000 }, async (what) => {
  const index = defects.findIndex((defect) => defect.what === what);
  const { stdout } = await run(
    'test/simulation/prove.ts',
    ...['--defect', String(index), '--seconds', '60'],
  );
  const { found } = JSON.parse(stdout.split('\n').at(-1) ?? '');
  expect(found?.violations.length).toBeGreaterThan(0);
  // It prints the history that shows the defect again; without the defect, it breaks no promise.
  const { exitCode } = await run('scripts/prove.js', '--history', JSON.stringify(found?.history));
  expect(exitCode).toBe(0);
});
