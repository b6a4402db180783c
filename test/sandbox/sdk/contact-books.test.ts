import type { UseSend } from 'usesend-js';
import { expect, expectTypeOf, test } from 'vitest';
import type { findBook } from '../../../src/sandbox/model/contact/contact-books.ts';
import { dataOf, invalidAt, refusal, withClient } from './client.ts';
import { testThatAllWereRun } from './covered.ts';

const leads = { name: 'Leads', emoji: '🌱', properties: { source: 'fair' }, variables: ['plan'] };

test('a book is created, shown, updated and deleted', async () => {
  const { client, advance } = await withClient();
  const created = dataOf(await client.contactBooks.create(leads));
  expect(created).toEqual({
    ...leads,
    id: expect.any(String),
    teamId: 1,
    doubleOptInEnabled: true,
    doubleOptInFrom: null,
    doubleOptInSubject: 'Please confirm your subscription',
    doubleOptInContent: expect.stringContaining('{{doubleOptInUrl}}'),
    isTest: false,
    lastBulkOptInAt: null,
    createdAt: '2026-01-31T12:00:00.000Z',
    updatedAt: '2026-01-31T12:00:00.000Z',
  });
  const { id } = created;
  const counted = { ...created, _count: { contacts: 0 } };
  expect(dataOf(await client.contactBooks.get(id))).toEqual(counted);

  advance(1000);
  const updated = dataOf(
    await client.contactBooks.update(id, { name: 'Guests', variables: [' Plan ', 'plan', 'size'] }),
  );
  expect(updated).toEqual({
    ...created,
    name: 'Guests',
    variables: ['Plan', 'size'],
    updatedAt: '2026-01-31T12:00:01.000Z',
  });
  expect(dataOf(await client.contactBooks.list())).toMatchObject([
    updated,
    { id: 'book_customers' },
  ]);
  dataOf(await client.contacts.create(id, { email: 'zoe@example.com' }));
  expect(dataOf(await client.contactBooks.delete(id))).toMatchObject({ id, success: true });
  expect(await client.contactBooks.get(id)).toMatchObject(refusal('NOT_FOUND'));
  expect(await client.contactBooks.delete(id)).toEqual({
    data: null,
    error: 'Contact book not found',
  });
});

test('a book without a name is rejected, and so are reserved and invalid variables', async () => {
  const { client } = await withClient();
  expect(await client.contactBooks.create({ name: '' })).toMatchObject(invalidAt('name'));
  const renamed = await client.contactBooks.update('book_customers', { name: '' });
  expect(renamed).toMatchObject(invalidAt('name'));
  for (const name of ['email', 'FirstName', ' lastName ', 'a b', 'a-b', 'é']) {
    const fields = { ...leads, variables: [name] };
    expect(await client.contactBooks.create(fields)).toMatchObject(refusal('BAD_REQUEST'));
    const update = await client.contactBooks.update('book_customers', fields);
    expect(update).toMatchObject(refusal('BAD_REQUEST'));
  }
  expect(dataOf(await client.contactBooks.list())).toMatchObject([{ variables: ['plan'] }]);
});

test('the email of double opt-in can be changed, and turned off', async () => {
  const { client } = await withClient();
  const asked = {
    ...{ doubleOptInEnabled: false, doubleOptInFrom: 'Shop <shop@example.com>' },
    ...{
      doubleOptInSubject: 'Sure?',
      doubleOptInContent: '{"type":"doc","url":"{{doubleOptInUrl}}"}',
    },
  };
  const created = dataOf(await client.contactBooks.create({ ...leads, ...asked }));
  expect(created).toMatchObject(asked);
  const on = { doubleOptInEnabled: true, doubleOptInFrom: null, doubleOptInSubject: ' ' };
  expect(dataOf(await client.contactBooks.update(created.id, on))).toMatchObject({
    ...asked,
    ...{ doubleOptInEnabled: true, doubleOptInFrom: null },
    doubleOptInSubject: 'Please confirm your subscription',
  });
  for (const bad of [
    { doubleOptInFrom: 'shop@example.org' },
    { doubleOptInContent: '{"type":"doc"}' },
  ]) {
    const reply = await client.contactBooks.update(created.id, bad);
    expect(reply).toMatchObject(refusal('BAD_REQUEST'));
  }
});

test('books have the type that the client declares', () => {
  type Shown = NonNullable<Awaited<ReturnType<UseSend['contactBooks']['get']>>['data']>;
  expectTypeOf<ReturnType<typeof findBook>>().toExtend<Shown>();
});

testThatAllWereRun('contactBooks');
