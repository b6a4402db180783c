import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './process.ts';

/** Writes the peak memory of the process, in KiB, to the file that PEAK names. */
const preload = `
const { readFileSync, writeFileSync } = require('node:fs');
process.on('exit', () => {
  const [, peak] = /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.PEAK, peak);
});
`;

/** The environment of a process on Linux whose peak memory is measured, and that peak in KiB once it has ended. */
export function peakMemory() {
  const directory = temporaryDirectory();
  const script = join(directory, 'preload.cjs');
  const peak = join(directory, 'peak');
  writeFileSync(script, preload);
  return {
    env: { NODE_OPTIONS: `--require=${script}`, PEAK: peak },
    memory: () => Number(readFileSync(peak, 'utf8')),
  };
}
