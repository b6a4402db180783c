// Programs that scripts run to their end, without showing what they print.
import { spawnSync } from 'node:child_process';
import { root } from './checkout.js';

/** Runs a program, in the root folder unless told otherwise. Returns what it printed; throws it as an error if it fails. */
export function run(program, words, { cwd = root, env = {} } = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (error !== undefined) throw new Error(`${program}: ${error.message}`);
  if (status !== 0)
    throw new Error(`${stdout}${stderr}`.trim() || `${program} ended with ${status}`);
  return stdout;
}
