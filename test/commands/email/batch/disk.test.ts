import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  down,
  everybody,
  impatient,
  line,
  posts,
  repeat,
  rowsIn,
  sentTo,
  setUp,
} from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import type { Connected } from '../../../support/connected.ts';
import { needing, noRoot } from '../../../support/needs.ts';
import type { Answer } from '../../../support/recorder.ts';
import type { Outcome } from '../../../support/run.ts';
import { mounting, mountSmallDisk } from '../../../support/small-disk.ts';

/** A batch with its state on a file system of its own. */
async function onDisk(rows: number, ...answers: readonly Answer[]) {
  const setup = await setUp(rows, ...answers);
  const disk = await mountSmallDisk(join(setup.world.home, 'disk'), 4096);
  return { setup, disk, env: { MAILER_STATE_DIR: disk.path } };
}

/** Expects an error about the disk, with what to do. */
function expectExplained({ exitCode, stdout, stderr }: Outcome, code: number, message: RegExp) {
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: code, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^Hint: /m);
}

/** Expects a line for everybody in the results, with the id that the service gave. */
function expectResults({ world }: Connected, name: string, rows: number) {
  const results = rowsIn(readFileSync(join(world.home, name), 'utf8'));
  expect(results).toEqual(
    everybody(rows).map((to, index) => ({ row: index + 1, to, emailId: `em_${to}` })),
  );
}

describe('a full disk', needing(mounting), () => {
  test('of the state stops a run before anything is sent, and in the middle; with more room it resumes', async () => {
    let fill = () => {};
    const known = new Set<unknown>();
    const filling: Answer = (response, request) => {
      known.add(request.headers['idempotency-key']);
      if (known.size === 2) fill();
      accept(response, request);
    };
    const at = await onDisk(500, ...repeat(9, filling));
    const { setup, disk, env } = at;
    disk.fill();
    const message = /^Error: Cannot write .*: no space is left on the disk\.$/m;
    expectExplained(await setup.run(line, { env }), 2, message);
    expect(posts(setup)).toEqual([]);
    disk.empty();
    fill = () => {
      disk.fill();
      fill = () => {};
    };
    const middle = await setup.run(line, { env });
    expectExplained(middle, 11, message);
    expect(middle.stderr).toContain('100 of 500 emails are accepted so far');
    disk.empty();
    expect(await setup.run([...line, '--results', 'r.jsonl'], { env })).toMatchObject({
      exitCode: 0,
    });
    // The request whose outcome could not be recorded is repeated under its key.
    expect(known.size).toBe(5);
    expect(new Set(sentTo(setup))).toEqual(new Set(everybody(500)));
    expectResults(setup, 'r.jsonl', 500);
  });

  test('of the results is 12, and the same line writes them without sending anything', async () => {
    let fill = () => {};
    const at = await onDisk(300, accept, accept, (response, request) => {
      fill();
      accept(response, request);
    });
    const { setup, disk } = at;
    fill = disk.fill;
    const words = [...line, '--results', 'disk/results.jsonl'];
    const message =
      /^Error: Accepted 300 of 300 emails\. --results: .* cannot be written: no space is left on the disk$/m;
    expectExplained(await setup.run(words), 12, message);
    expect(readdirSync(disk.path)).toEqual(['filler']);
    disk.empty();
    expect(await setup.run(words)).toMatchObject({ exitCode: 0 });
    expect(posts(setup)).toHaveLength(3);
    expectResults(setup, 'disk/results.jsonl', 300);
  });
});

describe('on a read-only file system', needing(mounting), () => {
  test('a complete run is shown, and its results are written: 0', async () => {
    const at = await onDisk(250, ...repeat(3, accept));
    const { setup, disk, env } = at;
    await setup.run(line, { env });
    await disk.close();
    const { exitCode, stdout, stderr } = await setup.run([...line, '--results', 'r.jsonl'], {
      env,
    });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('This run is already complete');
    expect(stdout.split('\n')).toHaveLength(252);
    expectResults(setup, 'r.jsonl', 250);
    const status = await setup.run('run list --fields state,accepted', { env });
    expect(status.stdout).toContain('complete\t250');
    expect(posts(setup)).toHaveLength(3);
  });

  test('an incomplete one sends nothing: 2', async () => {
    const at = await onDisk(250, accept, accept, down);
    const { setup, disk, env } = at;
    await setup.run(impatient, { env });
    await disk.close();
    const { exitCode, stderr } = await setup.run(line, { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Error: Cannot write .*: the file system is read-only\.\nHint: /);
    const status = await setup.run('run list --fields state,accepted,left', { env });
    expect(status.stdout).toContain('incomplete\t200\t50');
    expect(posts(setup)).toHaveLength(3);
  });

  test('a run that cannot be locked sends no unknown emails again: 2', async () => {
    const lose: Answer = (response) => void response.destroy();
    const at = await onDisk(2, lose);
    const { setup, disk } = at;
    await setup.run(impatient);
    setup.world.clock.advance(24 * 3_600_000);
    await disk.close();
    const locks = join(setup.world.home, '.local', 'state', 'mailer', 'runs', 'locks');
    rmSync(locks, { recursive: true });
    symlinkSync(disk.path, locks);
    const { exitCode, stderr } = await setup.run([...impatient, '--resend-unknown']);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('read-only'),
    });
    expect(posts(setup)).toHaveLength(1);
  });
});

describe('a state directory that', () => {
  const env = { MAILER_STATE_DIR: 'state' };

  test.each<[string, (home: string) => void]>([
    ['is a file', (home) => writeFileSync(join(home, 'state'), '')],
    ['is below a file', (home) => symlinkSync(join(home, 'people.csv', 'x'), join(home, 'state'))],
    ['is a link to itself', (home) => symlinkSync('state', join(home, 'state'))],
  ])('%s: 2, and nothing is sent', async (_, prepare) => {
    const setup = await setUp(3);
    prepare(setup.world.home);
    const { exitCode, stderr } = await setup.run(line, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toMatch(/^Error: Cannot (read|write) \/.*\/state.*\nHint: .*MAILER_STATE_DIR/);
    const status = await setup.run('run list', { env });
    expect(status).toMatchObject({ exitCode: 2, stdout: '' });
    expect(status.stderr).toMatch(/^Error: Cannot read \/.*\/state.*\nHint: .*MAILER_STATE_DIR/);
    expect(setup.service.requests).toEqual([]);
  });

  test('is read-only: 2, and nothing is sent', needing(noRoot), async () => {
    const setup = await setUp(3);
    mkdirSync(join(setup.world.home, 'state'));
    chmodSync(join(setup.world.home, 'state'), 0o500);
    const { exitCode, stderr } = await setup.run(line, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toMatch(/^Error: Cannot write \/.*permission denied.*\nHint: /);
  });

  test('has become read-only shows a complete run: 0', needing(noRoot), async () => {
    const setup = await setUp(3, accept);
    expect(await setup.run(line, { env })).toMatchObject({ exitCode: 0 });
    const state = join(setup.world.home, 'state');
    await execa('chmod', ['-R', 'a-w', state]);
    onTestFinished(async () => {
      await execa('chmod', ['-R', 'u+w', state]);
    });
    expect(await setup.run(line, { env })).toMatchObject({ exitCode: 0 });
  });

  test.each(['./a/../b', ' spaces and ümläuts/deep/er '])(
    'is named %j is made, and found again',
    async (name) => {
      const setup = await setUp(3, accept);
      const odd = { MAILER_STATE_DIR: name };
      expect(await setup.run(line, { env: odd })).toMatchObject({ exitCode: 0 });
      const again = await setup.run(line, { env: odd });
      expect(again.stderr).toContain('This run is already complete');
      expect(existsSync(join(setup.world.home, name, 'runs'))).toBe(true);
    },
  );
});
