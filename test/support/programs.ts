import { spawnSync } from 'node:child_process';
import { patience } from './patience.ts';

/**
 * Whether a shell command with a program of others ends with 0. Being installed is not enough: what a
 * package needs besides itself may be missing. So let it do a little of what the test needs.
 */
export function works(command: string): boolean {
  return spawnSync('sh', ['-c', command], { stdio: 'ignore', timeout: patience }).status === 0;
}
