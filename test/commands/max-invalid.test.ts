import { describe, expect, test } from 'vitest';
import { fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

const people =
  'email,name\nana@example.org,Ana\nnope,Ben\ncy@example.org,Cy\ndee@example.org,Dee\n';

const commands = [
  [
    'email batch',
    'email batch people.csv --sandbox --yes --from hello@example.com --subject S --text T',
  ],
  ['contact import', 'contact import people.csv --book People --sandbox --yes'],
  ['contact sync', 'contact sync people.csv --book People --sandbox --yes'],
] as const;

async function worldWith(content = people) {
  const world = createWorld();
  fileIn(world, 'people.csv', content);
  await world.run('contact book create --name People --double-opt-in off --sandbox');
  return world;
}

describe.each(commands)('%s --max-invalid', (_, line) => {
  test.each(['1', '3', '25%', '99.9%'])(
    '%s allows one of four: it is listed, and 0',
    async (most) => {
      const world = await worldWith();
      const { exitCode, stderr } = await world.run(`${line} --max-invalid ${most}`);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('1 row skipped');
      expect(stderr).toContain('row 2: ');
    },
  );

  test.each([
    ['0', '0 rows'],
    ['24%', '0 rows'],
  ])('%s does not: nothing is sent', async (most, allowed) => {
    const world = await worldWith();
    const { exitCode, stderr } = await world.run(`${line} --max-invalid ${most}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Nothing was sent. --max-invalid allows ${allowed}.`);
  });

  test('all rows are too many, whatever it says', async () => {
    const world = await worldWith('email,name\nnope,Ana\n');
    expect((await world.run(`${line} --max-invalid 100%`)).exitCode).toBe(2);
  });

  test.each(['x', '-1', '1.5', '101%', ''])('"%s" is an error', async (most) => {
    const world = await worldWith();
    const words = [...line.split(' '), '--max-invalid', most];
    expect((await world.run(words)).exitCode).toBe(2);
  });
});

test('rows that a policy forbids are no slip: 11', async () => {
  const world = await worldWith('email,name\nana@example.org,Ana\nben@other.example,Ben\n');
  const env = { MAILER_ALLOW_TO: '*@example.org' };
  const { exitCode, stderr } = await world.run(`${commands[0][1]} --max-invalid 1`, { env });
  expect(exitCode).toBe(11);
  expect(stderr).toContain('row 2: ');
});

test('contact sync does not delete whose row is invalid', async () => {
  const world = await worldWith();
  const { exitCode, stderr } = await world.run(
    `${commands[2][1]} --max-invalid 1 --delete-missing`,
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--max-invalid and --delete-missing cannot be used together');
});
