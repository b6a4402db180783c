import { UseSend } from 'usesend-js';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/sandbox/serve.ts';
import { campaign, email, hour, startSandbox } from './harness.ts';

/** The published client, unchanged, against the sandbox over HTTP. */
async function withClient() {
  const { sandbox, advance } = startSandbox();
  const server = await serve({ fetch: sandbox.fetch, port: 0 });
  onTestFinished(() => server.close());
  return { client: new UseSend(sandbox.apiKey, server.origin), server, advance };
}

/** What a call gave, once it is sure that it was no error. */
function dataOf<Data>(reply: { data: Data; error: unknown }): NonNullable<Data> {
  expect(reply.error).toBeNull();
  if (reply.data === null || reply.data === undefined) throw new Error('no data');
  return reply.data;
}

test('emails', async () => {
  const { client, advance } = await withClient();
  const options = { idempotencyKey: 'k' };
  const sent = dataOf(await client.emails.send(email(), options));
  expect(dataOf(await client.emails.send(email(), options))).toEqual(sent);
  const batch = dataOf(await client.emails.batch([email(), email()]));
  expect(batch).toHaveLength(2);
  advance(hour);
  expect(dataOf(await client.emails.get(sent.emailId ?? ''))).toMatchObject({
    to: ['delivered@example.com'],
    emailEvents: [{ status: 'DELIVERED' }, { status: 'SENT' }],
  });

  const later = email({ scheduledAt: '2026-03-01T00:00:00Z' });
  const { emailId = '' } = dataOf(await client.emails.send(later));
  dataOf(await client.emails.update(emailId, { scheduledAt: '2026-04-01T00:00:00Z' }));
  expect(dataOf(await client.emails.cancel(emailId))).toEqual({ emailId });
  expect((await client.emails.cancel(emailId)).error).toMatchObject({
    error: { code: 'BAD_REQUEST' },
  });
});

test('domains', async () => {
  const { client, advance } = await withClient();
  const created = dataOf(await client.domains.create({ name: 'shop.test', region: 'us-east-1' }));
  dataOf(await client.domains.verify(created.id));
  advance(hour);
  expect(dataOf(await client.domains.get(created.id))).toMatchObject({ status: 'SUCCESS' });
  expect(dataOf(await client.domains.list())).toHaveLength(4);
  expect(dataOf(await client.domains.delete(created.id))).toMatchObject({ success: true });
  expect((await client.domains.get(created.id)).data).toBeNull();
});

test('contact books, contacts and campaigns', async () => {
  const { client, advance } = await withClient();
  const book = dataOf(await client.contactBooks.create({ name: 'Leads' }));
  const { contactId = '' } = dataOf(
    await client.contacts.create(book.id, { email: 'opened@example.com', firstName: 'Zoe' }),
  );
  dataOf(await client.contacts.update(book.id, contactId, { lastName: 'Ng' }));
  expect(dataOf(await client.contacts.get(book.id, contactId))).toMatchObject({ lastName: 'Ng' });

  const created = dataOf(await client.campaigns.create(campaign({ contactBookId: book.id })));
  dataOf(await client.campaigns.schedule(created.id, { scheduledAt: 'in 2 hours' }));
  dataOf(await client.campaigns.pause(created.id));
  dataOf(await client.campaigns.resume(created.id));
  advance(3 * hour);
  expect(dataOf(await client.campaigns.get(created.id))).toMatchObject({
    status: 'SENT',
    opened: 1,
  });
  expect(dataOf(await client.campaigns.getAll({ search: 'spring' }))).toMatchObject({
    campaigns: [{ id: created.id }],
    totalPage: 1,
  });
  dataOf(await client.campaigns.delete(created.id));
  dataOf(await client.contacts.delete(book.id, contactId));
  dataOf(await client.contactBooks.delete(book.id));
  expect(dataOf(await client.contactBooks.list())).toHaveLength(1);
});

test('a wrong key', async () => {
  const { server } = await withClient();
  const { error } = await new UseSend('us_wrong', server.origin).domains.list();
  expect(error).toMatchObject({ error: { code: 'FORBIDDEN' } });
});
