import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program } from './process.ts';

/** Installs the program in a directory of its own, and returns its `bin/mailer.js`. */
export function installProgram(directory: string): string {
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(dirname(dirname(program)), name), join(directory, name), { recursive: true });
  }
  return join(directory, 'bin', 'mailer.js');
}
