import { describe, expect, test } from 'vitest';
import { campaign, day, envelope, hour, invalid, second, start, startSandbox } from '../harness.ts';

const badRequest = envelope(400, 'BAD_REQUEST');
const notFound = envelope(404, 'NOT_FOUND');

describe('create campaign', () => {
  test('makes a draft, shown in full', async () => {
    const { ok } = startSandbox();
    const body = campaign({ previewText: 'All new', replyTo: ' a@example.com ' });
    expect(await ok('campaign.create', { body })).toEqual({
      ...body,
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      content: null,
      status: 'DRAFT',
      scheduledAt: null,
      batchSize: 500,
      batchWindowMinutes: 0,
      total: 0,
      sent: 0,
      delivered: 0,
      opened: 0,
      clicked: 0,
      unsubscribed: 0,
      bounced: 0,
      hardBounced: 0,
      complained: 0,
      replyTo: ['a@example.com'],
      cc: [],
      bcc: [],
      createdAt: '2026-01-31T12:00:00.000Z',
      updatedAt: '2026-01-31T12:00:00.000Z',
    });
  });

  test.each(['name', 'from', 'subject', 'contactBookId'])('needs %s', async (field) => {
    const { request } = startSandbox();
    const body = campaign({ [field]: undefined });
    expect(await request('POST', '/campaigns', { body })).toMatchObject(invalid(field));
  });

  test('needs html or content; the error names no field', async () => {
    const { request } = startSandbox();
    const body = campaign({ html: undefined });
    expect(await request('POST', '/campaigns', { body })).toMatchObject(invalid());
  });

  test('accepts an empty preview text, and treats an empty date or list as absent', async () => {
    const { ok, request } = startSandbox();
    const body = campaign({ previewText: '', scheduledAt: '' });
    const { id, ...draft } = await ok('campaign.create', { body });
    expect(draft).toMatchObject({ status: 'DRAFT', scheduledAt: null, previewText: '' });
    const lists = campaign({ cc: [], bcc: [], replyTo: [] });
    expect(await request('POST', '/campaigns', { body: lists })).toMatchObject({ status: 200 });
    const { campaigns } = await ok('campaign.list', { query: {} });
    expect(campaigns).toHaveLength(2);
    expect((await request('GET', '/campaigns?page=')).body).toMatchObject({ campaigns: [{}, {}] });
  });

  test.each([0, 100_001, 1.5, '5'])('rejects a batch size of %j', async (batchSize) => {
    const { request } = startSandbox();
    const body = campaign({ batchSize });
    expect(await request('POST', '/campaigns', { body })).toMatchObject(invalid('batchSize'));
  });

  test.each([
    ['html without an unsubscribe placeholder', { html: '<p>Hi</p>' }],
    ['content that is not JSON', { html: undefined, content: 'Hi' }],
    ['content that is no document', { html: undefined, content: '[]' }],
    ['a book that is not there', { contactBookId: 'book_none' }],
    ['a sender domain that is not verified', { from: 'a@example.org' }],
  ])('rejects %s, and stores nothing', async (_, fields) => {
    const { request, ok } = startSandbox();
    const reply = await request('POST', '/campaigns', { body: campaign(fields) });
    expect(reply).toMatchObject(badRequest);
    expect((await ok('campaign.list', { query: {} })).campaigns).toEqual([]);
  });

  test('renders the content of the editor once it is scheduled', async () => {
    const { ok, request } = startSandbox();
    const bold = { type: 'text', text: 'a < b', marks: [{ type: 'bold' }] };
    const variable = { type: 'variable', attrs: { id: 'firstName', fallback: 'you' } };
    const attrs = { href: '{{usesend_unsubscribe_url}}', text: 'Bye' };
    const paragraph = { type: 'paragraph', content: [bold, variable] };
    const doc = { type: 'doc', content: [paragraph, { type: 'button', attrs }] };
    const body = campaign({ html: undefined, content: JSON.stringify(doc) });
    const { id: campaignId, html: before } = await ok('campaign.create', { body });
    expect(before).toBeNull();
    const scheduledAt = '2026-02-01T00:00:00Z';
    await ok('campaign.schedule', { params: { campaignId }, body: { scheduledAt } });
    const { body: scheduled } = await request('GET', `/campaigns/${campaignId}`);
    expect(Object(scheduled).html).toBe(
      '<p><strong>a &lt; b</strong>{{firstName,fallback=you}}</p>' +
        '<a href="{{usesend_unsubscribe_url}}">Bye</a>',
    );
  });

  test('starts with sendNow, whatever scheduledAt is', async () => {
    const { ok, advance } = startSandbox();
    const body = campaign({ sendNow: true, scheduledAt: 'never' });
    const created = await ok('campaign.create', { body });
    expect(created).toMatchObject({ status: 'SCHEDULED', total: 11 });
    advance(1);
    const { campaigns } = await ok('campaign.list', { query: {} });
    expect(campaigns).toMatchObject([{ id: created.id, status: 'RUNNING' }]);
  });

  test.each([
    ['2026-02-01T09:00:00+02:00', '2026-02-01T07:00:00.000Z'],
    ['2026-02-01', '2026-02-01T00:00:00.000Z'],
    ['tomorrow 9am', '2026-02-01T09:00:00.000Z'],
    ['next monday 10:30', '2026-02-02T10:30:00.000Z'],
    ['in 2 hours', '2026-01-31T14:00:00.000Z'],
  ])('is scheduled for %s', async (scheduledAt, expected) => {
    const { ok } = startSandbox();
    const created = await ok('campaign.create', { body: campaign({ scheduledAt }) });
    expect(created).toMatchObject({ status: 'SCHEDULED', scheduledAt: expected });
  });

  test.each([
    ['a date that cannot be read', { scheduledAt: '2 days' }],
    ['nobody to send to', { sendNow: true, contactBookId: 'empty' }],
  ])('leaves a draft behind when it fails at %s', async (_, fields) => {
    const { request, ok } = startSandbox();
    const book = await request('POST', '/contactBooks', { body: { name: 'Empty' } });
    const id = book.body instanceof Object && 'id' in book.body ? book.body.id : undefined;
    const chosen = 'contactBookId' in fields ? { ...fields, contactBookId: id } : fields;
    const reply = await request('POST', '/campaigns', { body: campaign(chosen) });
    expect(reply).toMatchObject(badRequest);
    const { campaigns } = await ok('campaign.list', { query: {} });
    expect(campaigns).toMatchObject([{ name: 'Spring', status: 'DRAFT', scheduledAt: null }]);
  });
});

describe('list campaigns', () => {
  test('shows 30 on a page, newest first, as summaries', async () => {
    const { ok, advance } = startSandbox();
    for (let index = 1; index <= 31; index++) {
      await ok('campaign.create', { body: campaign({ name: `n${index}` }) });
      advance(1);
    }
    const first = await ok('campaign.list', { query: {} });
    expect(first.totalPage).toBe(2);
    expect(first.campaigns).toHaveLength(30);
    expect(first.campaigns[0]).toEqual({
      id: expect.any(String),
      name: 'n31',
      from: 'Shop <shop@example.com>',
      subject: 'News for {{firstName}}',
      createdAt: '2026-01-31T12:00:00.030Z',
      updatedAt: '2026-01-31T12:00:00.030Z',
      status: 'DRAFT',
      scheduledAt: null,
      total: 0,
      sent: 0,
      delivered: 0,
      unsubscribed: 0,
    });
    const second = await ok('campaign.list', { query: { page: 2 } });
    expect(second.campaigns).toMatchObject([{ name: 'n1' }]);
  });

  test('searches name and subject in any case, and filters by status', async () => {
    const { ok } = startSandbox();
    await ok('campaign.create', { body: campaign({ name: 'ÉTÉ', subject: '100%' }) });
    await ok('campaign.create', { body: campaign({ name: 'Winter', sendNow: true }) });
    const found = async (query: { search?: string; status?: 'DRAFT' | 'SENT' }) => {
      const { campaigns, totalPage } = await ok('campaign.list', { query });
      return [totalPage, ...campaigns.map(({ name }) => name)];
    };
    expect(await found({ search: 'été' })).toEqual([1, 'ÉTÉ']);
    expect(await found({ search: 'NEWS' })).toEqual([1, 'Winter']);
    expect(await found({ search: '0%' })).toEqual([1, 'ÉTÉ']);
    expect(await found({ search: 'w_nt' })).toEqual([1, 'Winter']);
    expect(await found({ search: '1%0' })).toEqual([1, 'ÉTÉ']);
    expect(await found({ search: '0\\%' })).toEqual([1, 'ÉTÉ']);
    expect(await found({ search: '1\\%' })).toEqual([0]);
    expect(await found({ status: 'DRAFT' })).toEqual([1, 'ÉTÉ']);
    expect(await found({ status: 'SENT' })).toEqual([0]);
  });

  test('rejects an unknown status, and fails on page 0', async () => {
    const { request } = startSandbox();
    expect(await request('GET', '/campaigns?status=GONE')).toMatchObject(invalid('status'));
    expect(await request('GET', '/campaigns?page=0')).toMatchObject({ status: 500 });
  });
});

describe('schedule, resume, pause and delete', () => {
  async function withDraft() {
    const sandbox = startSandbox();
    const { id } = await sandbox.ok('campaign.create', { body: campaign({ batchSize: 4 }) });
    const shown = async () => (await sandbox.request('GET', `/campaigns/${id}`)).body;
    return { ...sandbox, params: { campaignId: id }, shown };
  }

  test('an empty body means now', async () => {
    const { ok, params, shown, advance } = await withDraft();
    expect(await ok('campaign.schedule', { params, body: {} })).toEqual({ success: true });
    expect(await shown()).toMatchObject({ status: 'RUNNING', total: 11 });
    advance(10 * second);
    expect(await shown()).toMatchObject({ status: 'SENT', sent: 11 });
  });

  test('a missing body is rejected', async () => {
    const { request, params } = await withDraft();
    const path = `/campaigns/${params.campaignId}/schedule`;
    expect(await request('POST', path)).toMatchObject(badRequest);
    expect(await request('POST', path, { rawBody: '{' })).toMatchObject(badRequest);
  });

  test('accepts a batch size, and a past date as now', async () => {
    const { ok, params, shown } = await withDraft();
    const body = { scheduledAt: '2020-01-01T00:00:00Z', batchSize: 2 };
    await ok('campaign.schedule', { params, body });
    expect(await shown()).toMatchObject({ status: 'RUNNING', batchSize: 2 });
  });

  test('an unreadable date is rejected', async () => {
    const { send, params, shown } = await withDraft();
    const reply = await send('campaign.schedule', { params, body: { scheduledAt: 'soonish' } });
    expect(reply).toMatchObject(badRequest);
    expect(await shown()).toMatchObject({ status: 'DRAFT' });
  });

  test('any state becomes SCHEDULED', async () => {
    const { ok, request, params, shown, advance } = await withDraft();
    const body = { scheduledAt: new Date(start + day).toISOString() };
    await ok('campaign.schedule', { params, body: {} });
    advance(hour);
    expect(await shown()).toMatchObject({ status: 'SENT' });
    await ok('campaign.schedule', { params, body });
    expect(await shown()).toMatchObject({ status: 'SCHEDULED' });
    await request('POST', `/campaigns/${params.campaignId}/pause`);
    await ok('campaign.schedule', { params, body });
    expect(await shown()).toMatchObject({ status: 'SCHEDULED' });
  });

  test('pause stops the batches, and resume sends the others', async () => {
    const { ok, request, params, shown, advance } = await withDraft();
    await ok('campaign.schedule', { params, body: {} });
    await shown();
    const paused = await request('POST', `/campaigns/${params.campaignId}/pause`);
    expect(paused.body).toEqual({ success: true });
    advance(hour);
    expect(await shown()).toMatchObject({ status: 'PAUSED', sent: 4 });
    await ok('campaign.resume', { params });
    expect(await shown()).toMatchObject({ status: 'RUNNING' });
    advance(hour);
    expect(await shown()).toMatchObject({ status: 'SENT', sent: 11 });
  });

  test('resume really sends a draft, and waits for a time that is to come', async () => {
    const { ok, request, params, shown, advance } = await withDraft();
    await ok('campaign.resume', { params });
    advance(hour);
    expect(await shown()).toMatchObject({ status: 'SENT', total: 11, sent: 11 });
    const later = new Date(start + day).toISOString();
    await ok('campaign.schedule', { params, body: { scheduledAt: later } });
    await request('POST', `/campaigns/${params.campaignId}/pause`);
    await ok('campaign.resume', { params });
    expect(await shown()).toMatchObject({ status: 'SCHEDULED', scheduledAt: later });
  });

  test('delete returns the campaign with more fields, and stops it', async () => {
    const { ok, request, params, advance } = await withDraft();
    await ok('campaign.schedule', { params, body: {} });
    await request('GET', '/campaigns');
    const deleted = await ok('campaign.delete', { params });
    expect(deleted).toMatchObject({
      id: params.campaignId,
      status: 'RUNNING',
      teamId: 1,
      domainId: 1,
      isApi: true,
      lastCursor: 'contact_dmitri',
      lastSentAt: '2026-01-31T12:00:00.000Z',
    });
    advance(hour);
    expect((await ok('email.list', { query: {} })).count).toBe(2 + 4);
    expect((await ok('campaign.list', { query: {} })).totalPage).toBe(0);
  });

  test('of a missing one is a 404', async () => {
    const { request } = startSandbox();
    for (const [method, path] of [
      ['POST', '/campaigns/none/schedule'],
      ['POST', '/campaigns/none/resume'],
      ['POST', '/campaigns/none/pause'],
      ['DELETE', '/campaigns/none'],
      ['GET', '/campaigns/none'],
    ] as const) {
      const options = method === 'POST' ? { body: {} } : {};
      expect(await request(method, path, options), path).toMatchObject(notFound);
    }
  });
});
