import { describe, expect, test } from 'vitest';
import { exportSandbox, resetSandbox } from '../../../src/sandbox/open.ts';
import { seedFile } from '../../../src/sandbox/seeds/seed-file.ts';
import { start, startSandbox, temporaryDirectory } from '../harness.ts';

/** A book with these fields, and functions that change its contacts. */
async function withBook(fields: object = {}) {
  const own = startSandbox();
  const { body } = await own.request('POST', '/contactBooks', {
    body: { name: 'Readers', ...fields },
  });
  const contacts = `/contactBooks/${Object(body).id}/contacts`;

  async function add(contact: object): Promise<string> {
    const reply = await own.request('POST', contacts, { body: contact });
    expect(reply).toMatchObject({ status: 200 });
    return Object(reply.body).contactId;
  }

  const shown = async (id: string) => (await own.request('GET', `${contacts}/${id}`)).body;
  const change = (id: string, body: object) => own.request('PATCH', `${contacts}/${id}`, { body });
  /** The emails sent since the start, oldest first. */
  const sent = async () => (await own.ok('email.list', { query: {} })).data.slice(0, -2).reverse();
  const open = (path: string, method = 'GET') =>
    own.sandbox.fetch(new Request(`http://sandbox.test${path}`, { method }));
  return { ...own, contacts, add, change, shown, sent, open };
}

const ana = { email: 'ana@example.org', firstName: 'Ana' };

describe('a new contact of a book that was created through the API', () => {
  test('is not subscribed, and gets an email whose link subscribes it', async () => {
    const { add, shown, sent, open } = await withBook();
    const id = await add({ ...ana, subscribed: true });
    expect(await shown(id)).toMatchObject({
      ...{ subscribed: false, unsubscribeReason: null },
      doubleOptInSentAt: new Date(start).toISOString(),
    });
    const [email] = await sent();
    expect(email).toMatchObject({
      from: 'hello@example.com',
      to: ['ana@example.org'],
      subject: 'Please confirm your subscription',
      html: expect.stringContaining(`<a href="http://sandbox.test/subscribe/${id}">Confirm</a>`),
    });

    expect((await open(`/subscribe/${id}`, 'HEAD')).status).toBe(200);
    expect(await shown(id)).toMatchObject({ subscribed: false });
    const page = await open(`/subscribe/${id}`);
    expect(await page.text()).toContain('ana@example.org will get campaigns sent to “Readers”');
    expect(await shown(id)).toMatchObject({ subscribed: true, unsubscribeReason: null });
    expect((await open('/subscribe/nobody')).status).toBe(404);
    expect((await open('/subscribe/nobody', 'HEAD')).status).toBe(404);
  });

  test('is asked again when it is posted again, until it confirms or declines', async () => {
    const { add, change, shown, sent } = await withBook();
    const id = await add(ana);
    await add(ana);
    expect(await sent()).toHaveLength(2);
    await add({ ...ana, subscribed: false });
    expect(await shown(id)).toMatchObject({ subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
    await add({ ...ana, subscribed: true });
    expect(await shown(id)).toMatchObject({ subscribed: false });
    expect(await sent()).toHaveLength(2);
    await change(id, { subscribed: true });
    expect(await shown(id)).toMatchObject({ subscribed: true, unsubscribeReason: null });
  });

  test('is not asked when it comes unsubscribed, or the book does not ask for it', async () => {
    const asking = await withBook();
    const id = await asking.add({ ...ana, subscribed: false });
    expect(await asking.shown(id)).toMatchObject({ unsubscribeReason: 'UNSUBSCRIBED' });
    expect(await asking.sent()).toEqual([]);
    const other = await withBook({ doubleOptInEnabled: false });
    const subscribed = await other.shown(await other.add(ana));
    expect(subscribed).toMatchObject({ subscribed: true, doubleOptInSentAt: null });
    expect(await other.sent()).toEqual([]);
  });

  test('is asked with the text of the book, in which its fields are escaped', async () => {
    const text = { type: 'text', text: 'Hi {{firstName}}: {{doubleOptInUrl}}' };
    const { add, sent } = await withBook({
      doubleOptInFrom: 'News <news@example.com>',
      doubleOptInSubject: 'Sure, {{firstName}}?',
      doubleOptInContent: JSON.stringify({ type: 'doc', content: [text] }),
    });
    const id = await add({ ...ana, firstName: '<b>Ana' });
    expect(await sent()).toMatchObject([
      {
        from: 'News <news@example.com>',
        subject: 'Sure, <b>Ana?',
        html: `Hi &lt;b&gt;Ana: http://sandbox.test/subscribe/${id}`,
      },
    ]);
  });

  test('is not asked after the sender’s domain is deleted, and other jobs still run', async () => {
    const { add, shown, sent, ok } = await withBook({ doubleOptInFrom: 'News <news@example.com>' });
    await ok('domain.delete', { params: { id: 1 } });
    const id = await add(ana);
    expect(await sent()).toEqual([]);
    expect(await shown(id)).toMatchObject({ subscribed: false, unsubscribeReason: null });
  });

  test('is still to be asked after an export and a seed', async () => {
    const { add, sandbox, sent } = await withBook({ doubleOptInSubject: 'Sure?' });
    await add(ana);
    await sent();
    const copy = (directory: string) =>
      [...exportSandbox({ directory, now: () => start })].join('');
    const written = copy(sandbox.path.replace(/\/[^/]+$/, ''));
    const directory = temporaryDirectory();
    const seeds = seedFile.parse(JSON.parse(written));
    resetSandbox({ directory, now: () => start, fresh: { empty: true, seeds } });
    expect(copy(directory)).toBe(written);
    expect(JSON.parse(written).contacts).toContainEqual(
      expect.objectContaining({ email: ana.email, subscribed: false, pending: true }),
    );
  });
});
