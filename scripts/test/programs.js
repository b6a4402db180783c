// Runs the programs that a check consists of.
import { spawn } from 'node:child_process';
import { node, root } from '../checkout.js';

/** A program for Node; unless it is shown, its output is printed only if it fails, with its `title`. */
export function program(title, [file, ...words], { env = {}, isShown = false } = {}) {
  return { title, file: `${root}${file}`, words, env, isShown };
}

/**
 * Runs programs at the same time, and then prints what those wrote that are not shown and failed, where nobody overlooks
 * it. Resolves to an exit code.
 */
export async function runAll(programs) {
  const ended = await Promise.all(programs.map(run));
  const failed = ended.filter(({ exitCode }) => exitCode !== 0);
  for (const { title, isShown, output } of failed) {
    if (!isShown) process.stderr.write(`\n${title}: failed\n${output}`);
  }
  return failed[0]?.exitCode ?? 0;
}

function run({ file, words, env, isShown, ...one }) {
  const stdio = isShown ? 'inherit' : 'pipe';
  const child = spawn(node, [file, ...words], {
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
    const end = (exitCode, more = '') =>
      resolve({ ...one, isShown, exitCode, output: output + more });
    child.once('error', (error) => end(1, `${file}: ${error.message}\n`));
    child.once('close', (code) => end(code ?? 1));
  });
}
