// Which tests run when is told by their folder: see docs/tests.md.

/** Folders whose tests start programs, browsers or machines of their own: too much for `npm test`. */
const slow = ['test/process', 'test/browser', 'test/simulation', 'test/docs'];

/** What the built program does for everybody, which `npm test` runs. */
const main = 'test/process/main';

/** A run of vitest that prints what a person needs, without a command line's first word. */
export const vitestRun = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=./scripts/test/reporter.js',
];

/** Words for vitest: what `npm test` runs. */
export const mainSet = slow.map((folder) =>
  folder === 'test/process' ? `--exclude=${folder}/!(main)/**` : `--exclude=${folder}/**`,
);

/** Words for vitest: all other tests. */
export const restSet = [...slow.map((folder) => `${folder}/`), `--exclude=${main}/**`];
