import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program, temporaryDirectory } from './process.ts';

/** Installs the program for this test alone, and returns its `bin/mailer.js`. */
export function installProgram(): string {
  const directory = temporaryDirectory();
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(dirname(dirname(program)), name), join(directory, name), { recursive: true });
  }
  return join(directory, 'bin', 'mailer.js');
}
