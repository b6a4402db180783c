import { describe, expect, test } from 'vitest';
import { envelope, invalid, second, startSandbox } from '../harness.ts';

const notFound = envelope(404, 'NOT_FOUND');
const params = { contactBookId: 'book_customers', contactId: 'contact_ana' };
const path = '/contactBooks/book_customers/contacts/contact_ana';

describe('update contact', () => {
  test('changes the given fields and merges properties', async () => {
    const { ok, request, advance } = startSandbox();
    advance(1000);
    const body = { lastName: 'Souza', properties: { city: 'Porto' }, subscribed: false };
    expect(await ok('contact.update', { params, body })).toEqual({ contactId: 'contact_ana' });
    expect((await request('GET', path)).body).toMatchObject({
      firstName: 'Ana',
      lastName: 'Souza',
      properties: { plan: 'pro', city: 'Porto' },
      subscribed: false,
      updatedAt: '2026-01-31T12:00:01.000Z',
    });
    await ok('contact.update', { params, body: { firstName: '', subscribed: true } });
    expect((await request('GET', path)).body).toMatchObject({ firstName: '', subscribed: true });
  });

  test.each([
    [{ firstName: null }, ['firstName']],
    [{ subscribed: 'no' }, ['subscribed']],
    [{ properties: { a: 1 } }, ['properties', 'a']],
    [{ properties: null }, ['properties']],
  ])('rejects %j', async (body, issuePath) => {
    const { request } = startSandbox();
    expect(await request('PATCH', path, { body })).toMatchObject(invalid(...issuePath));
  });
});

describe('delete', () => {
  test('a contact', async () => {
    const { ok, send } = startSandbox();
    expect(await ok('contact.delete', { params })).toEqual({ success: true });
    expect(await send('contact.delete', { params })).toMatchObject(notFound);
  });

  test('a contact book with all its contacts', async () => {
    const { ok, send, request } = startSandbox();
    const book = { params: { contactBookId: 'book_customers' } };
    expect(await ok('contactBook.delete', book)).toEqual({
      id: 'book_customers',
      success: true,
      message: expect.any(String),
    });
    expect(await request('GET', path)).toMatchObject(notFound);
    const again = await send('contactBook.delete', book);
    expect(again).toMatchObject({ status: 404, body: { error: 'Contact book not found' } });
  });
});

describe('of unknown ones', () => {
  test.each([
    ['PATCH', '/contactBooks/book_none/contacts/contact_ana'],
    ['PATCH', '/contactBooks/book_customers/contacts/contact_none'],
    ['DELETE', '/contactBooks/book_none/contacts/contact_ana'],
    ['GET', '/contactBooks/book_customers/contacts/contact_none'],
    ['GET', '/contactBooks/book_none/contacts'],
    ['GET', '/contactBooks/book_none'],
  ])('%s %s is a 404', async (method, missing) => {
    const { request } = startSandbox();
    const options = method === 'PATCH' ? { body: {} } : {};
    expect(await request(method, missing, options)).toMatchObject(notFound);
  });
});

describe('contact books and contacts, beyond the specification', () => {
  test.each(['POST', 'PUT'])(
    'a property is named by %s as the book declares it',
    async (method) => {
      const { request } = startSandbox();
      const book = await request('POST', '/contactBooks', {
        body: { name: 'Leads', variables: ['firstOrder', 'Plan'] },
      });
      const contacts = `/contactBooks/${Object(book.body).id}/contacts`;
      const body = { email: 'zoe@example.com', properties: { FIRSTORDER: '7', City: 'Porto' } };
      const created = await request('POST', contacts, { body });
      const contact = `${contacts}/${Object(created.body).contactId}`;
      const more = { email: 'zoe@example.com', properties: { plan: 'pro', city: 'Faro' } };
      await request(method, method === 'PUT' ? contact : contacts, { body: more });
      expect((await request('GET', contact)).body).toMatchObject({
        properties: { firstOrder: '7', Plan: 'pro', City: 'Porto', city: 'Faro' },
      });
    },
  );

  test('are created, listed and shown', async () => {
    const { request } = startSandbox();
    const created = await request('POST', '/contactBooks', { body: { name: 'Leads' } });
    expect(created.body).toMatchObject({ name: 'Leads', teamId: 1, doubleOptInEnabled: true });
    expect(created.body).not.toHaveProperty('_count');
    const { id } = Object(created.body);
    const contacts = `/contactBooks/${id}/contacts`;
    const body = { email: 'Zoe@example.com', firstName: 'Zoe', properties: { a: 'b' } };
    const first = await request('POST', contacts, { body });
    expect(first.body).toEqual({ contactId: expect.stringMatching(/^c/) });

    const again = await request('POST', contacts, { body: { ...body, lastName: 'Ng' } });
    expect(again.body).toEqual(first.body);
    expect((await request('GET', contacts)).body).toMatchObject([
      { email: 'Zoe@example.com', lastName: 'Ng', subscribed: false, contactBookId: id },
    ]);
    expect((await request('GET', `/contactBooks/${id}`)).body).toMatchObject({
      _count: { contacts: 1 },
    });
    expect((await request('GET', '/contactBooks')).body).toMatchObject([
      { name: 'Leads' },
      { id: 'book_customers', _count: { contacts: 12 } },
    ]);
  });

  test('contacts of a bulk request are queued, and in the book a second later', async () => {
    const { request, advance } = startSandbox();
    const { body: book } = await request('POST', '/contactBooks', { body: { name: 'Leads' } });
    const contacts = `/contactBooks/${Object(book).id}/contacts`;
    const body = [{ email: 'zoe@example.com' }, { email: 'yan@example.com', firstName: 'Yan' }];
    const queued = await request('POST', `${contacts}/bulk`, { body });
    expect(queued.body).toEqual({ message: expect.any(String), count: 2 });
    advance(999);
    expect((await request('GET', contacts)).body).toEqual([]);
    advance(1);
    const createdAt = '2026-01-31T12:00:01.000Z';
    expect((await request('GET', `${contacts}?emails=zoe@example.com`)).body).toMatchObject([
      { subscribed: false, createdAt },
    ]);
    expect((await request('GET', `${contacts}?emails=yan@example.com`)).body).toMatchObject([
      { firstName: 'Yan', createdAt },
    ]);
    // Double opt-in asks each of them to confirm.
    expect((await request('GET', '/emails?limit=2')).body).toMatchObject({
      data: [{ to: ['yan@example.com'] }, { to: ['zoe@example.com'] }],
    });
  });

  test('queued contacts of a book that is deleted meanwhile are dropped', async () => {
    const lines: string[] = [];
    const { request, advance } = startSandbox({ log: (line) => lines.push(line) });
    const bulk = '/contactBooks/book_customers/contacts/bulk';
    expect(await request('POST', bulk, { body: [{ email: 'zoe@example.com' }] })).toMatchObject({
      status: 200,
    });
    await request('DELETE', '/contactBooks/book_customers');
    advance(second);
    expect(await request('POST', bulk, { body: [] })).toMatchObject(notFound);
    expect(lines).toEqual([]);
  });

  test('contacts are found by id and address, and not paged', async () => {
    const { request } = startSandbox();
    const idsOf = async (query: string) => {
      const { body } = await request('GET', `/contactBooks/book_customers/contacts?${query}`);
      return Array.isArray(body) ? body.map((contact) => Object(contact).id) : body;
    };
    expect(await idsOf('ids=contact_ben,contact_liam')).toEqual(['contact_ben', 'contact_liam']);
    expect(await idsOf('emails=opened%2Bben@example.com')).toEqual(['contact_ben']);
    // The service expects numbers but never converts the text.
    const path = '/contactBooks/book_customers/contacts?limit=2&page=2';
    const issue = { code: 'invalid_type', expected: 'number', received: 'string' };
    expect(await request('GET', path)).toMatchObject({
      status: 400,
      body: {
        error: {
          issues: [
            { ...issue, path: ['page'] },
            { ...issue, path: ['limit'] },
          ],
        },
      },
    });
  });
});
