import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runHere, worldOf } from '../../support/here.ts';
import { needing, notWindows } from '../../support/needs.ts';
import { createPlace, finished, shellStartOf } from '../../support/process.ts';
import { firstLine } from '../../support/served.ts';
import { serveIn } from '../../support/serving.ts';

const send = 'email send --sandbox --from hello@example.com --text Hello --to ana@example.org';

test('processes that begin with the same data at once lose nothing, and send once under one key', async () => {
  const place = createPlace();
  const flags = ['', '', '--idempotency-key order-1', '--idempotency-key order-1'];
  const ends = await Promise.all(
    flags.map((flag, index) => place.run(`${send} --subject Number-${Math.min(index, 2)} ${flag}`)),
  );
  const ids = ends.map(({ exitCode, stdout, stderr }) => {
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^Accepted\./),
    });
    return stdout.trim();
  });
  expect(ids[3]).toBe(ids[2]);
  const { stdout } = await runHere(place, 'email list --sandbox --fields id,subject --jsonl');
  const stored = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(stored).toHaveLength(5);
  for (const [index, id] of ids.entries()) {
    expect(stored).toContainEqual({ id, subject: `Number-${Math.min(index, 2)}` });
  }
});

test(
  'others on the machine cannot read the sandbox, served or not, whatever the umask',
  needing(notWindows),
  async () => {
    const place = createPlace();
    const serve = `exec ${shellStartOf()} sandbox start --port 0 --json`;
    await firstLine(place.shell(`umask 000; mailer ${send} --subject Hi >ids; ${serve}`));
    const { sandboxDirectory } = place;
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(sandboxDirectory)).toBe(0o700);
    const names = readdirSync(sandboxDirectory);
    expect(names).toContain('running.json');
    expect(names).toContainEqual(expect.stringMatching(/\.sqlite$/));
    expect(names).toContainEqual(expect.stringMatching(/\.sqlite-wal$/));
    expect(names).toContain('last');
    for (const entry of readdirSync(sandboxDirectory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const mode = entry.isDirectory() ? 0o700 : 0o600;
      expect({ path, mode: modeOf(path) }).toEqual({ path, mode });
    }
  },
);

/** If root runs the tests: drops root's access to the files of others. */
const plain = process.getuid?.() === 0 ? 'setpriv --bounding-set=-all --inh-caps=-all' : '';

test('accounts whose files cannot be deleted are reset, also those that a server has open', async () => {
  const place = createPlace();
  const { baseUrl } = await serveIn(worldOf(place));
  const env = { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: 'us_sandbox_test_a' };
  const message = '--from shop@example.com --to ana@example.org --subject S --text Hi';
  await runHere(place, `email send ${message}`, { env });
  const subjects = async () =>
    (await runHere(place, 'email list --fields subject', { env })).stdout.split('\n');
  expect(await subjects()).toContain('S');
  // As on Windows, which deletes no file that is open.
  const directory = join(place.sandboxDirectory, 'accounts', 'us_sandbox_test_a');
  chmodSync(directory, 0o500);
  onTestFinished(() => chmodSync(directory, 0o700));
  const reset = `${plain} ${shellStartOf()} sandbox reset --yes`;
  expect(await finished(place.shell(reset))).toMatchObject({ exitCode: 0 });
  expect(existsSync(directory)).toBe(true);
  expect(await subjects()).toEqual(['subject', 'Your receipt', 'Welcome, Ben!', '']);
});
