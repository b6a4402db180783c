import { describe, expect, test } from 'vitest';
import { connected } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const line = 'contact book delete book_customers';

test('deletes the book with its contacts', async () => {
  const world = createWorld();
  expect(await world.run(`${line} --sandbox --yes`)).toEqual({
    exitCode: 0,
    stdout: 'book_customers\n',
    stderr: 'Deleted contact book book_customers and its contacts.\n',
  });
  const contact = await world.run(
    'contact update contact_ana --book book_customers --subscribed --sandbox',
  );
  expect(contact.exitCode).toBe(4);
});

test('one request without a body; --json is the unmodified response', async () => {
  const reply = { id: 'book_customers', success: true, message: 'Apagado', novel: null };
  const { world, service } = await connected({ body: reply });
  const { stdout } = await world.run(`${line} -y --json`);
  expect(JSON.parse(stdout)).toEqual(reply);
  expect(service.requests).toMatchObject([
    { method: 'DELETE', path: '/api/v1/contactBooks/book_customers', body: '' },
  ]);
});

test('without a terminal it needs --yes, and nothing is deleted', async () => {
  const { world, service } = await connected();
  const { exitCode, stdout, stderr } = await world.run(`${line} --json`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(JSON.parse(stderr).error).toEqual({
    code: 'usage',
    message:
      'Nothing was deleted, because this needs confirmation: This deletes contact book book_customers and every contact in it, including those who have unsubscribed. Delete it?',
    hint: 'To confirm, add --yes.',
  });
  expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(0);
});

test.each(['book_customers', 'Customers'])(
  'the refusal counts the contacts of %s',
  async (named) => {
    const { stderr } = await createWorld().run(`contact book delete ${named} --sandbox`);
    expect(stderr).toContain(
      'This deletes contact book "Customers" (id book_customers) and 12 contacts in it, including those who have unsubscribed. Delete it?',
    );
  },
);

test('--no-input does not confirm', async () => {
  const { world, service } = await connected();
  expect((await world.run(`${line} --no-input`)).exitCode).toBe(2);
  expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(0);
});

test('no such book, as a bare string: 4', async () => {
  const { world } = await connected({ status: 404, body: { error: 'Contact book not found' } });
  expect(await world.run(`${line} --yes`)).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'Error: Contact book not found\n',
  });
});

test('success: false is an error, with the message of the service', async () => {
  const { world } = await connected({ body: { success: false, message: 'A campaign uses it' } });
  const { exitCode, stderr } = await world.run(`${line} --yes`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'Error: A campaign uses it\n' });
});

test('by name; what cannot be an id is only looked up as a name', async () => {
  expect(await createWorld().run('contact book delete Customers --sandbox --yes')).toEqual({
    exitCode: 0,
    stdout: 'book_customers\n',
    stderr: 'Deleted contact book Customers and its contacts.\n',
  });
  const { run, requests } = await connected({ body: [] });
  expect((await run('contact book delete a/b --yes')).exitCode).toBe(4);
  expect(requests()).toEqual(['GET /api/v1/contactBooks']);
});

describe('--expect-contacts', () => {
  test.each(['1', '0..2'])('%s: deletes the book if it has that many', async (expected) => {
    const book = { id: 'book_customers', name: 'Customers', _count: { contacts: 1 } };
    const { run, requests } = await connected({ body: book }, { body: { success: true } });
    expect((await run(`${line} --yes --expect-contacts ${expected}`)).exitCode).toBe(0);
    expect(requests().map((one) => one.split(' ')[0])).toEqual(['GET', 'DELETE']);
  });

  test.each([
    [{ _count: { contacts: 1500 } }, 'has 1,500 contacts, not 240.'],
    [{}, 'cannot be counted: the service does not tell how many contacts it has.'],
  ])('another number: 2, and nothing is deleted', async (more, message) => {
    const body = { id: 'book_customers', name: 'Customers', ...more };
    const { run, requests } = await connected({ body });
    const { exitCode, stderr } = await run(`${line} --yes --expect-contacts 240`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `Error: --expect-contacts: the contact book book_customers ${message}\nHint: Nothing was deleted.\n`,
    });
    expect(requests()).toHaveLength(1);
  });

  test('by name; a dry run looks nothing up', async () => {
    const { run } = createWorld();
    const named = 'contact book delete Customers --sandbox --yes --expect-contacts';
    expect((await run(`${named} 1000`)).exitCode).toBe(2);
    expect((await run(`${named} few`)).stderr).toContain(
      '--expect-contacts: "few" is neither a number nor a range such as 200..300',
    );
    expect((await run(`${line} --dry-run --expect-contacts 1`)).exitCode).toBe(0);
    expect((await run(`${named} 12`)).exitCode).toBe(0);
  });
});

test('--dry-run needs no yes and no key', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run(`${line} --dry-run`);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^DELETE \{base_url\}\/v1\/contactBooks\/book_customers\n/);
  expect(stderr).toBe('Dry run: nothing was sent.\n');
});
