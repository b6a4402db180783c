// npm run test:load: npm test beside six busy processes, because no test may depend on how fast the machine is.
import { spawn, spawnSync } from 'node:child_process';
import { node, prepare, root } from '../checkout.js';

prepare();
const busy = Array.from({ length: 6 }, () => spawn(node, ['-e', 'for (;;);'], { stdio: 'ignore' }));
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL');
});
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1));
const { status } = spawnSync(node, ['scripts/test/test.js', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
