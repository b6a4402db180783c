import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { program, root, temporaryDirectory } from '../../support/process.ts';

const script = join(root, 'scripts', 'release', 'smoke.js');

/** Tries a program, as a workflow does after building or installing it. */
async function smoke(program: string) {
  const temporary = temporaryDirectory();
  const outcome = await execa(process.execPath, [script, program], {
    env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    reject: false,
  });
  expect(readdirSync(temporary)).toEqual([]);
  return outcome;
}

test.skipIf(process.platform === 'win32')('the program works', async () => {
  const { exitCode, stdout, stderr } = await smoke(program);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n')).toHaveLength(6);
});

test.skipIf(process.platform === 'win32').each([
  ['says nothing', 'exit 0'],
  ['fails', 'exit 1'],
])('the test fails for one that %s', async (_, text) => {
  const other = join(temporaryDirectory(), 'mailer');
  writeFileSync(other, `#!/bin/sh\n${text}\n`);
  chmodSync(other, 0o755);
  const { exitCode, stdout } = await smoke(other);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});
