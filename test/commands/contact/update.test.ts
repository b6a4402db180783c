import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line = 'contact update contact_ana --book book_customers';
const reply = { body: { contactId: 'contact_ana' } };

test('changes the given fields: the id on stdout', async () => {
  expect(await createWorld().run(`${line} --sandbox --first-name Anna`)).toEqual({
    exitCode: 0,
    stdout: 'contact_ana\n',
    stderr: 'Updated contact contact_ana.\n',
  });
});

test('--unsubscribed excludes the contact from campaigns, --subscribed includes it', async () => {
  const world = createWorld();
  const reached = async () => {
    const words =
      'campaign create --allow-duplicate --sandbox --from news@example.com --subject News --now --yes';
    const { stdout } = await world.run([
      ...`${words} --book book_customers --json --name N --html`.split(' '),
      '<p>{{usesend_unsubscribe_url}}</p>',
    ]);
    return JSON.parse(stdout).total;
  };
  expect(await reached()).toBe(11);
  await world.run(`${line} --sandbox --unsubscribed`);
  expect(await reached()).toBe(10);
  await world.run(`${line} --sandbox --subscribed`);
  expect(await reached()).toBe(11);
});

test('every flag is sent as the field of the specification', async () => {
  const { world, service, sent } = await connected(reply);
  const { stdout } = await world.run([
    ...line.split(' '),
    ...['--first-name', 'Ana', '--last-name', 'Silva', '--property', 'plan=pro', '--json'],
    ...['--property', 'note=a=b, c', '--property', 'empty=', '--unsubscribed'],
  ]);
  expect(JSON.parse(stdout)).toEqual({ contactId: 'contact_ana' });
  expect(service.requests).toMatchObject([
    {
      method: 'PATCH',
      path: '/api/v1/contactBooks/book_customers/contacts/contact_ana',
      headers: { authorization: 'Bearer us_key_1234567890', 'content-type': 'application/json' },
    },
  ]);
  expect(sent()).toEqual({
    firstName: 'Ana',
    lastName: 'Silva',
    properties: { plan: 'pro', note: 'a=b, c', empty: '' },
    subscribed: false,
  });
});

test('an empty name is sent; other fields are not', async () => {
  const { world, sent } = await connected(reply, reply);
  await world.run([...line.split(' '), '--first-name', '']);
  expect(sent(0)).toEqual({ firstName: '' });
  await world.run(`${line} --subscribed`);
  expect(sent(1)).toEqual({ subscribed: true });
});

test('--properties-file, with --property on top', async () => {
  const { world, sent } = await connected(reply);
  writeFileSync(join(world.home, 'properties.json'), '{"plan":"free","city":"Porto"}');
  await world.run(`${line} --properties-file properties.json --property plan=pro`);
  expect(sent()).toEqual({ properties: { plan: 'pro', city: 'Porto' } });
});

test('--file has the changes, flags override it', async () => {
  const { world, sent } = await connected(reply);
  const file = { firstName: 'Old', lastName: 'Silva', subscribed: true };
  await world.run(`${line} --file - --first-name New --unsubscribed`, {
    stdin: JSON.stringify(file),
  });
  expect(sent()).toEqual({ firstName: 'New', lastName: 'Silva', subscribed: false });
});

test.each([
  ['', 'There is nothing to change'],
  ['--subscribed --unsubscribed', '--subscribed and --unsubscribed cannot be used together'],
  ['--property plan', '--property: "plan" is not name=value'],
  ['--property a=1 --property a=2', '--property: a was given twice'],
  ['--properties-file missing.json', '--properties-file: missing.json does not exist'],
  ['--first-name A --first-name B', '--first-name <text> was given 2 times'],
  ['--first-nam A', '--first-name'],
])('"%s" is a usage error, and nothing is sent', async (flags, message) => {
  const { world, service } = await connected();
  const { exitCode, stdout, stderr } = await world.run(`${line} ${flags}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test.each([
  ['{"firstname":"Ana"}', 'unknown field "firstname"'],
  ['{"subscribed":null}', '--file: subscribed: must be a boolean'],
  ['{}', 'There is nothing to change'],
  ['[]', '--file: stdin does not contain a JSON object'],
])('%s in --file is a usage error', async (stdin, message) => {
  const { world, service } = await connected();
  const { exitCode, stderr } = await world.run(`${line} --file -`, { stdin });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test('a misspelt field in --file is named before a missing --book, with the known fields', async () => {
  const { exitCode, stderr } = await createWorld().run('contact update contact_ana --file -', {
    stdin: '{"firstName":"Ana","subscribd":true}',
  });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'Error: --file: unknown field "subscribd"\n' +
      'Hint: Fields: firstName, lastName, properties, subscribed\n',
  });
});

test.each(['contactBookId', 'contactId'])('%s is no field of --file', async (field) => {
  const { world, service } = await connected();
  const stdin = JSON.stringify({ firstName: 'Ana', [field]: 'x' });
  const { exitCode, stderr } = await world.run(`${line} --file -`, { stdin });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`--file: unknown field "${field}"`);
  expect(service.requests).toHaveLength(0);
});

test('without --book: a usage error', async () => {
  const { exitCode, stderr } = await createWorld().run(
    'contact update contact_ana --first-name Ana --sandbox',
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'Error: Missing --book\n' });
});

test.each([
  ['a/b', 'book_customers', 'CONTACT: "a/b" cannot be an id'],
  ['', 'book_customers', 'CONTACT: must not be empty'],
])('%j in %j never becomes a path', async (contact, book, message) => {
  const { world, service } = await connected();
  const words = ['contact', 'update', contact, '--book', book, '--subscribed'];
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(service.requests).toHaveLength(0);
});

test('a book that cannot be an id is only looked up as a name', async () => {
  const { run, requests } = await connected({ body: [] });
  expect(await run('contact update contact_ana --book .. --subscribed')).toEqual({
    exitCode: 4,
    stdout: '',
    stderr:
      'Error: There is no contact book "..".\nHint: To list the contact books: mailer contact book list\n',
  });
  expect(requests()).toEqual(['GET /api/v1/contactBooks']);
});

test('ids are percent-encoded', async () => {
  const { run, requests } = await connected({ body: [{ id: 'ü', name: 'Umlauts' }] }, reply);
  await run('contact update a;b@c --book ü --subscribed');
  expect(requests()).toEqual([
    'GET /api/v1/contactBooks',
    'PATCH /api/v1/contactBooks/%C3%BC/contacts/a%3Bb%40c',
  ]);
});

describe('by name', () => {
  test('of the book, and by the address of the contact', async () => {
    const world = createWorld();
    const words = 'contact update opened+ben@example.com --book Customers --first-name Benny';
    expect(await world.run(`${words} --sandbox`)).toMatchObject({
      exitCode: 0,
      stdout: 'contact_ben\n',
    });
    expect(await world.run('sandbox export -')).toMatchObject({
      stdout: expect.stringContaining('Benny'),
    });
  });

  test('what looks like an id is a name only if the service has no such id', async () => {
    const { run, requests } = await connected(
      { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Contact book not found' } } },
      { body: [{ id: 'book_7', name: 'march_2026' }] },
      reply,
    );
    const words = 'contact update contact_ana --book march_2026 --subscribed';
    expect((await run(words)).exitCode).toBe(0);
    expect(requests()).toEqual([
      'PATCH /api/v1/contactBooks/march_2026/contacts/contact_ana',
      'GET /api/v1/contactBooks',
      'PATCH /api/v1/contactBooks/book_7/contacts/contact_ana',
    ]);
  });

  test('a name that two books have is an error that lists them; nothing is changed', async () => {
    const { run, requests } = await connected({
      body: [
        { id: 'book_1', name: 'Customers', _count: { contacts: 6 } },
        { id: 'book_2', name: 'Customers' },
      ],
    });
    expect(await run('contact update contact_ana --book Customers --subscribed')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'Error: 2 contact books are named "Customers":\n  book_1  6 contacts\n  book_2\nHint: Use the id instead.\n',
    });
    expect(requests()).toEqual(['GET /api/v1/contactBooks']);
  });

  test('an address that the book does not have: 4', async () => {
    const words = 'contact update nobody@example.org --book Customers --subscribed --sandbox';
    expect(await createWorld().run(words)).toEqual({
      exitCode: 4,
      stdout: '',
      stderr:
        'Error: The contact book Customers has no contact nobody@example.org.\nHint: To list its contacts: mailer contact list --book Customers --sandbox\n',
    });
  });

  test('--dry-run looks nothing up, and shows both names', async () => {
    const words = 'contact update ana@example.org --book Customers --subscribed --dry-run';
    const { exitCode, stdout, stderr } = await createWorld().run(words);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^PATCH \{base_url\}\/v1\/contactBooks\/Customers\/contacts\/ana%40example\.org\n/,
    );
    expect(stderr).toBe(
      'The contact "ana@example.org" would be looked up first; the path then has its id.\nThe contact book "Customers" would be looked up first; the path then has its id.\nDry run: nothing was sent.\n',
    );
  });
});

test('--dry-run shows the request and sends nothing', async () => {
  const { stdout, stderr } = await createWorld().run(`${line} --property a=1 --dry-run --json`);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'PATCH',
    url: '{base_url}/v1/contactBooks/book_customers/contacts/contact_ana',
    body: { properties: { a: '1' } },
  });
  expect(stderr).toBe('Dry run: nothing was sent.\n');
});

test('no such contact: 4; a rejected value: 1', async () => {
  const world = createWorld();
  const unknown = await world.run(
    'contact update nobody --book book_customers --subscribed --sandbox --json',
  );
  expect(unknown.exitCode).toBe(4);
  expect(JSON.parse(unknown.stderr).error).toMatchObject({ code: 'not_found', status: 404 });
  const refused = await world.run(`${line} --sandbox --properties-file - --json`, {
    stdin: '{"plan":null}',
  });
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'rejected', status: 400 });
});
