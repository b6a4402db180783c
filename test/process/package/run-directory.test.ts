import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needing, notWindows } from '../../support/needs.ts';
import { root, temporaryDirectory } from '../../support/process.ts';

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** A test that creates a temporary file, prints where, and then runs `then`. */
const leaving = (then: string) => `
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
test('leaves a file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'left-'));
  writeFileSync(join(directory, 'file'), 'text');
  process.stderr.write('left ' + directory + '\\n');
  ${then}
});
`;

/** Starts a separate test run, with a file for each text, whose temporary files are in a directory of its own. */
function startRun(...then: readonly string[]) {
  const directory = temporaryDirectory();
  const temporary = join(directory, 'temporary');
  mkdirSync(temporary);
  for (const [index, text] of then.entries()) {
    writeFileSync(join(directory, `${index}.test.js`), leaving(text));
  }
  const config = { globals: true, globalSetup: join(root, 'test/support/run-directory.ts') };
  writeFileSync(
    join(directory, 'vitest.config.js'),
    `export default { test: ${JSON.stringify(config)} };`,
  );
  const started = execa(process.execPath, [vitest, 'run', '--root', directory], {
    env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    reject: false,
  });
  return { started, left: () => readdirSync(temporary) };
}

test('a run leaves nothing behind of tests that pass and fail', async () => {
  const { started, left } = startRun('', 'expect(1).toBe(2);');
  const outcome = await started;
  expect(outcome).toMatchObject({ exitCode: 1 });
  const created = /^left .*[\\/]mailer-tests-\w+[\\/]left-\w+$/gm;
  expect(outcome.stderr.match(created)).toHaveLength(2);
  expect(left()).toEqual([]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'nor one that %s ends',
  needing(notWindows),
  async (signal) => {
    const { started, left } = startRun('await new Promise(() => setInterval(() => {}, 1000));');
    started.stderr.on('data', (chunk) => {
      if (String(chunk).includes('left ')) started.kill(signal);
    });
    await started;
    expect(left()).toEqual([]);
  },
);
