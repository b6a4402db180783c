import { expect, test } from 'vitest';
import { cacheDirectory, sandboxDirectory } from '../../../../src/lib/base/files/directories.ts';

const linux = { env: {}, platform: 'linux', homeDirectory: '/home/ana', cwd: '/place' } as const;

test.each([
  [linux, '/home/ana/.local/share/mailer/sandbox'],
  [{ ...linux, env: { XDG_DATA_HOME: '/data/ana' } }, '/data/ana/mailer/sandbox'],
  [{ ...linux, env: { XDG_DATA_HOME: 'relative' } }, '/home/ana/.local/share/mailer/sandbox'],
  [{ ...linux, env: { MAILER_SANDBOX_DIR: 'here' } }, '/place/here'],
  [{ ...linux, env: { MAILER_SANDBOX_DIR: '' } }, '/home/ana/.local/share/mailer/sandbox'],
  [
    { ...linux, platform: 'darwin', homeDirectory: '/Users/ana' } as const,
    '/Users/ana/Library/Application Support/mailer/sandbox',
  ],
])('the sandbox of %o is in %s', (system, directory) => {
  expect(sandboxDirectory(system)).toBe(directory);
});

test.each([
  [linux, '/home/ana/.cache/mailer'],
  [{ ...linux, env: { XDG_CACHE_HOME: '/cache/ana' } }, '/cache/ana/mailer'],
  [{ ...linux, env: { XDG_CACHE_HOME: 'relative' } }, '/home/ana/.cache/mailer'],
  [{ ...linux, env: { XDG_CACHE_HOME: '' } }, '/home/ana/.cache/mailer'],
  [
    { ...linux, platform: 'darwin', homeDirectory: '/Users/ana' } as const,
    '/Users/ana/Library/Caches/mailer',
  ],
])('the cache of %o is in %s', (system, directory) => {
  expect(cacheDirectory(system)).toBe(directory);
});
