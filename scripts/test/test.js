// npm test: type check, lint, and what a contributor needs to know within minutes: everything that is tested in
// process, and the built program's main roads (test/process/main). `npm test -- FILE…` runs the tests of these files,
// whichever they are.
import { prepare } from '../checkout.js';
import { program, runAll } from './programs.js';
import { mainSet, vitestRun } from './vitest.js';

prepare();
const words = process.argv.slice(2);
process.exitCode = await runAll([
  // In one thread and with rare garbage collection it takes a third of the processor's time, which the tests need.
  program('Types', ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'], {
    env: { GOGC: '400' },
  }),
  program('Lint', [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    '--log-level=warn',
  ]),
  program('Tests', [...vitestRun, ...(words.length > 0 ? words : mainSet)], { isShown: true }),
]);
