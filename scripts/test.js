// npm test: type check, lint and all tests, in an installed and built checkout. All at the same time, because many
// tests wait for what they have started.
import { spawn } from 'node:child_process';
import { node, prepare, root } from './checkout.js';

prepare();
const checks = [
  // In one thread and with rare garbage collection it takes a third of the processor's time, which the tests need.
  start(['typescript/bin/tsc', '--noEmit', '--singleThreaded'], 'pipe', { GOGC: '400' }),
  start(
    ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--log-level=warn', '.'],
    'pipe',
  ),
];
const tests = await start(['vitest/vitest.mjs', 'run', ...process.argv.slice(2)], 'inherit');
const failed = (await Promise.all(checks)).filter(({ exitCode }) => exitCode !== 0);
// After those of the tests, so that nobody overlooks them.
for (const { output } of failed) process.stderr.write(output);
process.exitCode = [tests, ...failed].find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;

/** Starts a package's program; resolves to its exit code, and to what it wrote unless that was shown. */
function start([file, ...words], stdio, env = {}) {
  const child = spawn(node, [`${root}node_modules/${file}`, ...words], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', stdio, stdio],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: 1, output: `${file}: ${error.message}\n` }));
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
