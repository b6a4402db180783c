import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePath, openStore } from '../../src/sandbox/seeds/data.ts';

/** The example data by the time of its first use. */
const made = new Map<number, Buffer>();

/**
 * Puts the example data of a sandbox into a directory that has none, as its first use would: copied, because most tests
 * need it, and making it takes most of their time. Tests about the first use name a directory of their own.
 */
export function putExampleData(directory: string, at: number): void {
  const path = databasePath(directory);
  if (existsSync(path)) return;
  const content = made.get(at) ?? makeExampleData(at);
  made.set(at, content);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

function makeExampleData(at: number): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'mailer-example-data-'));
  openStore({ directory, now: () => at }).close();
  const content = readFileSync(databasePath(directory));
  rmSync(directory, { recursive: true });
  return content;
}
