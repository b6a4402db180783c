import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

test('a book that is missing: the error has the command that creates it, in full', async () => {
  const world = createWorld();
  writeFileSync(join(world.home, 'people.csv'), 'email\nana@example.org\n');
  const line = 'contact import people.csv --book Readers --sandbox --yes';
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(4);
  expect(stderr).toContain('There is no contact book "Readers".');
  const create = /^Hint: To create it: mailer (.*)$/m.exec(stderr)?.[1] ?? '';
  expect(await world.run(create)).toMatchObject({ exitCode: 0 });
  expect(await world.run(line)).toMatchObject({ exitCode: 0 });
});
