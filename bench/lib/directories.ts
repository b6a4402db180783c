import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The home directory of all processes, with all that is measured with; gone when this one ends. */
export const home = mkdtempSync(join(tmpdir(), 'mailer-bench-'));

process.on('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
// A signal that nobody listens for ends the process without that.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(name, () => process.exit(128 + constants.signals[name]));
}

/** A directory of its own, which whoever asks for it may remove earlier. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(home, 'bench-'));
}
