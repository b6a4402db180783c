import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { cacheDirectory } from '../../src/lib/files/directories.ts';
import {
  createPlace,
  isExecutable,
  node,
  type Place,
  program,
  temporaryDirectory,
} from '../support/process.ts';

beforeEach(({ skip }) => skip(isExecutable, 'it has been compiled before'));

const hasModes = process.platform !== 'win32';
/** Root alone can give files to others. */
const isRoot = process.getuid?.() === 0;
const somebody = 54_321;
const dist = join(dirname(program), '..', 'dist');

/** Those of the Node that runs the program, as names of files have them. */
const versions = execFileSync(node, ['-p', 'process.version + "-" + process.arch'], {
  encoding: 'utf8',
}).trim();

interface User {
  readonly place: Place;
  /** For all that can be had again; empty. */
  readonly cache: string;
  /** For what is compiled; not there yet. */
  readonly directory: string;
}

/** Somebody who has not run the program yet. */
function newUser(env: Readonly<Record<string, string>> = {}): User {
  const cache = temporaryDirectory();
  const own = { HOME: cache, LOCALAPPDATA: cache, XDG_CACHE_HOME: cache, ...env };
  const place = createPlace(own);
  const { platform } = process;
  const base = cacheDirectory({ env: own, platform, homeDirectory: own.HOME });
  return { place, cache, directory: join(base, 'compiled') };
}

/** Runs the program, which must not mind, and returns what it prints. */
async function runs(place: Place, words = '--help', file = program): Promise<string> {
  const { exitCode, stdout, stderr } = await place.run(words, { file });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).not.toBe('');
  return stdout;
}

/** When each of the kept files was written. */
function times(directory: string): Record<string, number> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mtimeMs]),
  );
}

/** The name of the built file of the program's main part. */
function mainName(): string {
  const [name = ''] = readdirSync(dist).filter((one) => one.startsWith('run-command-'));
  return name;
}

/** The one file of the program's main part. */
function mainIn(directory: string): string {
  return join(directory, `${versions}-${mainName()}`);
}

/** What is compiled of a source, in a file as the program writes it, its code there twice. */
function twice(code: Buffer, source: Buffer): Buffer {
  return Buffer.concat([code, code, source]);
}

/** A copy of the program whose help has another text of the same length. */
function editedCopy(): string {
  const copy = temporaryDirectory();
  for (const name of ['bin', 'dist']) {
    cpSync(join(dist, '..', name), join(copy, name), { recursive: true });
  }
  const main = join(copy, 'dist', mainName());
  const { atime, mtime } = statSync(main);
  const source = readFileSync(main, 'utf8');
  writeFileSync(main, source.replaceAll('Operate an account', 'Examine an account'));
  utimesSync(main, atime, mtime);
  return join(copy, 'bin', 'mailer.js');
}

/** What is kept in a file, without the source of which it was made. */
function codeIn(kept: Buffer, source: Buffer): Buffer {
  return kept.subarray(0, (kept.length - source.length) / 2);
}

function isWhole(kept: Buffer, source: Buffer): boolean {
  return kept.length > source.length && kept.equals(twice(codeIn(kept, source), source));
}

test('what a run has compiled is kept, for its user alone, and used by the next', async () => {
  const { place, directory } = newUser();
  await runs(place);
  if (hasModes) expect(statSync(directory).mode & 0o777).toBe(0o700);
  const look = () =>
    readdirSync(directory).map((name) => {
      const { mode, mtimeMs, size } = statSync(join(directory, name));
      return { name, mode: mode & 0o777, mtimeMs, size };
    });
  const kept = look();
  expect(kept.length).toBeGreaterThan(2);
  for (const { mode, size } of kept) {
    expect(size).toBeGreaterThan(0);
    if (hasModes) expect(mode).toBe(0o600);
  }
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

test.each<[string, (kept: Buffer, code: Buffer, source: Buffer) => Buffer]>([
  ['empty', () => Buffer.alloc(0)],
  ['cut short', (kept) => kept.subarray(0, kept.length / 2)],
  ['cut to its source', (_, __, source) => source],
  ['all zeros', (kept) => Buffer.alloc(kept.length)],
  ['of another version', (_, code, source) => twice(Buffer.from(code).fill(7, 4, 8), source)],
  ['damaged in one place', (kept) => kept.fill(0xa5, 20_000, 20_064)],
  ['damaged at its end', (kept) => kept.fill(0xa5, kept.length - 64)],
])('what is kept and %s is replaced', async (_, spoil) => {
  const { place, directory } = newUser();
  await runs(place);
  const main = mainIn(directory);
  const sound = readFileSync(main);
  const source = readFileSync(join(dist, mainName()));
  const code = codeIn(sound, source);
  const spoilt = spoil(Buffer.from(sound), code, source);
  writeFileSync(main, spoilt);
  await runs(place);
  const replaced = readFileSync(main);
  expect(replaced.equals(spoilt)).toBe(false);
  expect(isWhole(replaced, source)).toBe(true);
});

test('a copy that was edited runs what is in it, and so does the other', async () => {
  const { place } = newUser();
  const file = editedCopy();
  expect(await runs(place)).toContain('Operate an account');
  expect(await runs(place, '--help', file)).toContain('Examine an account');
  expect(await runs(place)).toContain('Operate an account');
});

test('many at once keep what is whole', async () => {
  const { place, directory } = newUser();
  const lines = ['--help', 'email send --help', 'config path', 'campaign --help'];
  const all = [...lines, ...lines, ...lines];
  await Promise.all(all.map(async (words) => await runs(place, words)));
  for (const name of readdirSync(directory)) {
    expect(name).toMatch(/\.cjs$/);
    const kept = readFileSync(join(directory, name));
    const source = readFileSync(join(dist, name.slice(`${versions}-`.length)));
    expect(isWhole(kept, source)).toBe(true);
  }
});

test('what is a month old is removed when something is kept, if it is of this program', async () => {
  const { place, directory } = newUser();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const write = (name: string, days: number) => {
    const time = Date.now() / 1000 - days * 24 * 60 * 60;
    writeFileSync(join(directory, name), '');
    utimesSync(join(directory, name), time, time);
  };
  write('v22.19.0-x64-main-abcdefgh.cjs', 40);
  write('v22.19.0-x64-main-abcdefgh.cjs.4711', 40);
  write('v24.1.0-x64-main-abcdefgh.cjs', 1);
  write('notes.txt', 400);
  await runs(place);
  const rest = readdirSync(directory).filter((name) => !name.startsWith(versions));
  expect(rest.sort()).toEqual(['notes.txt', 'v24.1.0-x64-main-abcdefgh.cjs']);
});

describe.skipIf(!hasModes)('what others may have put there', () => {
  /** A user in whose cache there is code that is not the program's, but fits it. */
  async function withPlanted(): Promise<User> {
    const user = newUser();
    await runs(user.place, '--help', editedCopy());
    const main = mainIn(user.directory);
    const source = readFileSync(join(dist, mainName()));
    writeFileSync(main, twice(codeIn(readFileSync(main), source), source));
    return user;
  }

  /** What a directory has in it, and when that was written. */
  const look = (directory: string) =>
    readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mtimeMs]);

  function linkTo(target: string, path: string, owner?: number): void {
    symlinkSync(target, path);
    if (owner !== undefined) lchownSync(path, owner, owner);
  }

  test('is run where it is out of their reach, as these tests suppose', async () => {
    const { place, cache, directory } = await withPlanted();
    expect(await runs(place)).toContain('Examine an account');
    // And a way of one's own to a directory of one's own is taken.
    renameSync(directory, join(cache, 'elsewhere'));
    linkTo('../elsewhere', directory);
    expect(await runs(place)).toContain('Examine an account');
  });

  test.each<[string, (user: User, main: string) => void]>([
    ['in a file that others may write to', (_, main) => chmodSync(main, 0o620)],
    [
      'behind a link in place of a file',
      (_, main) => {
        renameSync(main, `${main}-moved`);
        linkTo(`${main}-moved`, main);
      },
    ],
    ['in a directory that others may write to', ({ directory }) => chmodSync(directory, 0o777)],
    ['below such a one', ({ directory }) => chmodSync(dirname(directory), 0o770)],
  ])('%s is not run', async (_, change) => {
    const user = await withPlanted();
    change(user, mainIn(user.directory));
    expect(await runs(user.place)).toContain('Operate an account');
  });

  test.runIf(isRoot).each<[string, (user: User, main: string) => void]>([
    ['in a file of theirs', (_, main) => chownSync(main, somebody, somebody)],
    ['in a directory of theirs', ({ directory }) => chownSync(directory, somebody, somebody)],
    ['below one', ({ directory }) => chownSync(dirname(directory), somebody, somebody)],
    [
      'behind a link of theirs',
      ({ cache, directory }) => {
        renameSync(directory, join(cache, 'elsewhere'));
        linkTo(join(cache, 'elsewhere'), directory, somebody);
      },
    ],
    [
      'behind a link that leads over one of theirs',
      ({ cache, directory }) => {
        renameSync(directory, join(cache, 'elsewhere'));
        linkTo('elsewhere', join(cache, 'theirs'), somebody);
        linkTo('../theirs', directory);
      },
    ],
  ])('%s is not run', async (_, change) => {
    const user = await withPlanted();
    change(user, mainIn(user.directory));
    expect(await runs(user.place)).toContain('Operate an account');
  });

  test('is not added to', async () => {
    const { place, directory } = newUser();
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o777);
    await runs(place);
    expect(readdirSync(directory)).toEqual([]);
  });

  test.runIf(isRoot)('leads nothing elsewhere', async () => {
    const { place, cache, directory } = newUser();
    const elsewhere = temporaryDirectory();
    chmodSync(cache, 0o1777);
    linkTo(elsewhere, dirname(directory), somebody);
    await runs(place);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.runIf(isRoot)('is left as it is in the home of another', async () => {
    const home = temporaryDirectory();
    const { place } = newUser({ HOME: home, LOCALAPPDATA: '', XDG_CACHE_HOME: '' });
    chownSync(home, somebody, somebody);
    await runs(place);
    await runs(place, 'config path');
    expect(look(home)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('does not have to be waited for', async () => {
    const { place, directory } = newUser();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    execFileSync('mkfifo', [mainIn(directory)]);
    await runs(place);
    expect(statSync(mainIn(directory)).isFile()).toBe(true);
  });
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

test('what works with little memory uses what is kept, and leaves it to others', async () => {
  const { place, directory } = newUser();
  const all = 'email list --sandbox --all --csv';
  await runs(place, all);
  const kept = times(directory);
  await runs(place, all);
  await runs(place, 'email list --sandbox --csv');
  expect(times(directory)).toEqual(kept);
});
