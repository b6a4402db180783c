import { expect, test } from 'vitest';
import { connected, errorOf } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const book = {
  id: 'book_1',
  name: 'Readers',
  teamId: 1,
  emoji: '📙',
  variables: ['plan', 'city'],
  properties: { source: 'fair' },
  doubleOptInEnabled: true,
  doubleOptInFrom: 'news@example.com',
  doubleOptInSubject: 'Please confirm',
  doubleOptInContent: '{"type":"doc"}',
  createdAt: '2026-01-14T10:00:00.000Z',
  updatedAt: '2026-01-14T10:00:00.000Z',
  _count: { contacts: 7 },
};

test('by id: one request, and --json is the unmodified response', async () => {
  const { run, requests } = await connected({ body: book });
  expect(JSON.parse((await run('contact book get book_1 --json')).stdout)).toEqual(book);
  expect(requests()).toEqual(['GET /api/v1/contactBooks/book_1']);
});

test('by name: what the list has is enough', async () => {
  const { run, requests } = await connected({ body: [book] });
  expect((await run('contact book get Readers')).stdout).toContain('variables\tplan, city\n');
  expect(requests()).toEqual(['GET /api/v1/contactBooks']);
});

test('on a terminal: variables, properties, and what double opt-in sends', async () => {
  const { run } = await connected({ body: book });
  const { stdout } = await run('contact book get book_1 --no-color', { terminal: 80 });
  expect(stdout).toBe(
    [
      'Id              book_1',
      'Name            Readers',
      'Emoji           📙',
      'Contacts        7',
      'Variables       plan, city',
      'Properties      source=fair',
      'Double opt-in   yes',
      'Opt-in sender   news@example.com',
      'Opt-in subject  Please confirm',
      'Created         1 day ago, 2026-01-14 10:00',
      'Updated         1 day ago, 2026-01-14 10:00',
      '',
    ].join('\n'),
  );
});

test('what looks like an id is a name only if the service has no such id', async () => {
  const missing = { error: { code: 'NOT_FOUND', message: 'Contact book not found' } };
  const { run, requests } = await connected(
    { status: 404, body: missing },
    { body: [{ ...book, name: 'readers' }] },
  );
  expect((await run('contact book get readers -q')).stdout).toBe('book_1\n');
  expect(requests()).toEqual(['GET /api/v1/contactBooks/readers', 'GET /api/v1/contactBooks']);
});

test.each([
  // An id, whose 404 says nothing of it.
  ['nothing', 'There is no contact book "nothing". '],
  ['Nothing', ''],
])('none of this id or name, %s: 4, with the command that lists them', async (named, start) => {
  const outcome = await createWorld().run(`contact book get ${named} --sandbox --json`);
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome)).toMatchObject({
    code: 'not_found',
    hint: `${start}To list the contact books: mailer contact book list --sandbox`,
  });
});

test('@last is the last one that was created here, also with api', async () => {
  const world = createWorld();
  const last = async () => (await world.run('contact book get @last --sandbox --json')).stdout;
  await world.run('contact book create --name One --double-opt-in off --sandbox');
  expect(JSON.parse(await last())).toMatchObject({ name: 'One' });
  await world.run('api POST /v1/contactBooks -f name=Two --sandbox');
  expect(JSON.parse(await last())).toMatchObject({ name: 'Two' });
  const { stdout } = await world.run('api GET /v1/contactBooks/@last/contacts --sandbox --json');
  expect(JSON.parse(stdout)).toEqual([]);
  await world.run('contact add --book @last --email eva@example.org --yes --sandbox');
  const contact = await world.run('api GET /v1/contactBooks/@last/contacts/@last --sandbox');
  expect(JSON.parse(contact.stdout)).toMatchObject({ email: 'eva@example.org' });
});
