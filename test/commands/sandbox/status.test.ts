import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

test.each([
  [1, '1 byte'],
  [512, '512 bytes'],
  [1536, '1.5 KiB'],
  [58 * 1024 * 1024, '58 MiB'],
  [1024 ** 3 - 1, '1 GiB'],
])('shows %i bytes to people as %s, and to programs as they are', async (bytes, shown) => {
  const world = createWorld();
  const directory = join(world.home, '.local', 'share', 'mailer', 'sandbox');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'large');
  writeFileSync(file, '');
  truncateSync(file, bytes);
  const terminal = await world.run('sandbox status --no-color', { terminal: 80 });
  expect(terminal.stdout).toMatch(new RegExp(`^Size +${shown}$`, 'm'));
  expect((await world.run('sandbox status')).stdout).toContain(
    `\nbytes\t${bytes}\nrunning\tfalse\n`,
  );
});
