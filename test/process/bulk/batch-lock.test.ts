import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { node, root, temporaryDirectory } from '../../support/process.ts';

/** Takes a lock repeatedly, and reports if another process has it at the same time. */
const script = `
import { closeSync, openSync, rmSync } from 'node:fs';
import { takeLock } from ${JSON.stringify(join(root, 'src/lib/base/files/process-lock.ts'))};
let overlaps = 0;
for (let left = 1000; left > 0; ) {
  const lock = takeLock('lock');
  if (lock === undefined) continue;
  left--;
  try {
    closeSync(openSync('held', 'wx'));
    rmSync('held');
  } catch {
    overlaps++;
  }
  if (left % 3 === 0) lock.release();
  else lock.remove();
}
console.log(String(overlaps));
`;

test('one process at a time holds the lock of a run, though its file is removed', async () => {
  const cwd = temporaryDirectory();
  const words = ['--input-type=module', '--eval', script];
  const processes = Array.from({ length: 4 }, () => execa(node, words, { cwd }));
  const said = (await Promise.all(processes)).map(({ stdout }) => stdout);
  expect(said).toEqual(['0', '0', '0', '0']);
  expect(existsSync(join(cwd, 'held'))).toBe(false);
});
