import { execa } from 'execa';
import { expect, test } from 'vitest';
import { defects, planted, sourceOf } from './defects.ts';

test.each(defects.map((defect) => [defect.what, defect] as const))(
  'can be planted: %s',
  (_, one) => {
    expect(planted(one, sourceOf(one))).not.toBe(sourceOf(one));
  },
);

/** Each of these is found within 20. */
const histories = 500;

// Some that are found quickly; `npm run prove -- --defects` tries all, before each release.
test.each([
  'the beginning of a request is written down after it has left',
  'of a rejected request the emails at fault are kept, and the others are not',
  'a request in doubt is repeated without a look',
  'pending contacts are changed like others',
])('finds: %s', async (what) => {
  const index = defects.findIndex((defect) => defect.what === what);
  const { stdout } = await execa(
    process.execPath,
    [
      ...['--no-warnings', 'test/simulation/prove.ts'],
      ...['--defect', String(index), '--histories', String(histories)],
    ],
    { reject: false, env: { NODE_COMPILE_CACHE: 'node_modules/.cache/simulation' } },
  );
  const { found } = JSON.parse(stdout.split('\n').at(-1) ?? '');
  expect(found?.violations.length).toBeGreaterThan(0);
});
