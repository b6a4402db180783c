import { describe, expect, test } from 'vitest';
import { connected, errorOf, failureOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const ana = {
  id: 'contact_1',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: null,
  subscribed: true,
  createdAt: '2026-01-14T10:00:00.000Z',
  novel: 1,
};
const ben = { id: 'contact_2', email: 'ben@example.org', firstName: 'Ben\u001b[31m' };
const pending = { ...ben, subscribed: false, unsubscribeReason: null };
const line = 'contact list --book book_1';
const path = 'GET /api/v1/contactBooks/book_1/contacts';

test('on a terminal, unconfirmed contacts are pending; control characters are visible', async () => {
  const { run, requests } = await connected({ body: [ana, pending] });
  expect((await run(`${line} --no-color`, { terminal: 80 })).stdout).toBe(
    [
      'ID         EMAIL            FIRST NAME   SUBSCRIBED',
      'contact_1  ana@example.org  Ana          yes',
      'contact_2  ben@example.org  Ben\\x1b[31m  pending',
      '',
    ].join('\n'),
  );
  expect(requests()).toEqual([path]);
});

test('in a pipe, the values are those of the service', async () => {
  const { run } = await connected({ body: [ana, pending] });
  expect((await run(`${line} --fields email,subscribed`)).stdout).toBe(
    'email\tsubscribed\nana@example.org\ttrue\nben@example.org\tfalse\n',
  );
});

test('--json is the unmodified response, --jsonl a line for each, -q the ids', async () => {
  const body = [ana, ben];
  const { run } = await connected({ body }, { body }, { body });
  expect(JSON.parse((await run(`${line} --json`)).stdout)).toEqual(body);
  const lines = (await run(`${line} --jsonl`)).stdout.trim().split('\n');
  expect(lines.map((one) => JSON.parse(one))).toEqual(body);
  expect((await run(`${line} -q`)).stdout).toBe('contact_1\ncontact_2\n');
});

test('by the name of the book; none is said on stderr', async () => {
  const world = createWorld();
  const list = 'contact list --book Customers --sandbox -q';
  expect((await world.run(list)).stdout.split('\n')).toHaveLength(13);
  await world.run('contact book create --name New --double-opt-in off --sandbox');
  expect(await world.run('contact list --book @last --sandbox')).toEqual({
    exitCode: 0,
    stdout: 'id\temail\tfirstName\tlastName\tsubscribed\n',
    stderr: 'No contacts.\n',
  });
});

test('--subscribed and --unsubscribed; who has not confirmed is neither', async () => {
  const gone = { ...ben, id: 'contact_3', subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' };
  const body = [ana, pending, gone];
  const { run } = await connected({ body }, { body }, { body: [pending] });
  expect((await run(`${line} --subscribed -q`)).stdout).toBe('contact_1\n');
  expect(JSON.parse((await run(`${line} --unsubscribed --json`)).stdout)).toEqual([gone]);
  expect((await run(`${line} --subscribed`)).stderr).toBe('No subscribed contacts.\n');
  expect((await run(`${line} --subscribed --unsubscribed`)).exitCode).toBe(2);
});

describe('--email', () => {
  test('looks up these addresses only, and reports those not in the book', async () => {
    const { run, requests } = await connected({ body: [ana] });
    const words = `${line} --email ana@example.org,eva@example.org --email zoe@example.org`;
    expect((await run(words)).stderr).toBe(
      'Not in the book: "eva@example.org", "zoe@example.org"\n',
    );
    expect(requests()).toEqual([`${path}?emails=ana@example.org,eva@example.org,zoe@example.org`]);
  });

  test('of many addresses, in several requests, is one list', async () => {
    const words = Array.from({ length: 400 }, (_, index) => [
      '--email',
      `somebody.with.a.long.name.${index}@example.org`,
    ]);
    const { run, service } = await connected({ body: [ana] }, { body: [ben] }, { body: [] });
    const { stdout } = await run([...line.split(' '), ...words.flat(), '--json']);
    expect(JSON.parse(stdout)).toEqual([ana, ben]);
    expect(service.requests).toHaveLength(3);
    for (const { path } of service.requests) expect(path.length).toBeLessThan(8000);
  });

  test('that is invalid is a usage error, and nothing is sent', async () => {
    const { run, requests } = await connected();
    const { exitCode, stderr } = await run(`${line} --email ana`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--email: "ana" is not an email address');
    expect(requests()).toEqual([]);
  });

  test('is an address without its display name', async () => {
    const { run, requests } = await connected({ body: [ana] });
    expect((await run([...line.split(' '), '--email', 'Ana <ana@example.org>'])).stderr).toBe('');
    expect(requests()).toEqual([`${path}?emails=ana@example.org`]);
  });

  test('with a comma, which the service would split, is a usage error', async () => {
    const { run, requests } = await connected();
    const { exitCode, stderr } = await run([...line.split(' '), '--email', '"a,b"@example.org']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('has a comma, at which the service would split it');
    expect(requests()).toEqual([]);
  });

  test('of none in the book is no error', async () => {
    const { run } = await connected({ body: [] });
    expect(await run(`${line} --email eva@example.org -q`)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });
});

describe('a book of which the service lists 5,000 contacts', () => {
  const body = Array.from({ length: 5000 }, (_, index) => ({ ...ana, id: `contact_${index}` }));
  const book = { id: 'book_1', name: 'Everyone' };
  const counting = (contacts: number) => ({ body: { ...book, _count: { contacts } } });

  test('and that has more: what there is, exit code 11, and how to show others', async () => {
    const { run, requests } = await connected({ body }, counting(7300));
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(11);
    expect(JSON.parse(outcome.stdout)).toHaveLength(5000);
    expect(failureOf(outcome)).toEqual({
      code: 'partial',
      message: 'The list has 5,000 of 7,300 contacts: the service lists no more of a book.',
      hint: 'To show one of the others: mailer contact list --book book_1 --email ADDRESS',
    });
    expect(requests()).toEqual([path, 'GET /api/v1/contactBooks/book_1']);
  });

  test('and that has no more is complete', async () => {
    const { run } = await connected({ body }, counting(5000));
    expect(await run(`${line} -q`)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('and that is not counted may have more', async () => {
    const { run } = await connected({ body }, { body: book });
    const { exitCode, stderr } = await run(`${line} -q`);
    expect(exitCode).toBe(11);
    expect(stderr).toContain('Error: The list has 5,000 contacts: the service lists no more');
  });
});

test('without --book: a usage error', async () => {
  const { exitCode, stderr } = await createWorld().run('contact list --sandbox');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(stderr).toContain('Missing --book');
});

test('a service without contacts: 4', async () => {
  const missing = { status: 404, body: '404 Not Found' };
  const { run } = await connected(missing, missing, { body: [] });
  const outcome = await run(`${line} --json`);
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome).code).toBe('not_offered');
});
