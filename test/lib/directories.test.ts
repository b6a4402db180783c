import { expect, test } from 'vitest';
import { sandboxDirectory } from '../../src/lib/directories.ts';

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
