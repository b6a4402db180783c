// Prepares a checkout for the npm scripts: installs packages as locked, and builds the program. Runs on
// the machine's own Node, however old.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The Node of the toolchain. Not the one in .bin, which on Windows is a script. */
export const node = `${root}node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;

/** Installs the packages unless they match the lockfile, and builds. Ends the process on failure. */
export function prepare() {
  if (!isInstalled()) {
    process.stderr.write('Installing packages (once, about half a minute)\n');
    runOrExit('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { quiet: true });
  }
  runOrExit(node, ['scripts/build/build.js']);
}

/** Whether everything in the lockfile is installed, by npm's own record of that. */
export function isInstalled() {
  let installed;
  try {
    installed = packagesOf('node_modules/.package-lock.json');
  } catch {
    return false;
  }
  return Object.entries(packagesOf('package-lock.json')).every(([path, wanted]) => {
    const there = installed[path];
    // Packages for other systems are not installed, and the record does not include the checkout itself.
    if (there === undefined) return path === '' || wanted.optional === true;
    return there.version === wanted.version && there.integrity === wanted.integrity;
  });
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(`${root}${lockfile}`, 'utf8')).packages;
}

/** Runs a program in the root folder; if it fails, ends this process with its exit code. */
export function runOrExit(program, words, { quiet = false, env = {} } = {}) {
  const result = spawnSync(program, words, {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (result.status === 0) return;
  if (quiet) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  if (result.error) process.stderr.write(`${program}: ${result.error.message}\n`);
  process.exit(result.status ?? 1);
}
