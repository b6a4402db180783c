import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The home directory of all measured processes, with their files; removed when this process ends. */
export const home = mkdtempSync(join(tmpdir(), 'mailer-bench-'));

process.on('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
// Without a listener, a signal would end the process before it removes the directory.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => process.exit(128 + constants.signals[name]));
}

/** A new directory, which the caller may remove earlier. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(home, 'bench-'));
}
