import { describe, expect, test } from 'vitest';
import { connected } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const line = 'contact book update book_1';
const book = {
  id: 'book_1',
  name: 'Readers',
  variables: ['Plan', 'city'],
  properties: { source: 'fair', owner: 'ana' },
};
const read = 'GET /api/v1/contactBooks/book_1';
const patch = 'PATCH /api/v1/contactBooks/book_1';

test('only the named fields are sent, without reading the book', async () => {
  const { run, requests, sent } = await connected({ body: book });
  expect(await run(`${line} --emoji x --double-opt-in off`)).toEqual({
    exitCode: 0,
    stdout: 'book_1\n',
    stderr: 'Updated contact book Readers.\n',
  });
  expect(requests()).toEqual([patch]);
  expect(sent()).toEqual({ emoji: 'x', doubleOptInEnabled: false });
});

describe('a new name', () => {
  const list = 'GET /api/v1/contactBooks';
  const other = { ...book, id: 'book_2', name: 'Guests' };

  test('that another book has is a conflict, because a name that two have works no longer', async () => {
    const { run, requests } = await connected({ body: [book, other] });
    expect(await run(`${line} --name Guests`)).toEqual({
      exitCode: 5,
      stdout: '',
      stderr:
        'Error: Another contact book is named "Guests" (book_2).\nHint: Nothing was changed. Give another name. To have two with this name, add --allow-duplicate.\n',
    });
    expect(requests()).toEqual([list]);
  });

  test('that only this book has, or that --allow-duplicate permits, is sent', async () => {
    const own = await connected({ body: [book, other] }, { body: book });
    expect(await own.run(`${line} --name Readers`)).toMatchObject({ exitCode: 0 });
    expect(own.requests()).toEqual([list, patch]);
    const twice = await connected({ body: book });
    expect(await twice.run(`${line} --name Guests --allow-duplicate`)).toMatchObject({
      exitCode: 0,
    });
    expect(twice.requests()).toEqual([patch]);
  });

  test('is sent if the service lists no books, and kept back while they cannot be listed', async () => {
    const none = await connected({ status: 404, body: {} }, { body: book });
    expect(await none.run(`${line} --name Guests`)).toMatchObject({ exitCode: 0 });
    const away = await connected({ status: 400, body: { error: { message: 'no' } } });
    const { exitCode, stderr } = await away.run(`${line} --name Guests`);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('Nothing was changed, because the contact books could not be listed.');
    expect(away.requests()).not.toContain(patch);
  });
});

describe('lists are replaced by the service', () => {
  test('so the other variables are sent again; case makes no difference', async () => {
    const { run, requests, sent } = await connected({ body: book }, { body: book });
    await run(`${line} --add-variable plan --add-variable size --remove-variable CITY`);
    expect(requests()).toEqual([read, patch]);
    expect(sent(1)).toEqual({ variables: ['Plan', 'size'] });
  });

  test('so are the other properties', async () => {
    const { run, sent } = await connected({ body: book }, { body: book });
    await run(`${line} --property source=web --property year=2026 --remove-property owner`);
    expect(sent(1)).toEqual({ properties: { source: 'web', year: '2026' } });
  });

  test('of a book given by its name as the list has them', async () => {
    const world = createWorld();
    const words = 'contact book update Customers --add-variable city --sandbox --json';
    const { stdout } = await world.run(words);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Customers', variables: ['plan', 'city'] });
    const { requests, run } = await connected({ body: [book] }, { body: book });
    await run('contact book update Readers --add-variable size');
    expect(requests()).toEqual(['GET /api/v1/contactBooks', patch]);
  });

  test.each([
    [
      '--remove-variable size',
      '--remove-variable: the contact book has no "size"\nHint: It has: "Plan", "city"\n',
    ],
    [
      '--remove-property Source',
      '--remove-property: the contact book has no "Source"\nHint: It has: "source", "owner"\n',
    ],
  ])('%s: what is not there cannot be removed', async (flags, message) => {
    const { run, requests } = await connected({ body: book });
    expect(await run(`${line} ${flags}`)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `Error: ${message}`,
    });
    expect(requests()).toEqual([read]);
  });

  test('a dry run cannot read them, and reports that', async () => {
    const words = 'contact book update Readers --add-variable size --dry-run --json';
    const { exitCode, stdout, stderr } = await createWorld().run(words);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'PATCH',
      url: '{base_url}/v1/contactBooks/Readers',
      body: { variables: ['size'] },
    });
    expect(stderr).toContain("The book's other variables or properties would be looked up first");
  });
});

test('an empty sender lets the service choose one, an empty subject is its usual one', async () => {
  const { run, sent } = await connected({ body: book });
  const words = [...line.split(' '), '--double-opt-in-from', '', '--double-opt-in-subject', ''];
  await run(words);
  expect(sent()).toEqual({ doubleOptInFrom: null, doubleOptInSubject: '' });
});

test.each([
  ['', 'There is nothing to change'],
  ['--double-opt-in yes', '--double-opt-in: "yes" is not one of on, off'],
  ['--property plan', '--property: "plan" is not name=value'],
])('"%s" is a usage error, and nothing is sent', async (flags, message) => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run(`${line} ${flags}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('a service without contact books: 4', async () => {
  const missing = { status: 404, body: '404 Not Found' };
  const { run } = await connected(missing, missing, { body: [] });
  const { exitCode, stderr } = await run(`${line} --emoji x --json`);
  expect(exitCode).toBe(4);
  expect(JSON.parse(stderr).error.code).toBe('not_offered');
});

test.each([
  [
    'Company Name',
    '"Company Name" cannot be the name of a variable; use letters, digits and _, such as company_name',
  ],
  [
    'first-name',
    '"first-name" cannot be the name of a variable; use letters, digits and _, such as first_name',
  ],
  ['FirstName', '"FirstName" is a field of each contact, not the name of a variable'],
  ['価格', '"価格" cannot be the name of a variable; use letters, digits and _'],
])('a variable %j is an error, because services reject it', async (name, message) => {
  const { run, requests } = await connected({ body: book });
  const update = ['contact', 'book', 'update', 'book_1', '--add-variable', name];
  expect(await run(update)).toMatchObject({
    exitCode: 2,
    stderr: `Error: --add-variable: ${message}\n`,
  });
  expect(requests()).toEqual([read]);
  const create = ['contact', 'book', 'create', '--name', 'News', '--double-opt-in', 'off'];
  expect(await run([...create, '--variable', name])).toMatchObject({
    exitCode: 2,
    stderr: `Error: --variable: ${message}\n`,
  });
  expect(requests()).toEqual([read]);
});
