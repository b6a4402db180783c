import { expect, test } from 'vitest';
import { withSegmentOf } from '../segment/made.ts';
import { createWords, get } from './draft.ts';

const forSegment = (name: string, ...more: readonly string[]) => {
  const words = createWords(name, '--segment', 'Some', ...more);
  const at = words.indexOf('--book');
  return [...words.slice(0, at), ...words.slice(at + 2)];
};

test('--segment makes a contact book with the variables of the segment, and says so', async () => {
  const { world } = await withSegmentOf(['firstName in Ana,Liam']);
  const { exitCode, stdout, stderr } = await world.run(forSegment('Spring news'));
  expect(exitCode, stderr).toBe(0);
  const { contactBookId } = await get(world, stdout.trim());
  expect(stderr).toContain(
    `Created contact book ${contactBookId} of segment Some with 2 contacts.\n`,
  );
  const books = async (id: string) =>
    JSON.parse((await world.run(`contact book get ${id} --sandbox --json`)).stdout);
  const made = await books(contactBookId);
  expect(made.name).toBe('Spring news: Some');
  expect(made.variables).toEqual((await books('book_customers')).variables);
});

test('if the campaign then fails, the error names the book', async () => {
  const { world } = await withSegmentOf(['firstName in Nobody']);
  const { exitCode, stderr } = await world.run(forSegment('Spring news', '--now'));
  expect(exitCode).toBe(1);
  const book = /^Created contact book (\S+) of segment Some/m.exec(stderr)?.[1];
  expect(stderr).toContain(`The contact book ${book} was made for it. To use it, give --book`);
  expect(stderr).toContain(`mailer contact book delete ${book} --sandbox`);
});

test.each([
  ['with --for-approval', ['--for-approval'], {}],
  ['under the rule', [], { MAILER_APPROVAL: 'always' }],
])('a start for approval makes no book, and the hint works: %s', async (_, flags, env) => {
  const { world } = await withSegmentOf(['firstName in Ana,Liam']);
  const books = async () => (await world.run('contact book list --sandbox -q')).stdout;
  const before = await books();
  const start = forSegment('Spring news', '--now', ...flags);
  const { exitCode, stderr } = await world.run([...start, '--json'], { env });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(await books()).toBe(before);
  const { hint }: { hint: string } = JSON.parse(stderr).error;
  expect(await world.run(forSegment('Spring news'), { env })).toMatchObject({ exitCode: 0 });
  const [, line = ''] = / Then: mailer (.*)$/.exec(hint) ?? [];
  const stored = await world.run(line, { env });
  expect(stored.stdout + stored.stderr).toContain('outbox approve');
});

test.each([['--book', 'book_customers'], ['--if-missing']])(
  'with %s: a usage error, and no book is made',
  async (...more) => {
    const { world } = await withSegmentOf(['plan=pro']);
    const books = async () => (await world.run('contact book list --sandbox -q')).stdout;
    const before = await books();
    const words = [...forSegment('Spring news'), ...more];
    expect(await world.run(words)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await books()).toBe(before);
  },
);

test('a name that is taken is a conflict before a book is made', async () => {
  const { world } = await withSegmentOf(['plan=pro']);
  await world.run(createWords('Spring news'));
  const { exitCode, stderr } = await world.run(forSegment('Spring news'));
  expect(exitCode).toBe(5);
  expect(stderr).not.toContain('Created contact book');
});

test('a condition on a property that no contact has is said', async () => {
  const { world } = await withSegmentOf(['plann=pro']);
  const { stderr } = await world.run('segment preview Some --sandbox');
  expect(stderr).toBe(
    'Warning: No contact of the book has the property plann. Did you mean plan?\n',
  );
  const known = ['segment', 'create', '--name', 'Pro', '--book', 'Customers', '--sandbox'];
  const right = await world.run([...known, '--where', 'plan=pro']);
  expect(right.stderr).not.toContain('No contact');
});

test('the same newsletter to a segment of a book that has got it is a conflict, and so is the other way round', async () => {
  const { world } = await withSegmentOf(['firstName in Ana,Liam']);
  expect((await world.run(forSegment('March', '--now'))).exitCode).toBe(0);
  world.clock.advance(60_000);
  const again = await world.run(forSegment('March, again', '--now'));
  expect(again).toMatchObject({ exitCode: 5, stdout: '' });
  expect(again.stderr).toContain('has 2 of the same contacts and the same content.');
  expect(again.stderr).toContain('To create it all the same, add --allow-duplicate.');
  expect(again.stderr).toContain('To use it, give --book');
  const whole = await world.run(createWords('To all', '--now'));
  expect(whole).toMatchObject({ exitCode: 5, stdout: '' });
  const allowed = await world.run(forSegment('March, again', '--now', '--allow-duplicate'));
  expect(allowed.exitCode, allowed.stderr).toBe(0);
});

test('the same newsletter to the other people of the book is none', async () => {
  const { world } = await withSegmentOf(['firstName in Ana,Liam']);
  await world.run(
    'segment create --name Others --book Customers --where firstName=Keiko --sandbox',
  );
  expect((await world.run(forSegment('March', '--now'))).exitCode).toBe(0);
  const words = forSegment('March, others', '--now').map((one) =>
    one === 'Some' ? 'Others' : one,
  );
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode, stderr).toBe(0);
});
