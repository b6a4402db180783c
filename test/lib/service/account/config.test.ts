import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../src/lib/base/errors.ts';
import { openConfig } from '../../../../src/lib/service/account/config/config.ts';
import { configDirectory } from '../../../../src/lib/service/account/config/config-path.ts';
import type { Config } from '../../../../src/lib/service/account/config/config-types.ts';
import { needing, noRoot, notWindows } from '../../../support/needs.ts';

const noon = Date.UTC(2026, 0, 31, 12, 0, 0);

let root: string;
let directory: string;
let file: string;
let warnings: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mailer-config-'));
  directory = join(root, 'mailer');
  file = join(directory, 'config.json');
  warnings = [];
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function open(options: { lockTimeout?: number } = {}) {
  return openConfig({
    directory,
    user: process.geteuid?.(),
    warn: (text) => warnings.push(text),
    now: () => noon,
    ...options,
  });
}

function withProfile(name: string) {
  return (config: Config): Config => ({
    ...config,
    profiles: { ...config.profiles, [name]: { apiKey: `key-of-${name}` } },
  });
}

function mode(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

function put(text: string): void {
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Runs `script` in its own Node process, with `openConfig` and `directory` defined. */
function child(script: string) {
  const url = pathToFileURL(
    join(import.meta.dirname, '../../../../src/lib/service/account/config/config.ts'),
  ).href;
  const code = `
    import { openConfig } from ${JSON.stringify(url)};
    const config = openConfig({
      directory: ${JSON.stringify(directory)},
      user: process.geteuid?.(),
      warn: (text) => console.error(text),
      now: Date.now,
    });
    ${script}`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Node warns on stderr when both are set, even if empty.
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined },
  });
  let stdout = '';
  let stderr = '';
  const printed = new Promise<void>((resolve) => {
    started.stdout.on('data', (chunk) => {
      stdout += chunk;
      resolve();
    });
  });
  started.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    started.on('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    printed,
    ended,
    kill: (signal: NodeJS.Signals) => started.kill(signal),
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
  };
}

describe('reading and writing', () => {
  test('without a file the configuration is empty, and reading creates none', async () => {
    expect(await open().read()).toEqual({ currentProfile: 'default', profiles: {} });
    expect(existsSync(directory)).toBe(false);
  });

  test('what is written is read again, by another instance too', async () => {
    await open().update(withProfile('work'));
    expect(await open().read()).toEqual({
      currentProfile: 'default',
      profiles: { work: { apiKey: 'key-of-work' } },
    });
    expect(readdirSync(directory).sort()).toEqual(['config.json', 'config.lock']);
  });

  test('keys of other versions are kept at every level', async () => {
    put(
      JSON.stringify({
        version: 7,
        profiles: { default: { color: 'red', settings: { from: 'a@b.c', font: 'serif' } } },
      }),
    );
    await open().update(withProfile('work'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      version: 7,
      profiles: { default: { color: 'red', settings: { from: 'a@b.c', font: 'serif' } } },
    });
  });

  test('a byte order mark is not damage', async () => {
    put('\uFEFF{"currentProfile":"work"}');
    expect((await open().read()).currentProfile).toBe('work');
    await open().update((config) => config);
    expect((await open().read()).currentProfile).toBe('work');
    expect(warnings).toEqual([]);
  });

  test('an error in the change is passed on, nothing is written, and the lock is free', async () => {
    await open().update(withProfile('work'));
    const before = readFileSync(file, 'utf8');
    const failing = open().update(() => {
      throw new UsageError('no such profile');
    });
    await expect(failing).rejects.toThrow('no such profile');
    expect(readFileSync(file, 'utf8')).toBe(before);
    await open().update(withProfile('home'));
  });
});

describe('permissions', needing(notWindows), () => {
  test('the directory is created with 0700 and the file with 0600', async () => {
    await open().update(withProfile('work'));
    expect([mode(directory), mode(file)]).toEqual(['700', '600']);
  });

  test('looser ones are repaired when reading, with a warning', async () => {
    put('{}');
    chmodSync(directory, 0o755);
    chmodSync(file, 0o644);
    await open().read();
    expect([mode(directory), mode(file)]).toEqual(['700', '600']);
    expect(warnings).toEqual([
      `Others could use ${directory} (mode 0755); it is now 0700.`,
      `Others could use ${file} (mode 0644); it is now 0600.`,
    ]);
  });

  test('looser ones are repaired when writing, with a warning', async () => {
    put('{}');
    chmodSync(file, 0o644);
    await open().update(withProfile('work'));
    expect(mode(file)).toBe('600');
    expect(warnings).toHaveLength(1);
  });

  test('the modes of a directory like /tmp are not changed', async () => {
    mkdirSync(directory);
    chmodSync(directory, 0o1777);
    await open().update(withProfile('work'));
    expect([mode(directory), mode(file)]).toEqual(['1777', '600']);
  });

  test('the modes of a directory with other files, such as /etc or a project, are not changed', async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, 'package.json'), '{}');
    chmodSync(directory, 0o755);
    await open().update(withProfile('work'));
    await open().read();
    expect([mode(directory), mode(file)]).toEqual(['755', '600']);
    expect(warnings).toEqual([]);
  });

  test('a directory with only a configuration in it, of any age, gets 0700', async () => {
    await open().update(withProfile('work'));
    for (const name of ['config.json.damaged-20260131T120000Z', 'config.lock-journal']) {
      writeFileSync(join(directory, name), '');
    }
    chmodSync(directory, 0o755);
    await open().update(withProfile('home'));
    expect(mode(directory)).toBe('700');
  });
});

describe('damage', () => {
  const aside = () => `${file}.damaged-20260131T120000Z`;

  test.each([
    ['cut off', '{"profiles":{"work":{"apiKey":"us_secret', 'it is not JSON'],
    ['empty', '', 'it is not JSON'],
    ['an array', '[1]', 'it is not a configuration'],
    ['a wrong type', '{"profiles":{"work":{"apiKey":12}}}', 'profiles.work.apiKey'],
    ['a wrong setting', '{"profiles":{"work":{"settings":{"from":1}}}}', 'settings.from'],
  ])('%s: the file is set aside, byte for byte, and reported', async (_, text, reason) => {
    put(text);
    expect(await open().read()).toEqual({ currentProfile: 'default', profiles: {} });
    expect(readFileSync(aside(), 'utf8')).toBe(text);
    expect(existsSync(file)).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(file);
    expect(warnings[0]).toContain(aside());
    expect(warnings[0]).toContain(reason);
    expect(warnings[0]).not.toContain('us_secret');
  });

  test('an update sets it aside as well, and continues', async () => {
    put('{');
    await open().update(withProfile('work'));
    expect(readFileSync(aside(), 'utf8')).toBe('{');
    expect((await open().read()).profiles).toHaveProperty('work');
  });

  test('a second one in the same second does not replace the first', async () => {
    put('first');
    await open().read();
    writeFileSync(file, 'second');
    await open().read();
    expect(readFileSync(aside(), 'utf8')).toBe('first');
    expect(readFileSync(`${aside()}-2`, 'utf8')).toBe('second');
  });

  test('found by several processes at once, it is set aside once and nothing is lost', async () => {
    put('{"damaged');
    const children = ['a', 'b'].map((name) =>
      child(`await config.update((config) => ({
        ...config,
        profiles: { ...config.profiles, ${name}: {} },
      }));`),
    );
    for (const { ended } of children) expect(await ended).toEqual({ code: 0, signal: null });
    expect(Object.keys((await open().read()).profiles).sort()).toEqual(['a', 'b']);
    const damaged = readdirSync(directory).filter((name) => name.includes('damaged'));
    expect(damaged).toHaveLength(1);
    expect(readFileSync(join(directory, damaged[0] ?? ''), 'utf8')).toBe('{"damaged');
  });
});

describe('several processes', () => {
  test('two of them that write 20 times each lose nothing', async () => {
    const children = ['a', 'b'].map((name) =>
      child(`for (let i = 0; i < 20; i++) {
        await config.update((config) => ({
          ...config,
          profiles: { ...config.profiles, [\`${name}\${i}\`]: {} },
        }));
      }`),
    );
    for (const running of children) {
      expect(await running.ended).toEqual({ code: 0, signal: null });
      expect(running.stderr).toBe('');
    }
    expect(Object.keys((await open().read()).profiles)).toHaveLength(40);
  });

  test('a reader never sees half a file', async () => {
    const writer = child(`for (let i = 0; i < 30; i++) {
      await config.update((config) => ({
        ...config,
        profiles: { work: { apiKey: 'x'.repeat(i * 4000) } },
      }));
    }`);
    let running = true;
    const ended = writer.ended.finally(() => {
      running = false;
    });
    while (running) {
      await open().read();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(warnings).toEqual([]);
  });

  test('a lock whose holder was killed delays nobody', async () => {
    const holder = child(`await config.update(() => {
      console.log('locked');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`);
    await holder.printed;
    await expect(open({ lockTimeout: 50 }).update(withProfile('work'))).rejects.toThrow(
      'Another process holds the lock',
    );
    holder.kill('SIGKILL');
    await holder.ended;
    await open().update(withProfile('work'));
    expect((await open().read()).profiles).toHaveProperty('work');
  });

  test('writing leaves the handler of SIGINT in place', needing(notWindows), async () => {
    const writer = child(`
      let count = 0;
      process.on('SIGINT', () => setImmediate(() => process.exit(++count)));
      await config.update((config) => config);
      console.log('written');
      setInterval(() => {}, 1000);`);
    await writer.printed;
    writer.kill('SIGINT');
    expect(await writer.ended).toEqual({ code: 1, signal: null });
  });
});

describe('symbolic links', needing(notWindows), () => {
  test('a linked file is read and written through the link', async () => {
    const target = join(root, 'dotfiles.json');
    writeFileSync(target, '{"currentProfile":"work"}', { mode: 0o600 });
    mkdirSync(directory, { mode: 0o700 });
    symlinkSync(target, file);
    await open().update(withProfile('work'));
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({
      currentProfile: 'work',
      profiles: { work: { apiKey: 'key-of-work' } },
    });
    expect(mode(target)).toBe('600');
  });

  test('a link to a missing file creates that file', async () => {
    const target = join(root, 'dotfiles.json');
    mkdirSync(directory, { mode: 0o700 });
    symlinkSync(target, file);
    await open().update(withProfile('work'));
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('key-of-work');
  });

  test('a damaged file behind a link is set aside where it is; the link stays', async () => {
    const target = join(root, 'dotfiles.json');
    writeFileSync(target, 'damaged', { mode: 0o600 });
    mkdirSync(directory, { mode: 0o700 });
    symlinkSync(target, file);
    await open().update(withProfile('work'));
    expect(readFileSync(`${target}.damaged-20260131T120000Z`, 'utf8')).toBe('damaged');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('key-of-work');
  });
});

describe('what cannot be read or written', () => {
  test('a link that leads in a circle', needing(notWindows), async () => {
    mkdirSync(directory, { mode: 0o700 });
    symlinkSync(file, file);
    const reason = `${file}: a symbolic link there cannot be followed.`;
    await expect(open().read()).rejects.toThrow(`Cannot read ${reason}`);
    await expect(open().update(withProfile('work'))).rejects.toThrow(`Cannot write ${reason}`);
  });

  test('a directory in place of the file', async () => {
    mkdirSync(file, { recursive: true });
    const reading = open().read();
    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toThrow(`Cannot read ${file}: it is a directory.`);
  });

  test('a file in place of the directory reads as no configuration', async () => {
    writeFileSync(directory, '');
    expect(await open().read()).toEqual({ currentProfile: 'default', profiles: {} });
    const writing = open().update(withProfile('work'));
    await expect(writing).rejects.toThrow(UsageError);
    await expect(writing).rejects.toThrow('a part of its path is not a directory');
  });

  test('a read-only directory', needing(notWindows, noRoot), async () => {
    put('{}');
    chmodSync(directory, 0o500);
    const writing = open().update(withProfile('work'));
    await expect(writing).rejects.toThrow(`Cannot write ${file}: permission denied.`);
    expect(readFileSync(file, 'utf8')).toBe('{}');
    chmodSync(directory, 0o700);
  });
});

describe('the directory', () => {
  const linux = {
    env: {},
    platform: 'linux',
    homeDirectory: '/home/ana',
    cwd: '/place',
  } as const;
  const mac = { ...linux, platform: 'darwin', homeDirectory: '/Users/ana' } as const;
  const windows = {
    env: {},
    platform: 'win32',
    homeDirectory: 'C:\\Users\\ana',
    cwd: 'C:\\work',
  } as const;

  test.each([
    [linux, '/home/ana/.config/mailer'],
    [{ ...linux, env: { XDG_CONFIG_HOME: '/etc/ana' } }, '/etc/ana/mailer'],
    [{ ...linux, env: { XDG_CONFIG_HOME: 'relative' } }, '/home/ana/.config/mailer'],
    [{ ...linux, env: { MAILER_CONFIG_DIR: '' } }, '/home/ana/.config/mailer'],
    [{ ...linux, env: { MAILER_CONFIG_DIR: 'here' } }, '/place/here'],
    [mac, '/Users/ana/Library/Preferences/mailer'],
    [windows, 'C:\\Users\\ana\\AppData\\Roaming\\mailer\\Config'],
    [{ ...windows, env: { APPDATA: 'D:\\data' } }, 'D:\\data\\mailer\\Config'],
  ])('%o', (system, expected) => {
    expect(configDirectory(system)).toBe(expected);
  });
});
