import { beforeEach, describe, expect, test } from 'vitest';
import { campaign, email, hour, startSandbox } from '../harness.ts';

const oneClick = 'List-Unsubscribe=One-Click';
const ana = '/contactBooks/book_customers/contacts/contact_ana';

/** A sandbox whose campaigns have unsubscribe links. */
function withCampaigns() {
  const sandbox = startSandbox();
  const { ok, request, advance } = sandbox;

  /** Sends a campaign to the seeded customers. Returns its id, and Ana's unsubscribe link. */
  async function sendCampaign(fields: Record<string, unknown> = {}) {
    const { id } = await ok('campaign.create', { body: campaign({ sendNow: true, ...fields }) });
    advance(hour);
    const { data } = await ok('email.list', { query: {} });
    const email = data.find(
      ({ to, from }) => String(to).includes('ana') && /^Shop/.test(from ?? ''),
    );
    return { id, link: email?.html?.match(/href="([^"]+)"/)?.[1] ?? '' };
  }

  /** Opens a link, by default as a click does. */
  async function open(link: string, options: RequestInit = {}) {
    const reply = await sandbox.sandbox.fetch(new Request(link, options));
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }

  /** Posts a form to the link, as the page's buttons and mail programs do. */
  const post = (link: string, form: string) =>
    open(link, { method: 'POST', body: new URLSearchParams(form) });

  const isSubscribed = async () => Object((await request('GET', ana)).body).subscribed;
  const unsubscribed = async (id: string) =>
    Object((await request('GET', `/campaigns/${id}`)).body).unsubscribed;
  return { ...sandbox, sendCampaign, open, post, isSubscribed, unsubscribed };
}

describe('the unsubscribe link', () => {
  let world: ReturnType<typeof withCampaigns>;
  let link: string;
  let id: string;

  beforeEach(async () => {
    world = withCampaigns();
    ({ id, link } = await world.sendCampaign());
  });

  const state = async () => [await world.isSubscribed(), await world.unsubscribed(id)];

  test('unsubscribes without a key, with a page, and counts once', async () => {
    for (let click = 1; click <= 3; click++) {
      const { status, headers, text } = await world.open(link);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toMatch(/^text\/html/);
      expect(text).toContain('<h1>You are unsubscribed</h1>');
      expect(text).toContain('delivered+ana@example.com');
      expect(await state()).toEqual([false, 1]);
    }
  });

  test('ignores HEAD', async () => {
    expect(await world.open(link, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await state()).toEqual([true, 0]);
  });

  test.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['X-Moz', 'prefetch'],
  ])('ignores requests ahead of a click, with %s: %s', async (name, value) => {
    // A browser does not keep an error for the click that follows.
    expect(await world.open(link, { headers: { [name]: value } })).toMatchObject({ status: 503 });
    expect(await state()).toEqual([true, 0]);
    await world.open(link);
    expect(await state()).toEqual([false, 1]);
  });

  test('responds to one-click unsubscribing without a page', async () => {
    const { status, headers, text } = await world.post(link, oneClick);
    expect({ status, text }).toEqual({ status: 200, text: 'You are unsubscribed.\n' });
    expect(headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(await state()).toEqual([false, 1]);
    const body = new FormData();
    body.append('List-Unsubscribe', 'One-Click');
    expect(await world.open(link, { method: 'POST', body })).toMatchObject({ status: 200 });
    expect(await world.open(link, { method: 'POST' })).toMatchObject({ status: 200 });
    expect(await state()).toEqual([false, 1]);
  });

  test('has a button to resubscribe, and one to unsubscribe again', async () => {
    const { text } = await world.open(link);
    expect(text).toContain('<form method="post"><button name="action" value="resubscribe">');
    for (let click = 1; click <= 2; click++) {
      const back = await world.post(link, 'action=resubscribe');
      expect(back).toMatchObject({ status: 200 });
      expect(back.text).toContain('You are subscribed again');
      expect(back.text).toContain('value="unsubscribe"');
      expect(await state()).toEqual([true, 0]);
    }
    for (let click = 1; click <= 2; click++) {
      const again = await world.post(link, 'action=unsubscribe');
      expect(again.text).toContain('<h1>You are unsubscribed</h1>');
      expect(await state()).toEqual([false, 1]);
    }
  });

  test('rejects a body that is not a form, and other methods', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const broken = await world.open(link, { method: 'POST', headers, body: 'nonsense' });
    expect(broken).toMatchObject({ status: 400 });
    expect(await world.open(link, { method: 'DELETE' })).toMatchObject({ status: 404 });
    expect(await state()).toEqual([true, 0]);
  });

  test('of an unsubscribed contact counts for no further campaign', async () => {
    const second = await world.sendCampaign();
    await world.open(link);
    await world.open(second.link);
    expect(await state()).toEqual([false, 1]);
    expect(await world.unsubscribed(second.id)).toBe(0);
    // The other link also reverts it in the campaign that counted it.
    await world.post(second.link, 'action=resubscribe');
    expect(await state()).toEqual([true, 0]);
    expect(await world.unsubscribed(second.id)).toBe(0);
  });

  test('of a contact that the API resubscribed does not count twice', async () => {
    await world.open(link);
    await world.request('PATCH', ana, { body: { subscribed: true } });
    await world.open(link);
    expect(await state()).toEqual([false, 1]);
  });

  test('of a contact that the API unsubscribed does not count, and can resubscribe', async () => {
    await world.request('PATCH', ana, { body: { subscribed: false } });
    await world.open(link);
    expect(await state()).toEqual([false, 0]);
    await world.post(link, 'action=resubscribe');
    expect(await state()).toEqual([true, 0]);
  });

  test('works after the campaign is deleted', async () => {
    await world.ok('campaign.delete', { params: { campaignId: id } });
    expect(await world.open(link)).toMatchObject({ status: 200 });
    expect(await world.isSubscribed()).toBe(false);
  });

  test.each([
    ['contact', ana],
    ['contact book', '/contactBooks/book_customers'],
  ])('of a deleted %s reports that', async (_, path) => {
    await world.request('DELETE', path);
    for (const options of [
      {},
      { method: 'POST', body: new URLSearchParams('action=resubscribe') },
    ]) {
      const { status, text } = await world.open(link, options);
      expect(status).toBe(200);
      expect(text).toContain('has been deleted');
      expect(text).not.toContain('<form');
    }
    expect(await world.unsubscribed(id)).toBe(0);
  });

  test('excludes the contact from the next campaign, not from other mail', async () => {
    await world.open(link);
    const { ok, advance } = world;
    const { id: next } = await world.sendCampaign();
    const shown = await world.request('GET', `/campaigns/${next}`);
    // One seeded contact has complained, and one has bounced.
    expect(shown.body).toMatchObject({ total: 8, sent: 8, status: 'SENT' });
    const body = email({ to: 'delivered+ana@example.com' });
    const { emailId } = await ok('email.send', { body });
    advance(hour);
    const { emailEvents } = await ok('email.get', { params: { emailId } });
    expect(emailEvents.map(({ status }) => status).sort()).toEqual(['DELIVERED', 'SENT']);
  });

  test('of a campaign that is under way keeps its contact from a batch to come', async () => {
    const { ok, request, advance } = world;
    const body = campaign({ batchSize: 1, sendNow: true });
    const { id: slow } = await ok('campaign.create', { body });
    // This request sends the first batch, which is only Ana.
    const { data } = await ok('email.list', { query: { limit: 1 } });
    expect(data[0]?.to).toEqual(['delivered+ana@example.com']);
    await request('PATCH', ana.replace('ana', 'liam'), { body: { subscribed: true } });
    await request('PATCH', ana.replace('ana', 'ben'), { body: { subscribed: false } });
    advance(hour);
    const { data: all } = await ok('email.list', { query: {} });
    const recipients = all.slice(0, 9).flatMap(({ to }) => to);
    expect(recipients).toContain('delivered+liam@example.com');
    expect(recipients).not.toContain('opened+ben@example.com');
    expect((await request('GET', `/campaigns/${slow}`)).body).toMatchObject({ status: 'SENT' });
  });
});

describe('the page', () => {
  test('escapes text of others, and runs no scripts', async () => {
    const { request, sendCampaign, open, ok } = withCampaigns();
    const name = '</title><script>alert(1)</script>"\'';
    await request('PATCH', '/contactBooks/book_customers', { body: { name } });
    const { link } = await sendCampaign();
    const { text, headers } = await open(link);
    expect(text).toContain('“&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;”');
    expect(text).not.toContain('<script');
    const policy = headers.get('Content-Security-Policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(await ok('domain.list', {})).toHaveLength(3);
  });

  test.each(['none', 'email_welcome', "x'%20OR%201=1", '%3Cscript%3E', '..%2F..%2Fx'])(
    "of %s, which is not a campaign's link, reports that",
    async (unknown) => {
      const { open, post } = withCampaigns();
      const link = `http://sandbox.test/unsubscribe/${unknown}`;
      for (const reply of [await open(link), await post(link, oneClick)]) {
        expect(reply.status).toBe(404);
        expect(reply.text).toContain('This link is not known');
        expect(reply.text).not.toContain('<script');
        expect(reply.headers.has('Content-Security-Policy')).toBe(true);
      }
    },
  );

  test('is not there without an id', async () => {
    const { open } = withCampaigns();
    expect(await open('http://sandbox.test/unsubscribe/')).toMatchObject({ status: 404 });
    expect(await open('http://sandbox.test/unsubscribe')).toMatchObject({ status: 404 });
  });
});

test('links lead to the given origin of the sandbox', async () => {
  const { ok, advance } = startSandbox({ linkOrigin: 'http://127.0.0.1:4100' });
  await ok('campaign.create', { body: campaign({ sendNow: true }) });
  advance(hour);
  const { data } = await ok('email.list', { query: { limit: 1 } });
  expect(data[0]?.html).toContain(`href="http://127.0.0.1:4100/unsubscribe/${data[0]?.id}"`);
});
