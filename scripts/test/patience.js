// How long a test waits for what would hang.
import { spawnSync } from 'node:child_process';

/** Milliseconds that an empty Node process takes here and now. */
export function emptyProcess() {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** What ends a test that hangs, in ms: a minute, or longer on a machine that is slow or busy. */
export function patienceFor(emptyMs) {
  return Math.max(60_000, Math.round(emptyMs * 3_000));
}
