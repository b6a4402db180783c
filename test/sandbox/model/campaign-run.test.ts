import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { campaign, email, hour, second, startSandbox } from '../harness.ts';

async function running(fields: Record<string, unknown> = {}) {
  const sandbox = startSandbox();
  const { id } = await sandbox.ok('campaign.create', { body: campaign(fields) });
  const params = { campaignId: id };
  const shown = async () => (await sandbox.request('GET', `/campaigns/${id}`)).body;
  const sent = async () => {
    const { data } = await sandbox.ok('email.list', { query: {} });
    return data.filter(({ from }) => from === 'Shop <shop@example.com>');
  };
  const begin = () => sandbox.ok('campaign.schedule', { params, body: {} });
  return { ...sandbox, params, shown, sent, begin };
}

describe('a campaign', () => {
  test('counts the outcomes of its emails', async () => {
    const { begin, advance, shown } = await running();
    await begin();
    advance(hour);
    expect(await shown()).toMatchObject({
      status: 'SENT',
      total: 11,
      sent: 11,
      delivered: 10,
      opened: 5,
      clicked: 2,
      bounced: 1,
      hardBounced: 1,
      complained: 1,
      unsubscribed: 0,
    });
  });

  test('is sent in batches, a second apart, and then ends', async () => {
    const { begin, advance, shown, sent } = await running({ batchSize: 4 });
    await begin();
    const progress = [];
    for (let step = 0; step < 4; step++) {
      const status = JSON.stringify(await shown()).match(/"status":"(\w+)"/)?.[1];
      progress.push(`${status} ${(await sent()).length}`);
      advance(second);
    }
    expect(progress).toEqual(['RUNNING 4', 'RUNNING 8', 'RUNNING 11', 'SENT 11']);
  });

  test('keeps to its batch window', async () => {
    const { begin, advance, sent, sandbox } = await running({ batchSize: 6 });
    // No operation can set the window.
    const database = new DatabaseSync(sandbox.path);
    database.exec('UPDATE campaigns SET batch_window_minutes = 10');
    database.close();
    await begin();
    expect(await sent()).toHaveLength(6);
    advance(10 * 60 * second - 1);
    expect(await sent()).toHaveLength(6);
    advance(1);
    expect(await sent()).toHaveLength(11);
  });

  test('has the times of its batches even if they are processed late', async () => {
    const { begin, advance, sent } = await running({ batchSize: 6 });
    await begin();
    advance(24 * hour);
    const times = new Set((await sent()).map(({ createdAt }) => createdAt));
    expect([...times]).toEqual(['2026-01-31T12:00:01.000Z', '2026-01-31T12:00:00.000Z']);
  });

  test('is sent only to subscribed contacts that are not suppressed', async () => {
    const { ok, begin, advance, shown, sent } = await running();
    await ok('email.send', {
      body: email({ from: 'x@example.com', to: 'bounced+dmitri@example.com' }),
    });
    await ok('contact.update', {
      params: { contactBookId: 'book_customers', contactId: 'contact_ana' },
      body: { subscribed: false },
    });
    advance(hour);
    await begin();
    advance(hour);
    expect(await shown()).toMatchObject({ total: 9, sent: 9, bounced: 0 });
    const recipients = (await sent()).flatMap(({ to }) => to);
    expect(recipients).not.toContain('bounced+dmitri@example.com');
    expect(recipients).not.toContain('delivered+ana@example.com');
  });

  test('is not sent twice to the same contact when it is scheduled again', async () => {
    const { request, begin, advance, shown, sent } = await running();
    await begin();
    advance(hour);
    const body = { email: 'delivered+mia@example.com' };
    await request('POST', '/contactBooks/book_customers/contacts', { body });
    await begin();
    advance(hour);
    expect(await shown()).toMatchObject({ status: 'SENT', sent: 12 });
    expect(await sent()).toHaveLength(12);
  });
});
