// npm run test:all: npm test, then all other tests, then the process tests on the oldest Node that the program works on,
// and some on the executable, whose engine is another one. `--rest` leaves out npm test. Goes on after a failure.
import { spawnSync } from 'node:child_process';
import { node, prepare, root } from '../checkout.js';
import { restSet, vitestRun } from './vitest.js';

const isOnlyRest = process.argv.includes('--rest');
/** What the executable's engine may do otherwise. */
const onExecutable = [
  'package/executable',
  'streams/streams',
  'connections/tls',
  'main/send',
  'main/batch',
  'main/start',
  'main/served',
  'sandbox/serving',
  'sandbox/signal',
].map((name) => `test/process/${name}.test.ts`);

const steps = [
  ...(isOnlyRest ? [] : [['npm test', 'scripts/test/test.js']]),
  ['All other tests', ...vitestRun, ...restSet],
  ['Process tests on the oldest Node', 'scripts/ci/matrix.js', '--quick', '22'],
  ['The executable', 'scripts/build/build-binary.js'],
  ['Process tests on the executable', ...vitestRun, ...onExecutable],
];

prepare();
const failed = [];
for (const [title, file, ...words] of steps) {
  process.stdout.write(`\n${title}\n`);
  const isOnIt = title === 'Process tests on the executable';
  if (isOnIt && failed.includes('The executable')) continue;
  const { status } = spawnSync(node, [file, ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(isOnIt ? { MAILER_BIN: 'binary/mailer' } : {}) },
  });
  if (status !== 0) failed.push(title);
}
process.stdout.write(failed.length === 0 ? '\nAll passed.\n' : `\nFailed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
