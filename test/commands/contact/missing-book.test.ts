import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { enter } from '../../support/keys.ts';
import type { Step } from '../../support/person.ts';
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

test.each([
  ['an import', 'contact import people.csv', 1],
  ['a first contact', 'contact add --email ana@example.org', 0],
])(
  'at a terminal, the book of %s may be a new one, which is created first',
  async (_, words, confirmed) => {
    const world = createWorld();
    writeFileSync(join(world.home, 'people.csv'), 'email\nana@example.org\n');
    const yes: Step = [/1 (new )?contact.*\(y\/N\)|Import.*\(y\/N\)|Send.*\(y\/N\)/s, `y${enter}`];
    const { exitCode } = await atTerminal(
      world.run,
      `${words} --sandbox`,
      [
        ['? Contact book', 'New contact'],
        ['❯ New contact book …', enter],
        ['? Name of the new contact book', `Readers${enter}`],
        ['There is no contact book "Readers". Create it? (y/N)', `y${enter}`],
        ['? Double opt-in', 'off'],
        ['❯ off', enter],
        ...Array<Step>(confirmed).fill(yes),
      ],
      { columns: 120 },
    );
    expect(exitCode).toBe(0);
    const { stdout } = await world.run('contact list --book Readers --sandbox');
    expect(stdout).toContain('ana@example.org');
  },
);
