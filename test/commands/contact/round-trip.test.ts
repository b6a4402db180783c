import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld, type World } from '../../support/run.ts';

/** Any text, in particular what breaks files and spreadsheets. No contact can have a NUL. */
const text = fc
  .oneof(
    fc.constantFrom(
      '',
      '=1+1',
      '+49 30',
      '-1',
      '@x',
      '"',
      'a,b;c',
      'two\nlines',
      '\r\n',
      "it's",
      '  x ',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
  .map((value) => value.replaceAll('\0', ''));

/** Names that are also fields, that differ only in case, and any others. No header ends with a space. */
const propertyName = fc
  .oneof(
    fc.constantFrom('plan', 'Plan', 'PLAN', 'city', 'First Name', 'email', 'E-Mail', 'subscribed'),
    fc.constantFrom(
      'properties',
      'properties.x',
      'constructor',
      '0',
      'ü🙂',
      'a "quote"',
      'a,b',
      'x@y.example',
    ),
    fc.string({ minLength: 1, maxLength: 8 }),
  )
  .filter((name) => name.trim() === name && name !== '' && name !== '__proto__');

const domain = fc.constantFrom('x.example', 'münchen.example', 'a.b.example');
const address = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9_+='!-]{1,12}$/), domain)
  .map(([local, host]) => `${local}@${host}`);

const contact = fc.record({
  email: address,
  firstName: fc.option(text, { nil: undefined }),
  lastName: fc.option(text, { nil: undefined }),
  subscribed: fc.boolean(),
  properties: fc.dictionary(propertyName, text, { maxKeys: 4 }),
});

const book = fc.record({
  variables: fc.uniqueArray(fc.constantFrom('plan', 'City', 'unused'), { maxLength: 3 }),
  contacts: fc.uniqueArray(contact, {
    selector: ({ email }) => email.toLowerCase(),
    maxLength: 30,
  }),
});

type Book = typeof book extends fc.Arbitrary<infer Value> ? Value : never;

async function ok(world: World, ...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await world.run([...words, '--sandbox']);
  expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

/** A sandbox with a book, and an empty book with the same variables. */
async function worldWith({ variables, contacts }: Book): Promise<World> {
  const world = createWorld();
  const books = ['One', 'Other'].map((name) => ({ id: `book_${name}`, name, variables }));
  const people = contacts.map((one) => ({ book: 'One', ...one }));
  fileIn(world, 'seeds.json', { books, contacts: people });
  const { exitCode, stderr } = await world.run('sandbox seed seeds.json --empty');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return world;
}

test.each(['csv', 'jsonl'])(
  'what is exported as %s and imported is the same book',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(book, async (given) => {
        const world = await worldWith(given);
        const file = `one.${format}`;
        await ok(world, 'contact', 'export', '--book', 'One', '--output', file);
        const whole = await ok(world, 'contact', 'export', '--book', 'One', `--${format}`);
        // An import into the same book changes nothing.
        const stored = () => ok(world, 'api', '/v1/contactBooks/book_One/contacts');
        const before = await stored();
        if (given.contacts.length > 0) {
          await ok(world, 'contact', 'import', file, '--book', 'One', '--yes');
          await ok(world, 'contact', 'import', file, '--book', 'Other', '--yes');
        }
        expect(await stored()).toBe(before);
        expect(await ok(world, 'contact', 'export', '--book', 'Other', `--${format}`)).toBe(whole);
      }),
      { numRuns: 3 },
    );
  },
);
