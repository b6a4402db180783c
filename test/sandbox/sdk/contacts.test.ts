import type { UseSend } from 'usesend-js';
import { expect, expectTypeOf, test } from 'vitest';
import type { shownContact } from '../../../src/sandbox/model/contact/contacts.ts';
import { dataOf, invalidAt, refusal, withClient } from './client.ts';
import { testThatAllWereRun } from './covered.ts';

const book = 'book_customers';
const zoe = { email: 'zoe@example.com', firstName: 'Zoe', properties: { plan: 'pro' } };

test('a contact is created, shown, updated and deleted', async () => {
  const { client } = await withClient();
  const { contactId = '' } = dataOf(await client.contacts.create(book, zoe));
  expect(dataOf(await client.contacts.get(book, contactId))).toEqual({
    ...zoe,
    id: contactId,
    lastName: null,
    subscribed: true,
    unsubscribeReason: null,
    doubleOptInSentAt: null,
    contactBookId: book,
    createdAt: '2026-01-31T12:00:00.000Z',
    updatedAt: '2026-01-31T12:00:00.000Z',
  });
  const fields = { lastName: 'Ng', properties: { size: 'L' } };
  expect(dataOf(await client.contacts.update(book, contactId, fields))).toEqual({ contactId });
  expect(dataOf(await client.contacts.get(book, contactId))).toMatchObject({
    firstName: 'Zoe',
    lastName: 'Ng',
    properties: { plan: 'pro', size: 'L' },
  });
  expect(dataOf(await client.contacts.delete(book, contactId))).toEqual({ success: true });
  expect((await client.contacts.get(book, contactId)).data).toBeNull();
});

test('upsert goes by the address, whatever the id', async () => {
  const { client } = await withClient();
  const created = dataOf(await client.contacts.upsert(book, 'anything', zoe));
  const again = { ...zoe, lastName: 'Ng' };
  expect(dataOf(await client.contacts.upsert(book, 'anything', again))).toEqual(created);
  expect(dataOf(await client.contacts.get(book, created.contactId))).toMatchObject(again);
});

test('only an update subscribes an unsubscribed contact again', async () => {
  const { client, advance } = await withClient();
  const { contactId } = dataOf(await client.contacts.upsert(book, 'x', zoe));
  const subscribed = async () => dataOf(await client.contacts.get(book, contactId)).subscribed;
  dataOf(await client.contacts.upsert(book, 'x', { ...zoe, subscribed: false }));
  expect(await subscribed()).toBe(false);
  dataOf(await client.contacts.upsert(book, 'x', { ...zoe, subscribed: true }));
  dataOf(await client.contacts.create(book, { ...zoe, subscribed: true }));
  dataOf(await client.contacts.bulkCreate(book, [{ ...zoe, subscribed: true }]));
  advance(1000);
  expect(await subscribed()).toBe(false);
  dataOf(await client.contacts.update(book, contactId, { subscribed: true }));
  expect(await subscribed()).toBe(true);
});

test('many are created at once, and deleted one by one', async () => {
  const { client, advance } = await withClient();
  const many = Array.from({ length: 1000 }, (_, index) => ({ email: `u${index}@example.com` }));
  expect(dataOf(await client.contacts.bulkCreate(book, many))).toMatchObject({ count: 1000 });
  expect(dataOf(await client.contactBooks.get(book))._count).toEqual({ contacts: 12 });
  advance(1000);
  expect(dataOf(await client.contactBooks.get(book))._count).toEqual({ contacts: 1012 });
  const tooMany = [...many, { email: 'one@example.com' }];
  expect(await client.contacts.bulkCreate(book, tooMany)).toMatchObject(invalidAt());
  const bad = await client.contacts.bulkCreate(book, [zoe, { email: 'nobody' }]);
  expect(bad).toMatchObject(invalidAt(1, 'email'));

  // On live servers, the route of a contact called "bulk" takes precedence.
  const some = { contactIds: ['contact_ana'] };
  expect(await client.contacts.bulkDelete(book, some)).toMatchObject(refusal('NOT_FOUND'));
  expect(dataOf(await client.contactBooks.get(book))._count).toEqual({ contacts: 1012 });
});

test('null is rejected, and so are properties that are not strings', async () => {
  const { client } = await withClient();
  const bodies = {
    firstName: '{"firstName":null}',
    subscribed: '{"subscribed":null}',
    properties: '{"properties":null}',
  };
  for (const [field, body] of Object.entries(bodies)) {
    const reply = await client.contacts.update(book, 'contact_ana', JSON.parse(body));
    expect(reply).toMatchObject(invalidAt(field));
  }
  const numbers = JSON.parse('{"properties":{"plan":1}}');
  const refused = invalidAt('properties', 'plan');
  expect(await client.contacts.update(book, 'contact_ana', numbers)).toMatchObject(refused);
  const nobody = await client.contacts.create(book, { email: 'nobody' });
  expect(nobody).toMatchObject(invalidAt('email'));
});

test('contacts have the type that the client declares', () => {
  type Shown = NonNullable<Awaited<ReturnType<UseSend['contacts']['get']>>['data']>;
  expectTypeOf<ReturnType<typeof shownContact>>().toExtend<Shown>();
});

testThatAllWereRun('contacts');
