import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before the tests: creates one directory for all their temporary files, which is removed when the run ends,
 * unless by SIGKILL. The workers inherit the environment, and on every system `tmpdir()` reads one of these
 * variables.
 */
export function setup(): void {
  // The canonical path: macOS has links in it, Windows short names.
  const directory = realpathSync.native(mkdtempSync(join(place(), 'mailer-tests-')));
  // Some tests run the program as another user.
  chmodSync(directory, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = directory;
  process.once('exit', () => {
    try {
      // A process that a test started may still be ending, and writing.
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      process.stderr.write(`${directory} could not be removed: ${String(error)}\n`);
    }
  });
}

/**
 * The machine's directory for temporary files, or memory if that has room for them and may hold programs:
 * the program syncs what it writes, and a disk takes its time for that.
 */
function place(): string {
  const memory = '/dev/shm';
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return tmpdir();
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === memory);
  if (mounted === undefined || /[ ,](ro|noexec)[ ,]/.test(mounted)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}
