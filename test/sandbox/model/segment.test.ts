import { expect, test } from 'vitest';
import { envelope, startSandbox } from '../harness.ts';

const contactBookId = 'book_customers';

async function segmentOf(rules: object) {
  const sandbox = startSandbox();
  const body = { name: 'Some', contactBookId, rules };
  const { id } = (await sandbox.request('POST', '/segments', { body })).body as { id: string };
  return { ...sandbox, path: `/segments/${id}` };
}

test('a book of a segment has all its contacts, but no variables and no reasons', async () => {
  const names = { field: 'firstName', op: 'in', value: ['Ana', 'Liam'] };
  const { ok, request, path } = await segmentOf({ conditions: [names] });
  const { body } = await request('POST', `${path}/materialize`, { body: { name: 'March' } });
  expect(body).toMatchObject({ name: 'March', count: 2 });
  const params = { contactBookId: (body as { listId: string }).listId };
  expect(await ok('contactBook.get', { params })).toMatchObject({
    ...{ variables: [], doubleOptInEnabled: false },
  });
  const contacts = await ok('contact.list', { params, query: {} });
  expect(contacts.map((one) => [one.firstName, one.subscribed, one.unsubscribeReason])).toEqual(
    expect.arrayContaining([
      ['Ana', true, null],
      ['Liam', false, null],
    ]),
  );
});

test.each([
  [{ field: 'plan', op: 'eq', value: 'pro' }],
  [{ field: 'subscribed', op: 'eq', value: 'yes' }],
  [{ field: 'subscribed', op: 'contains', value: true }],
  [{ field: 'email', op: 'neq', value: 5 }],
  [{ field: 'lastName', op: 'in', value: 'Silva' }],
  [{ field: 'properties.plan', op: 'contains', value: null }],
])('%j is accepted, and fails when it is used', async (condition) => {
  const { request, path } = await segmentOf({ match: 'any', conditions: [condition] });
  const failed = envelope(500, 'INTERNAL_SERVER_ERROR');
  expect(await request('POST', `${path}/preview`)).toMatchObject(failed);
  const named = { body: { name: 'March' } };
  expect(await request('POST', `${path}/materialize`, named)).toMatchObject(failed);
});

test('of any condition, one is enough; of none, none is', async () => {
  const eq = (field: string, value: unknown) => ({ field, op: 'eq', value });
  const conditions = [eq('firstName', 'Ana'), eq('subscribed', false)];
  for (const [rules, count] of [
    [{ match: 'any', conditions }, 2],
    [{ conditions }, 0],
    [{ match: 'any', conditions: [] }, 0],
    [{ conditions: [] }, 12],
  ] as const) {
    const { request, path } = await segmentOf(rules);
    expect((await request('POST', `${path}/preview`)).body).toMatchObject({ count });
  }
});
