// npm test: type check, lint and all tests, in an installed and built checkout.
import { node, prepare, root, runOrExit } from './checkout.js';

prepare();
runOrExit(node, [`${root}node_modules/typescript/bin/tsc`, '--noEmit']);
runOrExit(node, [
  `${root}node_modules/@biomejs/biome/bin/biome`,
  'check',
  '--error-on-warnings',
  '--log-level=warn',
  '.',
]);
runOrExit(node, [`${root}node_modules/vitest/vitest.mjs`, 'run', ...process.argv.slice(2)]);
