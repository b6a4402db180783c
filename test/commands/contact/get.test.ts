import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const ana = {
  id: 'contact_1',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: null,
  subscribed: true,
  unsubscribeReason: null,
  properties: { plan: 'pro', note: 'a\u001b[31m' },
  contactBookId: 'book_1',
  createdAt: '2026-01-14T10:00:00.000Z',
  updatedAt: '2026-01-14T10:00:00.000Z',
  novel: 1,
};

test('by id: one request, and --json is the unmodified response', async () => {
  const { run, requests } = await connected({ body: ana });
  const { exitCode, stdout, stderr } = await run('contact get contact_1 --book book_1 --json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(ana);
  expect(requests()).toEqual(['GET /api/v1/contactBooks/book_1/contacts/contact_1']);
});

test('by address and name of the book: what the list has is enough', async () => {
  const { run, requests } = await connected(
    { body: [{ id: 'book_1', name: 'Customers' }] },
    { body: [{ ...ana, id: 'contact_2', email: 'Ana@example.org' }, ana] },
  );
  const words = 'contact get ana@example.org --book Customers --json';
  expect(JSON.parse((await run(words)).stdout)).toEqual(ana);
  expect(requests()).toEqual([
    'GET /api/v1/contactBooks',
    'GET /api/v1/contactBooks/book_1/contacts?emails=ana@example.org',
  ]);
});

test('-q is the id', async () => {
  const words = 'contact get delivered+ana@example.com --book Customers --sandbox -q';
  expect(await createWorld().run(words)).toEqual({
    exitCode: 0,
    stdout: 'contact_ana\n',
    stderr: '',
  });
});

describe('on a terminal', () => {
  const shown = async (body: object) => {
    const { run } = await connected({ body });
    const words = 'contact get contact_1 --book book_1 --no-color';
    return (await run(words, { terminal: 80 })).stdout;
  };

  test('properties have their names, and control characters are visible', async () => {
    expect(await shown(ana)).toBe(
      [
        'Id            contact_1',
        'Email         ana@example.org',
        'First name    Ana',
        'Subscribed    yes',
        'Properties    plan=pro, note=a\\x1b[31m',
        'Contact book  book_1',
        'Created       1 day ago, 2026-01-14 10:00',
        'Updated       1 day ago, 2026-01-14 10:00',
        '',
      ].join('\n'),
    );
  });

  test('unconfirmed contacts are pending, unsubscribed ones are not', async () => {
    expect(await shown({ ...ana, subscribed: false })).toContain('Subscribed    pending\n');
    const gone = { ...ana, subscribed: false, unsubscribeReason: 'BOUNCED' };
    expect(await shown(gone)).toMatch(/Subscribed +no\nUnsubscribed +BOUNCED\n/);
  });
});

test('in a pipe, values are those of the service', async () => {
  const { run } = await connected({ body: { ...ana, subscribed: false } });
  const { stdout } = await run(
    'contact get contact_1 --book book_1 --fields subscribed,properties',
  );
  expect(stdout).toBe('subscribed\tfalse\nproperties\t{"plan":"pro","note":"a\\\\u001b[31m"}\n');
});

test('the last one that was added here needs no --book', async () => {
  const world = createWorld();
  await world.run('contact add --book Customers --email eva@example.org --sandbox');
  const { stdout } = await world.run('contact get @last --sandbox --json');
  expect(JSON.parse(stdout)).toMatchObject({
    email: 'eva@example.org',
    contactBookId: 'book_customers',
  });
});

test('an address that the book does not have: 4, with the command that lists them', async () => {
  const words = 'contact get nobody@example.org --book Customers --sandbox --json';
  const outcome = await createWorld().run(words);
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome)).toMatchObject({
    code: 'not_found',
    message: 'The contact book Customers has no contact nobody@example.org.',
    hint: 'To list its contacts: mailer contact list --book Customers --sandbox',
  });
});

test('a service without contacts: 4', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  const outcome = await run('contact get contact_1 --book Customers --json');
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome).code).toBe('not_offered');
});

test('without --book: a usage error, and nothing is sent', async () => {
  const { run, requests } = await connected();
  expect(await run('contact get contact_1')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'Error: Missing --book\n',
  });
  expect(requests()).toEqual([]);
});
