import { expect, test } from 'vitest';
import { envelope, startSandbox } from '../harness.ts';

const path = '/events/send';
const name = 'signed_up';

test('an address is looked up in all books, and only an unknown one is added, subscribed', async () => {
  const { ok, request } = startSandbox();
  const readers = { name: 'Readers', doubleOptInEnabled: true };
  const { id: contactBookId } = await ok('contactBook.create', { body: readers });
  const sendTo = (email: string) => request('POST', path, { body: { name, email, contactBookId } });
  const ana = await sendTo('delivered+ana@example.com');
  expect(ana.body).toEqual({ contactId: 'contact_ana' });
  const added = await sendTo('Delivered+ana@example.com');
  const { contactId } = added.body as { contactId: string };
  const contacts = await ok('contact.list', { params: { contactBookId }, query: {} });
  expect(contacts).toMatchObject([{ id: contactId, subscribed: true, doubleOptInSentAt: null }]);
});

test.each([
  { contactId: 'contact_none' },
  { contactId: 'contact_none', contactBookId: 'book_customers' },
  { email: 'new@example.org' },
  { email: 'new@example.org', contactBookId: 'book_none' },
  {},
])('%j is a 400 without a field, and adds nobody', async (contact) => {
  const { ok, request } = startSandbox();
  const count = async () =>
    (await ok('contactBook.get', { params: { contactBookId: 'book_customers' } }))._count;
  const before = await count();
  const body = { name, ...contact };
  expect(await request('POST', path, { body })).toMatchObject(envelope(400, 'BAD_REQUEST'));
  expect(await count()).toEqual(before);
});
