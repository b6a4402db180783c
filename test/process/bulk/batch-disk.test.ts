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
import { batchLine, expectEachOnce, expectResults, writePeople } from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { createPlace, type Finished, finished, type Place } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';

const line = [...batchLine, '--results', 'results.jsonl', '--quiet'];
const words = line.map((word) => `'${word}'`).join(' ');
const isRoot = process.getuid?.() === 0;

async function setUp(rows: number) {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, rows);
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    requests++;
    await answer(await forward());
  });
  return {
    place,
    served,
    env: { ...served.env, MAILER_BASE_URL: `${url}/api` },
    /** The number of requests since the last call. */
    newRequests() {
      const before = requests;
      requests = 0;
      return before;
    },
  };
}

/** Expects an error about the disk, not a defect: 2 if it sent nothing, 12 if it sent the rest, else 11. */
function expectExplained({ exitCode, stdout, stderr }: Finished, sent: number): void {
  const isAll = stderr.startsWith('Error: Accepted 2,000 of 2,000 emails. --results: ');
  const ended = isAll ? 12 : 11;
  expect({ exitCode, stdout, stderr }).toMatchObject({
    exitCode: sent > 0 ? ended : 2,
    stdout: '',
  });
  expect(stderr).toMatch(
    /^Error: (Cannot write .*|(Accepted .* emails\. )?--results: .* cannot be written): .*(space|limit|disk)/m,
  );
  expect(stderr).toMatch(/^Hint: /m);
  expect(stderr).not.toMatch(/defect|\n +at /);
}

/** The next size to try; most events are between 128 and 1,000 KiB. */
function larger(size: number, factor: number): number {
  return size < 128 ? size * 4 : Math.ceil(size * factor);
}

test('a limit on file sizes stops a run with the reason; without it the run resumes', async () => {
  const { place, served, env, newRequests } = await setUp(2000);
  const said = new Set<string>();
  for (let blocks = 8; blocks < 1000; blocks = larger(blocks, 1.7)) {
    const outcome = await finished(place.shell(`ulimit -f ${blocks}; mailer ${words}`, { env }));
    if (outcome.exitCode === 0) break;
    const sent = newRequests();
    expectExplained(outcome, sent);
    if (sent > 0) expect(outcome.stderr).toContain('accepted so far');
    said.add(sent > 0 ? 'while sending' : 'before');
  }
  expect(await place.run(line, { env })).toMatchObject({ exitCode: 0 });
  expectResults(place, await expectEachOnce(place, served, 2000));
  expect(said).toEqual(new Set(['before', 'while sending']));
});

/** A separate file system of this many KiB. */
async function smallDisk(place: Place) {
  const path = join(place.home, 'disk');
  mkdirSync(path);
  const mounted = await execa('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', path], {
    reject: false,
  });
  if (mounted.failed) return undefined;
  onTestFinished(async () => {
    await execa('umount', ['--lazy', path]);
  });
  const resize = async (size: number) => {
    await execa('mount', ['-o', `remount,size=${size}k`, path]);
  };
  return { path, resize };
}

test('a full disk stops a run wherever it is; with more room the run resumes', async ({ skip }) => {
  const { place, served, env, newRequests } = await setUp(2000);
  const disk = await smallDisk(place);
  if (disk === undefined) return skip('no file system can be mounted here');
  const onDisk = line.with(-2, join(disk.path, 'results.jsonl'));
  const said = new Set<string>();
  let size = 64;
  for (; size < 8000; size = larger(size, 1.1)) {
    await disk.resize(size);
    const outcome = await place.run(onDisk, { env: { ...env, MAILER_STATE_DIR: disk.path } });
    if (outcome.exitCode === 0) break;
    const sent = newRequests();
    expectExplained(outcome, sent);
    const what = /^Error: .*--results: /.test(outcome.stderr) ? '--results' : 'sending';
    said.add(sent > 0 || what === '--results' ? what : 'before');
  }
  expect(size).toBeLessThan(8000);
  expectResults(place, await expectEachOnce(place, served, 2000), 'disk/results.jsonl');
  expect(said).toEqual(new Set(['before', 'sending', '--results']));
});

describe('on a read-only file system', () => {
  /** A run of these rows with a journal; the service is unavailable after this many requests. */
  async function journalOn(rows: number, requests: number) {
    const place = createPlace();
    const served = await serveHere(place);
    writePeople(place, rows);
    let asked = 0;
    const url = await startProxy(served.url, async ({ forward, answer }) => {
      asked++;
      const down = { status: 503, headers: {}, body: '' };
      await answer(asked > requests ? down : await forward());
    });
    const disk = await smallDisk(place);
    if (disk === undefined) return undefined;
    await disk.resize(4000);
    const env = { ...served.env, MAILER_BASE_URL: `${url}/api`, MAILER_STATE_DIR: disk.path };
    const first = await place.run([...line, '--retries', '0', '--concurrency', '1'], { env });
    await execa('mount', ['-o', 'remount,ro', disk.path]);
    return { place, env, first, asked: () => asked };
  }

  test('a complete run is shown, and its results are written: 0', async ({ skip }) => {
    const setup = await journalOn(250, 3);
    if (setup === undefined) return skip('no file system can be mounted here');
    const { place, env, first, asked } = setup;
    expect(first.exitCode).toBe(0);
    const words = line.with(-2, 'again.jsonl');
    const { exitCode, stdout, stderr } = await place.run(words.slice(0, -1), { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('This run is already complete');
    expect(stdout.split('\n')).toHaveLength(252);
    const [before, now] = ['results.jsonl', 'again.jsonl'].map((name) =>
      readFileSync(join(place.home, name), 'utf8'),
    );
    expect(now).toBe(before);
    const status = await runHere(place, 'run list --fields state,accepted', { env });
    expect(status.stdout).toContain('complete\t250');
    expect(asked()).toBe(3);
  });

  test('an incomplete one sends nothing: 2', async ({ skip }) => {
    const setup = await journalOn(250, 2);
    if (setup === undefined) return skip('no file system can be mounted here');
    const { place, env, asked } = setup;
    const { exitCode, stderr } = await place.run(line, { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Error: Cannot write .*: the file system is read-only\.\nHint: /);
    const status = await runHere(place, 'run list --fields state,accepted,left', { env });
    expect(status.stdout).toContain('incomplete\t200\t50');
    expect(asked()).toBe(3);
  });
});

test('a run that cannot be locked sends no unknown emails again: 2', async ({ skip }) => {
  const { place, env, newRequests } = await setUp(1);
  const rows = [{ to: 'a@example.org', subject: 'Hi' }, { to: 'b@example.org' }];
  writeFileSync(join(place.home, 'rows.json'), JSON.stringify(rows));
  const disk = await smallDisk(place);
  if (disk === undefined) return skip('no file system can be mounted here');
  const inPlace = { ...env, MAILER_STATE_DIR: 'state' };
  const words =
    'email batch rows.json --from hello@example.com --template tmpl_nope --text T --yes --retries 0';
  expect(await place.run(words, { env: inPlace })).toMatchObject({ exitCode: 11 });
  await execa('mount', ['-o', 'remount,ro', disk.path]);
  const locks = join(place.home, 'state', 'runs', 'locks');
  rmSync(locks, { recursive: true });
  symlinkSync(disk.path, locks);
  newRequests();
  expect(await place.run(words, { env: inPlace })).toMatchObject({ exitCode: 11 });
  const { exitCode, stderr } = await place.run(`${words} --resend-unknown`, { env: inPlace });
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('read-only'),
  });
  expect(newRequests()).toBe(0);
});

describe('a state directory that', () => {
  test.each<[string, (place: Place) => void]>([
    ['is a file', ({ home }) => writeFileSync(join(home, 'state'), '')],
    [
      'is below a file',
      ({ home }) => symlinkSync(join(home, 'people.csv', 'x'), join(home, 'state')),
    ],
    ['is a link to itself', ({ home }) => symlinkSync('state', join(home, 'state'))],
  ])('%s: 2, and nothing is sent', async (_, prepare) => {
    const { place, env } = await setUp(3);
    prepare(place);
    const odd = { ...env, MAILER_STATE_DIR: 'state' };
    const { exitCode, stderr } = await place.run(line, { env: odd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toMatch(/^Error: Cannot (read|write) \/.*\/state.*\nHint: .*MAILER_STATE_DIR/);
    const status = await place.run('run list', { env: odd });
    expect(status).toMatchObject({ exitCode: 2, stdout: '' });
    expect(status.stderr).toMatch(/^Error: Cannot read \/.*\/state.*\nHint: .*MAILER_STATE_DIR/);
  });

  test.skipIf(isRoot)('is read-only: 2, and nothing is sent', async () => {
    const { place, env } = await setUp(3);
    mkdirSync(join(place.home, 'state'));
    chmodSync(join(place.home, 'state'), 0o500);
    const odd = { ...env, MAILER_STATE_DIR: 'state' };
    const { exitCode, stderr } = await place.run(line, { env: odd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toMatch(/^Error: Cannot write \/.*permission denied.*\nHint: /);
  });

  test.skipIf(isRoot)('has become read-only shows a complete run: 0', async () => {
    const { place, env } = await setUp(3);
    const odd = { ...env, MAILER_STATE_DIR: 'state' };
    expect(await place.run(line, { env: odd })).toMatchObject({ exitCode: 0 });
    await execa('chmod', ['-R', 'a-w', join(place.home, 'state')]);
    onTestFinished(async () => {
      await execa('chmod', ['-R', 'u+w', join(place.home, 'state')]);
    });
    expect(await place.run(line, { env: odd })).toMatchObject({ exitCode: 0 });
  });

  test.each(['./a/../b', ' spaces and ümläuts/deep/er '])(
    'is named %j is made, and found again',
    async (name) => {
      const { place, served, env } = await setUp(3);
      const odd = { ...env, MAILER_STATE_DIR: name };
      expect(await place.run(line, { env: odd })).toMatchObject({ exitCode: 0 });
      const again = await place.run(line.slice(0, -1), { env: odd });
      expect(again.stderr).toContain('This run is already complete');
      await expectEachOnce(place, served, 3);
      expect(existsSync(join(place.home, name, 'runs'))).toBe(true);
    },
  );
});

describe('--results', () => {
  test('is written to a pipe and through a link as to a file', async () => {
    const { place, served, env } = await setUp(3);
    writeFileSync(join(place.home, 'there.jsonl'), 'old');
    symlinkSync('there.jsonl', join(place.home, 'results.jsonl'));
    expect(await place.run(line, { env })).toMatchObject({ exitCode: 0 });
    const emails = await expectEachOnce(place, served, 3);
    expectResults(place, emails, 'there.jsonl');
    const piped = words.replace("'results.jsonl'", '>(cat >piped.jsonl)');
    const command = `mailer ${piped}; while [ "$(wc -l <piped.jsonl)" != 3 ]; do sleep 0.05; done`;
    await finished(place.shell(command, { env }));
    expectResults(place, emails, 'piped.jsonl');
    expect(readdirSync(place.home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each(['none/results.jsonl', '.'])('%s cannot be written: 2', async (path) => {
    const { place, served, env, newRequests } = await setUp(3);
    const { exitCode, stderr } = await place.run(line.with(-2, path), { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toMatch(
      /^Error: --results: .* cannot be written: .*\nHint: Nothing was sent\.$/m,
    );
    expect(newRequests()).toBe(0);
    expect(await place.run(line, { env })).toMatchObject({ exitCode: 0 });
    expectResults(place, await expectEachOnce(place, served, 3));
    expect(readFileSync(join(place.home, 'results.jsonl'), 'utf8')).not.toBe('');
  });
});
