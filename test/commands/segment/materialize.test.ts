import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { withSegmentOf } from './made.ts';

test('makes a contact book of the contacts, each with its properties and subscription', async () => {
  const { world } = await withSegmentOf(['firstName in Ana,Liam']);
  const { stdout, stderr } = await world.run('segment materialize Some --name March --sandbox');
  const book = stdout.trim();
  expect(stderr).toBe(
    [
      `The new contact book has no variables, so campaigns cannot use the properties of its contacts. To add one: mailer contact book update ${book} --add-variable NAME --sandbox`,
      `Created contact book March with 2 contacts (1 subscribed). To send to it: mailer campaign create --book ${book} --sandbox`,
      '',
    ].join('\n'),
  );
  const contacts = await world.run(`api GET /v1/contactBooks/${book}/contacts --sandbox`);
  expect(
    JSON.parse(contacts.stdout).map((one: Record<string, unknown>) => [
      one.firstName,
      one.subscribed,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['Ana', true],
      ['Liam', false],
    ]),
  );
  const found = await world.run(`api GET /v1/contactBooks/${book} --sandbox --jq .name`);
  expect(found.stdout.trim()).toMatch(/^"?March"?$/);
});

test('without --name: 2, and nothing is sent', async () => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run('segment materialize Pro');
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'Error: Missing --name\n' });
  expect(requests()).toEqual([]);
});

test('a name that a contact book has is a conflict; --allow-duplicate creates another one', async () => {
  const { world } = await withSegmentOf(['plan=pro']);
  const line = 'segment materialize Some --name Customers --sandbox --json';
  const taken = await world.run(line);
  expect(taken.exitCode).toBe(5);
  expect(errorOf(taken)).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^The contact book "Customers" \(.+\) exists already\.$/),
    hint: 'Nothing was created. Give another name. To create another one with this name, add --allow-duplicate.',
  });
  const books = async () => (await world.run('contact book list --sandbox -q')).stdout.split('\n');
  const before = await books();
  const another = await world.run(`${line} --allow-duplicate`);
  expect(another.exitCode).toBe(0);
  expect(await books()).toHaveLength(before.length + 1);
  const several = await world.run(line);
  expect(several.exitCode).toBe(5);
  expect(errorOf(several).hint).toContain('Give another name.');
});

test('--dry-run looks nothing up', async () => {
  const world = createWorld();
  const byId = await world.run('segment materialize seg_1 --name A --dry-run');
  expect(byId.stdout).toContain('POST {base_url}/v1/segments/seg_1/materialize');
  const byName = await world.run('segment materialize Pro --name A --dry-run');
  expect(byName.stdout).toContain('POST {base_url}/v1/segments/Pro/materialize');
  expect(byName.stderr).toContain('The segment "Pro" would be looked up first');
});

test('one whose response is lost is not repeated, and the error says so', async () => {
  const { run, requests } = await connected({ body: [{ id: 'seg_1', name: 'Pro' }] }, (response) =>
    response.destroy(),
  );
  const outcome = await run('segment materialize Pro --name A --allow-duplicate --json');
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toContain('The contact book may have been created.');
  expect(requests()).toHaveLength(2);
});

describe('--variables-from', () => {
  const segment = { body: [{ id: 'seg_1', name: 'Pro' }] };
  const book = { body: { id: 'book_1', name: 'Customers', variables: ['plan', 'city'] } };
  const made = { body: { listId: 'book_2', name: 'A', count: 2 } };
  const line = 'segment materialize Pro --name A --allow-duplicate --variables-from book_1';

  test('sets the variables of the new contact book', async () => {
    const { world } = await withSegmentOf(['plan=pro']);
    const { stdout, stderr } = await world.run(
      'segment materialize Some --name March --variables-from Customers --sandbox',
    );
    expect(stderr).toMatch(
      /^Variables of the new contact book: plan\nCreated contact book March with 4 contacts \(4 subscribed\)\. To send/,
    );
    const found = await world.run(
      `api GET /v1/contactBooks/${stdout.trim()} --sandbox --jq .variables`,
    );
    expect(JSON.parse(found.stdout)).toEqual(['plan']);
  });

  test('of a book without variables, or none: an error before anything is created', async () => {
    const { run, requests } = await connected(
      { body: { ...book.body, variables: [] } },
      { status: 404, body: { error: { code: 'NOT_FOUND', message: 'no' } } },
      { body: [] },
    );
    const without = await run(line);
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      'Error: --variables-from: the contact book Customers has no variables\n',
    ]);
    expect((await run(line)).exitCode).toBe(4);
    expect(requests().every((one) => one.startsWith('GET'))).toBe(true);
  });

  test('that cannot be set: the error says that the book was created, and how to set them', async () => {
    const rejected = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'no' } } };
    const { run, requests } = await connected(book, segment, made, rejected);
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome).hint).toBe(
      'The contact book was created, without variables. To add them: mailer contact book update book_2 --add-variable plan --add-variable city',
    );
    expect(requests().at(-1)).toBe('PATCH /api/v1/contactBooks/book_2');
  });
});

test('a segment that the service cannot use, because of a condition that another client wrote', async () => {
  const conditions = [{ field: 'plan', op: 'eq', value: 'pro' }];
  const failing = {
    status: 500,
    body: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'no' } },
  };
  const { run } = await connected(
    { body: [{ id: 'seg_1', name: 'Pro', rules: { conditions } }] },
    failing,
  );
  const outcome = await run('segment preview Pro --retries 0 --json');
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toContain('services name this property properties.plan');
});
