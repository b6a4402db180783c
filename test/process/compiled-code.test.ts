import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  createPlace,
  isExecutable,
  node,
  type Place,
  temporaryDirectory,
} from '../support/process.ts';

beforeEach(({ skip }) => skip(isExecutable, 'it has been compiled before'));

/** Those of the Node that runs the program, as its directory has them. */
const versions = execFileSync(node, ['-p', 'process.version + "-" + process.arch'], {
  encoding: 'utf8',
}).trim();

/** A place whose user has not run the program yet, and the directory for what it compiles. */
function newUser(env: Readonly<Record<string, string>> = {}) {
  const cache = temporaryDirectory();
  const directory = join(cache, 'mailer', 'compiled', versions);
  return { place: createPlace({ XDG_CACHE_HOME: cache, ...env }), cache, directory };
}

async function runs(place: Place, words = '--help'): Promise<void> {
  const { exitCode, stdout, stderr } = await place.run(words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).not.toBe('');
}

function twice(data: Buffer): Buffer {
  return Buffer.concat([data, data]);
}

/** The one file of the program's main part. */
function mainIn(directory: string): string {
  const [name = ''] = readdirSync(directory).filter((one) => one.startsWith('main-'));
  return join(directory, name);
}

test('what a run has compiled is kept, for its user alone, and used by the next', async () => {
  const { place, directory } = newUser();
  await runs(place);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  const look = () =>
    readdirSync(directory).map((name) => {
      const { mode, mtimeMs, size } = statSync(join(directory, name));
      return { name, mode: mode & 0o777, mtimeMs, size };
    });
  const kept = look();
  expect(kept.length).toBeGreaterThan(2);
  for (const { mode, size } of kept) expect([mode, size > 0]).toEqual([0o600, true]);
  await runs(place);
  expect(look()).toEqual(kept);
});

test('a command that is run for the first time adds the functions that it calls', async () => {
  const { place, directory } = newUser();
  await runs(place);
  const { size } = statSync(mainIn(directory));
  await runs(place, 'config path');
  expect(statSync(mainIn(directory)).size).toBeGreaterThan(size);
});

test.each<[string, (kept: Buffer) => Buffer]>([
  ['empty', () => Buffer.alloc(0)],
  ['cut short', (kept) => kept.subarray(0, kept.length / 2)],
  ['all zeros', (kept) => Buffer.alloc(kept.length)],
  ['of another version', (kept) => twice(kept.subarray(0, kept.length / 2).fill(7, 4, 8))],
  ['damaged in one place', (kept) => kept.fill(0xa5, 20_000, 20_064)],
  ['damaged at its end', (kept) => kept.fill(0xa5, kept.length - 64)],
])('what is kept and %s is replaced', async (_, spoil) => {
  const { place, directory } = newUser();
  await runs(place);
  const main = mainIn(directory);
  const spoilt = spoil(readFileSync(main));
  writeFileSync(main, spoilt);
  await runs(place);
  expect(readFileSync(main).equals(spoilt)).toBe(false);
  expect(statSync(main).size).toBeGreaterThan(10_000);
});

test('nothing is kept or used where others may write', async () => {
  const { place, directory } = newUser();
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o777);
  await runs(place);
  expect(readdirSync(directory)).toEqual([]);
});

test.each<[string, (cache: string) => void]>([
  ['a file is in its place', (cache) => writeFileSync(join(cache, 'mailer'), '')],
  ['the variable of Node says no', () => {}],
])('nothing is kept, nor said of it, when %s', async (what, prepare) => {
  const env = what.startsWith('the variable') ? { NODE_DISABLE_COMPILE_CACHE: '1' } : {};
  const { place, cache } = newUser(env);
  prepare(cache);
  const before = readdirSync(cache);
  await runs(place);
  expect(readdirSync(cache)).toEqual(before);
});

test('the version and the scripts of shells do without', async () => {
  const { place, cache } = newUser();
  await runs(place, '--version');
  await runs(place, '-V');
  await runs(place, 'completion bash');
  await runs(place, 'completion powershell');
  expect(readdirSync(cache)).toEqual([]);
});

test('a stack trace of --debug names functions, and files of the program', async () => {
  const { place } = newUser();
  const { exitCode, stderr } = await place.run('email get x --sandbox --debug');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^ +at checkInput \(.*[\\/]dist[\\/][\w-]+\.cjs:\d+:\d+\)$/m);
});
