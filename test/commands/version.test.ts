import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';
import { read } from '../support/sources.ts';

// package.json has it.
const { version } = JSON.parse(read('package.json')) as { version: string };

test('shows the version and what runs it; sources that were not built have no commit', async () => {
  const world = createWorld();
  const { stdout } = await world.run('version', {
    terminal: 80,
    node: '24.1.0',
    platform: 'darwin',
  });
  expect(stdout).toMatch(/Runtime .*Node 24\.1\.0 \(darwin, x64\)/);
  expect(stdout).not.toContain('Commit');
  expect((await world.run('version --quiet')).stdout).toBe(`${version}\n`);
});

test.each([
  ['/lib/ld-musl-x86_64.so.1', 'musl'],
  ['/lib64/ld-linux-x86-64.so.2', 'glibc'],
  ['/lib/ld-uClibc.so.0', null],
])('knows the C library of what runs it by the loader: %s', async (loader, libc) => {
  const world = createWorld();
  const executable = join(world.home, 'mailer');
  writeFileSync(executable, Buffer.from(`\u007fELF\0\0\0${loader}\0`));
  const { stdout } = await world.run('version --json', { bun: '1.4.5', executable });
  expect(JSON.parse(stdout)).toEqual({
    version,
    commit: null,
    build: null,
    runtime: { name: 'bun', version: '1.4.5', platform: 'linux', arch: 'x64', libc },
    packages: [],
  });
});

test('an executable that an update has deleted has no known library', async () => {
  const world = createWorld();
  const { stdout } = await world.run('version --jq .runtime.libc', {
    executable: '/nowhere/mailer',
  });
  expect(stdout).toBe('\n');
});
