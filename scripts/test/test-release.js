// npm run test:release: tries the files in release/ as their users would, after npm run release. Words are test files.
import { existsSync } from 'node:fs';
import { node, prepare, root, runOrExit } from '../checkout.js';
import { vitestRun } from './vitest.js';

if (!existsSync(`${root}release/SHA256SUMS`)) {
  process.stderr.write('There is no release/ yet: npm run release\n');
  process.exit(1);
}
prepare();
const config = '--config=test/release/vitest.config.ts';
runOrExit(node, [...vitestRun, config, ...process.argv.slice(2)]);
