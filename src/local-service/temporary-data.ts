import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a directory for the data of one sandbox, which only this user can read. `remove` deletes it. */
export function temporaryData(): { readonly directory: string; remove(): void } {
  // mkdtemp creates the directory with mode 0700.
  const directory = mkdtempSync(join(tmpdir(), 'mailer-sandbox-'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
