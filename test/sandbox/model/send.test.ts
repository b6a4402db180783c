import { describe, expect, test } from 'vitest';
import { blockedApiKey } from '../../../src/sandbox/model/api-account.ts';
import { email, envelope, invalid, startSandbox } from '../harness.ts';

describe('send email', () => {
  test('accepts an email, shown with arrays and no events until the provider reports', async () => {
    const { ok } = startSandbox();
    const { emailId } = await ok('email.send', { body: email({ cc: 'b@example.com' }) });
    expect(emailId).toMatch(/^c[a-z0-9]{24}$/);
    expect(await ok('email.get', { params: { emailId } })).toEqual({
      id: emailId,
      teamId: 1,
      to: ['delivered@example.com'],
      from: 'Shop <shop@example.com>',
      subject: 'Hello',
      html: null,
      text: 'Hi',
      createdAt: '2026-01-31T12:00:00.000Z',
      updatedAt: '2026-01-31T12:00:00.000Z',
      emailEvents: [],
    });
  });

  test('shows cc, bcc and replyTo in the list only', async () => {
    const { ok } = startSandbox();
    await ok('email.send', { body: email({ cc: 'b@example.com', replyTo: 'c@example.com' }) });
    const { data } = await ok('email.list', { query: { limit: 1 } });
    expect(data).toMatchObject([
      { cc: ['b@example.com'], bcc: [], replyTo: ['c@example.com'], to: ['delivered@example.com'] },
    ]);
  });

  test('removes suppressed recipients, unless all are suppressed', async () => {
    const { ok } = startSandbox();
    const to = ['Ana <suppressed@example.com>', 'delivered@example.com'];
    const cc = ['suppressed+2@example.com', 'b@example.com'];
    await ok('email.send', { body: email({ to, cc }) });
    await ok('email.send', { body: email({ to: to[0], cc }) });
    const { data } = await ok('email.list', { query: { limit: 2 } });
    expect(data).toMatchObject([
      { to: [to[0]], cc, latestStatus: 'SUPPRESSED' },
      { to: [to[1]], cc: [cc[1]], latestStatus: 'QUEUED' },
    ]);
  });

  test('treats empty copies, an empty template and an empty reply as absent', async () => {
    const { ok, request } = startSandbox();
    const nothing = { cc: [], bcc: '', replyTo: [], templateId: '', inReplyToId: '' };
    const body = email(nothing);
    expect(await request('POST', '/emails', { body })).toMatchObject({ status: 200 });
    expect(await request('POST', '/emails/batch', { body: [body] })).toMatchObject({ status: 200 });
    const { data } = await ok('email.list', { query: { limit: 1 } });
    expect(data).toMatchObject([{ cc: [], bcc: [], replyTo: [] }]);
  });

  test('drops unknown fields, in attachments too', async () => {
    const { request } = startSandbox();
    const attachments = [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }];
    const body = email({ atachments: [], attachments });
    expect(await request('POST', '/emails', { body })).toMatchObject({ status: 200 });
  });

  test.each([
    ['to', { to: undefined }],
    ['to', { to: [] }],
    ['from', { from: undefined }],
    ['from', { from: 5 }],
    ['subject', { subject: '' }],
    ['subject', { subject: 'a\nb' }],
    ['headers', 'X', { headers: { X: 1 } }],
    ['headers', 'X', { headers: { X: '' } }],
    ['variables', 'n', { variables: { n: 1 } }],
    ['scheduledAt', { scheduledAt: 'tomorrow' }],
    ['scheduledAt', { scheduledAt: '2026-02-01' }],
  ])('rejects an invalid %s', async (...given) => {
    const { request } = startSandbox();
    const path = given.filter((part) => typeof part === 'string');
    const fields = given.find((part) => typeof part === 'object');
    const reply = await request('POST', '/emails', { body: email({ ...fields }) });
    expect(reply).toMatchObject(invalid(...path));
  });

  test.each([{ subject: undefined }, { text: undefined }, { subject: undefined, templateId: '' }])(
    'rejects %j without naming a field',
    async (fields) => {
      const { request } = startSandbox();
      const reply = await request('POST', '/emails', { body: email(fields) });
      expect(reply).toMatchObject(invalid());
    },
  );

  test.each([
    'nobody',
    'a@Example.com',
    'Shop <shop@EXAMPLE.COM>',
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
  ])('rejects the sender %j', async (from) => {
    const { request } = startSandbox();
    const reply = await request('POST', '/emails', { body: email({ from }) });
    expect(reply).toMatchObject(envelope(400, 'BAD_REQUEST'));
  });

  test.each<[string, (string | number)[], object]>([
    ['a subject', ['subject'], { subject: 'a\0b' }],
    ['a text', ['text'], { text: '\\\0' }],
    ['a variable', ['variables', 'name'], { variables: { name: '\0' } }],
    ['a header', ['headers', 'X-A'], { headers: { 'X-A': '\0' } }],
    [
      'a filename',
      ['attachments', 0, 'filename'],
      { attachments: [{ filename: 'a\0', content: 'aGk=' }] },
    ],
  ])('rejects %s with a NUL character, which databases cannot store', async (_, path, fields) => {
    const { request } = startSandbox();
    const body = email({ ...fields });
    expect(await request('POST', '/emails', { body })).toMatchObject(invalid(...path));
    const batch = [email(), body];
    expect(await request('POST', '/emails/batch', { body: batch })).toMatchObject(
      invalid(1, ...path),
    );
  });

  test('accepts text that looks like a NUL character, and one in an unknown field', async () => {
    const { ok, request } = startSandbox();
    const text = 'C:\\u0000';
    const { emailId } = await ok('email.send', { body: email({ text }) });
    expect(await ok('email.get', { params: { emailId } })).toMatchObject({ text });
    const body = email({ extra: '\0' });
    expect(await request('POST', '/emails', { body })).toMatchObject({ status: 200 });
  });

  test('rejects more than 10 attachments, and content that is not base64', async () => {
    const { request } = startSandbox();
    const attachment = { filename: 'a.txt', content: 'aGk=' };
    const many = email({ attachments: Array.from({ length: 11 }, () => attachment) });
    expect(await request('POST', '/emails', { body: many })).toMatchObject(invalid('attachments'));
    const bad = email({ attachments: [{ ...attachment, content: '***' }] });
    expect(await request('POST', '/emails', { body: bad })).toMatchObject(
      invalid('attachments', 0, 'content'),
    );
  });

  test('needs text or html, with a template too', async () => {
    const { request } = startSandbox();
    const plain = email({ text: undefined });
    expect(await request('POST', '/emails', { body: plain })).toMatchObject(invalid());
    const template = email({ text: undefined, templateId: 'tmpl_welcome' });
    expect(await request('POST', '/emails', { body: template })).toMatchObject(invalid());
  });

  test('fills a template, which wins over subject and html', async () => {
    const { ok } = startSandbox();
    const body = email({ templateId: 'tmpl_welcome', html: 'x', variables: { name: '<Ana>' } });
    const { emailId } = await ok('email.send', { body });
    expect(await ok('email.get', { params: { emailId } })).toMatchObject({
      subject: 'Welcome, <Ana>!',
      html: expect.stringContaining('Welcome, &lt;Ana&gt;!'),
    });
  });

  test('uses the fallback of a placeholder that has no value', async () => {
    const { ok } = startSandbox();
    const { emailId } = await ok('email.send', { body: email({ templateId: 'tmpl_welcome' }) });
    const shown = await ok('email.get', { params: { emailId } });
    expect(shown.subject).toBe('Welcome, friend!');
  });

  test('sends its own subject and html unmodified if the template is missing', async () => {
    const { ok } = startSandbox();
    const html = '<p>Hi {{name}}</p>';
    const body = email({ templateId: 'tmpl_none', html, variables: { name: 'Ana' } });
    const { emailId } = await ok('email.send', { body });
    expect(await ok('email.get', { params: { emailId } })).toMatchObject({
      subject: 'Hello',
      html,
    });
  });

  test('fails without a subject if the template is missing, and its key can be used again', async () => {
    const { send, ok } = startSandbox();
    const body = email({ templateId: 'tmpl_none', subject: undefined });
    const key = { 'Idempotency-Key': 'order-1' };
    const failed = envelope(500, 'INTERNAL_SERVER_ERROR');
    expect(await send('email.send', { body }, key)).toMatchObject(failed);
    expect((await ok('email.list', { query: {} })).count).toBe(2);
    await ok('email.send', { body: email() }, key);
  });

  test.each([
    ['a sender domain of nobody', { from: 'a@elsewhere.test' }],
    ['a sender domain that is not verified', { from: 'a@example.org' }],
    ['a reply to an email that is not there', { inReplyToId: 'email_none' }],
  ])('rejects %s', async (_, fields) => {
    const { request } = startSandbox();
    const reply = await request('POST', '/emails', { body: email(fields) });
    expect(reply).toMatchObject(envelope(400, 'BAD_REQUEST'));
  });

  test('accepts a reply to an existing email', async () => {
    const { ok } = startSandbox();
    await ok('email.send', { body: email({ inReplyToId: 'email_welcome' }) });
  });

  test('rejects all sends of a blocked account, and nothing else', async () => {
    const { request } = startSandbox();
    const options = { body: email(), key: blockedApiKey };
    const forbidden = envelope(403, 'FORBIDDEN');
    expect(await request('POST', '/emails', options)).toMatchObject(forbidden);
    const batch = { ...options, body: [email()] };
    expect(await request('POST', '/emails/batch', batch)).toMatchObject(forbidden);
    expect(await request('GET', '/emails', { key: blockedApiKey })).toMatchObject({ status: 200 });
  });
});

describe('batch', () => {
  test('returns ids in the order of the input', async () => {
    const { ok } = startSandbox();
    const body = ['one', 'two', 'three'].map((subject) => email({ subject }));
    const { data } = await ok('email.batch', { body });
    const subjects = [];
    for (const { emailId } of data) {
      subjects.push((await ok('email.get', { params: { emailId } })).subject);
    }
    expect(subjects).toEqual(['one', 'two', 'three']);
  });

  /** The emails that a batch of these items created. */
  async function batched(...items: Record<string, unknown>[]) {
    const own = { id: 'tmpl_own', name: 'Own', subject: 'Own', html: '<p>Own</p>' };
    const { ok } = startSandbox({ fresh: { seeds: { templates: [own] } } });
    const { data } = await ok('email.batch', { body: items.map((item) => email(item)) });
    const shown = [];
    for (const { emailId } of data) shown.push(await ok('email.get', { params: { emailId } }));
    return { ok, shown };
  }

  test('uses the first template found for all emails', async () => {
    const { shown } = await batched(
      { templateId: 'tmpl_none' },
      { templateId: 'tmpl_welcome', variables: { name: 'Ana' } },
      { subject: 'None' },
      { templateId: 'tmpl_own', variables: { name: 'Ben' } },
      { templateId: 'tmpl_none' },
    );
    expect(shown.map(({ subject }) => subject)).toEqual([
      'Hello',
      'Welcome, Ana!',
      'None',
      'Welcome, Ben!',
      'Welcome, friend!',
    ]);
  });

  test('leaves out emails without a subject or an existing template, and is 200', async () => {
    const { shown, ok } = await batched(
      { subject: 'one' },
      { subject: undefined, templateId: 'tmpl_none' },
      { subject: 'three' },
    );
    expect(shown.map(({ subject }) => subject)).toEqual(['one', 'three']);
    expect((await ok('email.list', { query: {} })).count).toBe(4);
  });

  test('fails if no email can be created', async () => {
    const { request, ok } = startSandbox();
    const body = [email({ subject: undefined, templateId: 'tmpl_none' })];
    const failed = envelope(500, 'INTERNAL_SERVER_ERROR');
    expect(await request('POST', '/emails/batch', { body })).toMatchObject(failed);
    expect((await ok('email.list', { query: {} })).count).toBe(2);
  });

  test('accepts and drops an invalid inReplyToId', async () => {
    const { shown } = await batched({ inReplyToId: 'email_none' }, { inReplyToId: '-' });
    expect(shown).toHaveLength(2);
  });

  test('rejects an empty one and one of more than 100', async () => {
    const { request } = startSandbox();
    const sizes = { 0: 400, 100: 200, 101: 400 };
    for (const [size, status] of Object.entries(sizes)) {
      const body = Array.from({ length: Number(size) }, () => email());
      expect(await request('POST', '/emails/batch', { body })).toMatchObject({ status });
    }
  });

  test('names the index of an invalid item and sends none', async () => {
    const { request, ok } = startSandbox();
    const before = await ok('email.list', { query: {} });
    const invalidItem = [email(), email({ from: undefined })];
    expect(await request('POST', '/emails/batch', { body: invalidItem })).toMatchObject(
      invalid(1, 'from'),
    );
    const noContent = [email(), email(), email({ text: undefined })];
    expect(await request('POST', '/emails/batch', { body: noContent })).toMatchObject(invalid(2));
    const otherDomain = [email(), email({ from: 'a@example.org' })];
    expect(await request('POST', '/emails/batch', { body: otherDomain })).toMatchObject(
      envelope(400, 'BAD_REQUEST'),
    );
    expect(await ok('email.list', { query: {} })).toEqual(before);
  });
});
