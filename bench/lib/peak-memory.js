// Loaded into each measured process: reports its peak memory in KiB on file descriptor 3.
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => writeSync(3, `${peak()}`));

function peak() {
  // On Linux, getrusage includes the parent's memory from before exec; VmHWM does not.
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
}
