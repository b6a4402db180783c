import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cacheDirectory } from '../../../src/lib/base/files/directories.ts';
import { needing, notWindows, root } from '../../support/needs.ts';
import {
  createPlace,
  isExecutable,
  type Place,
  program,
  temporaryDirectory,
} from '../../support/process.ts';

beforeEach(({ skip }) => skip(isExecutable, 'it has been compiled before'));

const hasModes = process.platform !== 'win32';
/** Only root can give files to other users. */
const somebody = 54_321;
const dist = join(dirname(program), '..', 'dist');

interface User {
  readonly place: Place;
  /** For all that can be had again; empty. */
  readonly cache: string;
  /** For what is compiled; not there yet. */
  readonly directory: string;
}

/** A user who has not run the program yet. */
function newUser(env: Readonly<Record<string, string>> = {}): User {
  const cache = temporaryDirectory();
  const own = { HOME: cache, LOCALAPPDATA: cache, XDG_CACHE_HOME: cache, ...env };
  const place = createPlace(own);
  const { platform } = process;
  const base = cacheDirectory({ env: own, platform, homeDirectory: own.HOME });
  return { place, cache, directory: join(base, 'compiled') };
}

/** Runs the program, which must succeed, and returns its output. */
async function runs(place: Place, words = '--help', file = program): Promise<string> {
  const { exitCode, stdout, stderr } = await place.run(words, { file });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).not.toBe('');
  return stdout;
}

/** Files in the cache, each with its modification time. */
function kept(directory: string): readonly (readonly [path: string, time: number])[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, statSync(join(directory, name))] as const)
    .filter(([, stat]) => stat.isFile())
    .map(([name, { mtimeMs }]) => [name, mtimeMs]);
}

/** A copy of the program whose help has a different text of the same length. */
function editedCopy(): string {
  const copy = temporaryDirectory();
  for (const name of ['bin', 'dist']) {
    cpSync(join(dist, '..', name), join(copy, name), { recursive: true });
  }
  for (const name of readdirSync(join(copy, 'dist')).filter((one) => one.endsWith('.cjs'))) {
    const file = join(copy, 'dist', name);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, source.replaceAll('Work with an email', 'Deal with an email'));
  }
  return join(copy, 'bin', 'mailer.js');
}

test('the compiled code of a run is cached, for its user alone, and used by the next', async () => {
  const { place, directory } = newUser();
  await runs(place);
  if (hasModes) expect(statSync(directory).mode & 0o777).toBe(0o700);
  const first = kept(directory);
  expect(first.length).toBeGreaterThan(2);
  const { stderr } = await place.run('--help', { env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' } });
  expect(stderr).toContain('was accepted');
  expect(kept(directory)).toEqual(first);
});

test('a damaged cache is not run', async () => {
  const { place, directory } = newUser();
  await runs(place);
  for (const [name] of kept(directory)) {
    const bytes = readFileSync(join(directory, name));
    writeFileSync(join(directory, name), bytes.fill(0xa5, bytes.length / 2));
  }
  expect(await runs(place)).toContain('Work with an email');
});

test('an edited copy runs its own code, and so does the other', async () => {
  const { place } = newUser();
  const file = editedCopy();
  expect(await runs(place)).toContain('Work with an email');
  expect(await runs(place, '--help', file)).toContain('Deal with an email');
  expect(await runs(place)).toContain('Work with an email');
});

test('many at once do not disturb each other', async () => {
  const { place } = newUser();
  const lines = ['--help', 'email send --help', 'config path'];
  const all = [...lines, ...lines];
  await Promise.all(all.map(async (words) => await runs(place, words)));
  expect(await runs(place)).toContain('Work with an email');
});

/** Whether a run uses the cache, as reported by Node. */
async function uses({ place }: User): Promise<boolean> {
  const env = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { exitCode, stdout, stderr } = await place.run('--help', { env });
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('Work with an email'),
  });
  return stderr.includes('was accepted');
}

describe('a cache that others can change', needing(notWindows), () => {
  /** What a run keeps, for all users. */
  const compiled = mkdtempSync(join(tmpdir(), 'mailer-compiled-'));

  afterAll(() => rmSync(compiled, { recursive: true, force: true }));

  /** A user who has run the program. */
  async function withKept(): Promise<User> {
    const user = newUser();
    if (readdirSync(compiled).length === 0) {
      await runs(user.place);
      cpSync(user.directory, compiled, { recursive: true });
    } else {
      mkdirSync(dirname(user.directory), { mode: 0o700 });
      cpSync(compiled, user.directory, { recursive: true });
    }
    return user;
  }

  function linkTo(target: string, path: string, owner?: number): void {
    symlinkSync(target, path);
    if (owner !== undefined) lchownSync(path, owner, owner);
  }

  test('is used if others cannot reach it, as these tests assume', async () => {
    await withKept();
    const user = await withKept();
    expect(await uses(user)).toBe(true);
    // A link of the user's own to the user's own directory is followed.
    renameSync(user.directory, join(user.cache, 'elsewhere'));
    linkTo('../elsewhere', user.directory);
    expect(await uses(user)).toBe(true);
  });

  test.each<[string, (user: User) => void]>([
    ['in a directory that others may write to', ({ directory }) => chmodSync(directory, 0o777)],
    ['in one that others may enter', ({ directory }) => chmodSync(directory, 0o711)],
    ['below one that others may write to', (user) => chmodSync(dirname(user.directory), 0o770)],
  ])('%s is not used', async (_, change) => {
    const user = await withKept();
    change(user);
    expect(await uses(user)).toBe(false);
  });

  test.each<[string, (user: User) => void]>([
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
  ])('%s is not used', needing(root), async (_, change) => {
    const user = await withKept();
    change(user);
    expect(await uses(user)).toBe(false);
  });

  test('is not added to', async () => {
    const { place, directory } = newUser();
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o777);
    await runs(place);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('is not followed through a link', needing(root), async () => {
    const { place, cache, directory } = newUser();
    const elsewhere = temporaryDirectory();
    chmodSync(cache, 0o1777);
    linkTo(elsewhere, dirname(directory), somebody);
    await runs(place);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('is left as it is in the home of another', needing(root), async () => {
    const home = temporaryDirectory();
    const { place } = newUser({ HOME: home, LOCALAPPDATA: '', XDG_CACHE_HOME: '' });
    chownSync(home, somebody, somebody);
    await runs(place);
    await runs(place, 'config path');
    expect(readdirSync(home)).toEqual([]);
  });
});

test.each<[string, (cache: string) => void]>([
  ['a file is in its place', (cache) => writeFileSync(join(cache, 'mailer'), '')],
  ['the variable of Node says no', () => {}],
])('nothing is cached, without a message, if %s', async (what, prepare) => {
  const env = what.startsWith('the variable') ? { NODE_DISABLE_COMPILE_CACHE: '1' } : {};
  const { place, cache } = newUser(env);
  prepare(cache);
  const before = readdirSync(cache);
  await runs(place);
  expect(readdirSync(cache)).toEqual(before);
});

test('a stack trace of --debug names functions, and files of the program', async () => {
  const { place } = newUser();
  const { exitCode, stderr } = await place.run('email get x --sandbox --debug');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^ +at (?:Object\.)?checkInput \(.*[\\/]dist[\\/][\w-]+\.cjs:\d+:\d+\)$/m);
});
