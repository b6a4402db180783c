import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';

const send = 'email send --sandbox --from hello@example.com --text Hello --to ana@example.org';

test('ten processes that send at once lose nothing', async () => {
  const place = createPlace();
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const ends = await Promise.all(
    numbers.map((number) => place.run(`${send} --subject Number-${number}`)),
  );
  for (const { exitCode, stderr } of ends) {
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^Accepted\./),
    });
  }
  const { stdout } = await runHere(place, 'email list --sandbox --fields id,subject --jsonl');
  const stored = stdout.trimEnd().split('\n');
  expect(stored).toHaveLength(12);
  for (const [number, { stdout }] of ends.entries()) {
    const row = JSON.stringify({ id: stdout.trim(), subject: `Number-${number}` });
    expect(stored).toContain(row);
  }
});

test('two processes that send under one key send once', async () => {
  const place = createPlace();
  const words = `${send} --subject Hi --idempotency-key order-1`;
  const [one, two] = await Promise.all([place.run(words), place.run(words)]);
  expect(one).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\w+\n$/) });
  expect(two).toMatchObject({ exitCode: 0, stdout: one.stdout });
  const { stdout } = await runHere(place, 'email list --sandbox --quiet');
  expect(stdout.split('\n')).toHaveLength(4);
});

describe.skipIf(process.platform === 'win32')('others on the machine', () => {
  test('cannot read the sandbox, served or not, whatever the umask', async () => {
    const place = createPlace();
    await place.shell(`umask 000; mailer ${send} --subject Hi`);
    await serveSandbox(place);
    expect(modeOf(place.sandboxDirectory)).toBe(0o700);
    const names = readdirSync(place.sandboxDirectory);
    expect(names).toContain('running.json');
    expect(names).toContainEqual(expect.stringMatching(/\.sqlite$/));
    expect(names).toContainEqual(expect.stringMatching(/\.sqlite-wal$/));
    expect(names).toContain('last');
    for (const entry of readdirSync(place.sandboxDirectory, {
      recursive: true,
      withFileTypes: true,
    })) {
      const path = join(entry.parentPath, entry.name);
      expect({ path, mode: modeOf(path) }).toEqual({
        path,
        mode: entry.isDirectory() ? 0o700 : 0o600,
      });
    }
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
