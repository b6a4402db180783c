import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before a run: one directory for all that its tests put among the temporary files, which is removed
 * when the run ends, in whatever way but by SIGKILL. The workers get the environment from here, and
 * on every system one of these variables is what `tmpdir()` says.
 */
export function setup(): void {
  // As the system itself writes the path: macOS has links in it, Windows short names.
  const directory = realpathSync.native(mkdtempSync(join(tmpdir(), 'mailer-tests-')));
  // Some tests run the program as another user.
  chmodSync(directory, 0o711);
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = directory;
  process.once('exit', () => {
    try {
      // What a test has started may be ending still, and be writing until it does.
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      process.stderr.write(`${directory} could not be removed: ${String(error)}\n`);
    }
  });
}
