// Loaded into each process that is measured: tells the harness, on file descriptor 3, the most
// memory the process has had in use, in KiB.
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => writeSync(3, `${peak()}`));

function peak() {
  // On Linux getrusage counts what the parent had before this program was started in its place;
  // the high-water mark is of this program alone.
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
}
