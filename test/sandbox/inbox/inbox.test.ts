import { describe, expect, test } from 'vitest';
import { resetSandbox } from '../../../src/sandbox/open.ts';
import { serveInbox } from '../../support/inbox.ts';
import { day, email, startSandbox, type TestSandbox, temporaryDirectory } from '../harness.ts';

/** Requests a page of the inbox. */
async function get(path: string, { sandbox } = startSandbox()) {
  const response = await sandbox.fetch(new Request(`http://sandbox.test${path}`));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function send(service: TestSandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const reply = await service.request('POST', '/emails', { body: email(fields) });
  expect(reply.status, reply.text).toBe(200);
  // A response with status 200 has this shape.
  return (reply.body as { emailId: string }).emailId;
}

/** The list's subjects, in order. */
function subjects(page: string): string[] {
  return [...page.matchAll(/row-subject"><bdi>(.*?)<\/bdi>/g)].map(([, subject = '']) => subject);
}

const everywhere = ['default-src', 'script-src', 'style-src', 'form-action', 'frame-ancestors'];

describe('every response', () => {
  test.each([
    ['/', 'text/html; charset=UTF-8'],
    ['/live', 'text/html; charset=UTF-8'],
    ['/messages/email_welcome', 'text/html; charset=UTF-8'],
    ['/assets/style.css', 'text/css; charset=utf-8'],
    ['/assets/messages.css', 'text/css; charset=utf-8'],
    ['/assets/records.css', 'text/css; charset=utf-8'],
    ['/assets/client.js', 'text/javascript; charset=utf-8'],
    ['/assets/icon.svg', 'image/svg+xml; charset=utf-8'],
  ])('has headers that allow nothing from other sites: %s', async (path, type) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).not.toBe('');
    expect(headers.get('Content-Type')).toBe(type);
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    for (const directive of everywhere) expect(policy).toContain(directive);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  test.each(['/nothing', '/messages/nothing', '/messages/nothing/html', '/messages/x/source.eml'])(
    'has them on a 404 page too: %s',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect(status).toBe(404);
      expect(text).toContain('Page not found');
      expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    },
  );

  test('has no body for HEAD', async () => {
    const { sandbox } = startSandbox();
    const reply = await sandbox.fetch(new Request('http://sandbox.test/', { method: 'HEAD' }));
    expect(reply.status).toBe(200);
    expect(await reply.text()).toBe('');
  });
});

describe('the list', () => {
  test('shows sender, recipients, the beginning of the text, the status and the time', async () => {
    const service = startSandbox();
    await send(service, {
      from: '"Ana, of the Shop" <shop@example.com>',
      to: ['li@example.com', 'ben@example.com'],
      subject: 'Order 4711',
      text: 'Thank you,\n\n  it is on its way.',
      attachments: [{ filename: 'a.txt', content: 'aGk=' }],
    });
    service.advance(5 * 60_000);
    const { text } = await get('/', service);
    const row = text.slice(text.indexOf('row-subject'), text.indexOf('</li>'));
    expect(row).toContain('<bdi>Order 4711</bdi>');
    expect(row).toContain('<bdi>Ana, of the Shop</bdi>');
    expect(row).toContain('<bdi>li@example.com</bdi> and 1 more');
    expect(row).toContain('Thank you, it is on its way.');
    expect(row).toContain('Has attachments');
    expect(row).toContain('data-tone="good">Delivered<');
    expect(row).toContain(
      '<time datetime="2026-01-31T12:00:00.000Z" title="31 Jan 2026, 12:00:00 UTC">5 min. ago</time>',
    );
  });

  test('shows the text of the HTML if there is no text', async () => {
    const service = startSandbox();
    const html = `<!doctype html><html><head><title>no</title><STYLE>p > a{color:red}</STYLE></head>
      <body><!-- no --><p>Fish &amp; chips &lt;3&nbsp;&#8364;&zwnj;</p><script>no</script></body>`;
    await send(service, { text: undefined, html });
    expect((await get('/', service)).text).toContain('muted">Fish &amp; chips &lt;3 €</span>');
  });

  test('shows when a scheduled message will be sent', async () => {
    const service = startSandbox();
    const scheduledAt = new Date(service.clock.now + 2 * day).toISOString();
    await send(service, { scheduledAt });
    const { text } = await get('/', service);
    expect(text).toContain('>in 2 days</time>');
    expect(text).toContain('>Scheduled<');
  });

  test('shows hostile names, subjects and texts as text', async () => {
    const service = startSandbox();
    const evil = '</title><script>alert("1")</script>';
    await send(service, {
      from: `"<img src=x onerror=alert(1)>" <shop@example.com>`,
      subject: evil,
      text: evil,
    });
    const list = await get('/', service);
    const found = await get(`/?q=${encodeURIComponent('"><script>alert')}`, service);
    for (const { text } of [list, found]) {
      expect(text.match(/<script/g)).toHaveLength(1);
      expect(text).not.toContain('<img');
    }
    expect(list.text).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)');
    expect(found.text).toContain('value="&quot;&gt;&lt;script&gt;alert"');
  });

  test('has pages without a gap, in both directions', async () => {
    const service = startSandbox();
    const emails = Array.from({ length: 100 }, (_, n) => email({ subject: `No ${n}` }));
    const sent = await service.request('POST', '/emails/batch', { body: emails });
    expect(sent.status).toBe(200);
    const seen: string[] = [];
    let page = await get('/', service);
    for (let next: string | undefined = '/'; next !== undefined; ) {
      page = await get(next.replaceAll('&amp;', '&'), service);
      seen.push(...subjects(page.text));
      next = /href="([^"]+)">Older/.exec(page.text)?.[1];
    }
    expect(seen).toHaveLength(102);
    expect(seen.slice(0, 100)).toEqual(emails.map(({ subject }) => subject).reverse());
    expect(page.text).not.toContain('>Older<');

    const back: string[] = [];
    for (let next: string | undefined; ; ) {
      next = /href="([^"]+)">Newer/.exec(page.text)?.[1];
      if (next === undefined) break;
      page = await get(next.replaceAll('&amp;', '&'), service);
      back.unshift(...subjects(page.text));
    }
    expect(back.slice(0, 50)).toEqual(seen.slice(0, 50));
  });

  test.each(['before=x', 'after=-1', 'before=1e9', 'before=0', 'after=999999999999999'])(
    'accepts any position: %s',
    async (search) => {
      expect((await get(`/?${search}`)).status).toBe(200);
    },
  );

  test('explains how to send a first message', async () => {
    const { text } = await get('/');
    expect(text).toContain('http://sandbox.test/api');
    expect(text).toContain('us_sandbox_local');
    expect(text).toContain('curl http://sandbox.test/api/v1/emails');
  });
});

describe('search', () => {
  async function found(query: string, fields: Record<string, unknown>): Promise<boolean> {
    const service = startSandbox();
    await send(service, { subject: 'Looked for', ...fields });
    await send(service, { subject: 'Another' });
    const { text } = await get(`/?q=${encodeURIComponent(query)}`, service);
    expect(subjects(text)).not.toContain('Another');
    return subjects(text).length > 0;
  }

  test.each([
    ['the subject, whatever its case', 'überRASCHUNG', { subject: 'Eine Überraschung' }],
    ['the sender', 'billing@', { from: 'billing@example.com' }],
    ['a recipient', 'zora@example', { to: ['li@example.com', 'zora@example.com'] }],
    ['cc', 'carla', { cc: 'Carla <c@example.com>' }],
    ['bcc', 'bruno', { bcc: 'bruno@example.com' }],
    ['the text', 'midnight', { text: 'See you at\nMidnight.' }],
    ['words over a line break', '"you at midnight"', { text: 'See you at\nMidnight.' }],
    ['what the HTML says', 'midnight', { html: '<p>Mid<b>night</b> Midnight</p>', text: ' ' }],
    ['all words, in any order', 'midnight see', { text: 'See you at midnight' }],
    ['one letter', '%', { text: '100 % wool' }],
    ['two letters of another script', '東京', { subject: '東京タワー' }],
    ['quotes and what means something to SQLite', `d"o'x* OR`, { text: `d"o'x* or` }],
    ['backslashes and wildcards as they are', '\\_50%', { text: 'a\\_50%' }],
  ])('finds %s', async (_, query, fields) => {
    expect(await found(query, fields)).toBe(true);
  });

  test.each([
    ['a wildcard of LIKE', 'look%for', {}],
    ['one for a letter', 'lo_ked', {}],
    ['letters that stand apart', 'abcdef', { text: 'abcd bcde cdef' }],
    ['tags', 'blockquote', { text: ' ', html: '<blockquote>Midnight</blockquote>' }],
    ['one of two words', 'midnight nowhere', { text: 'See you at midnight' }],
  ])('does not take %s for a match', async (_, query, fields) => {
    expect(await found(query, fields)).toBe(false);
  });

  test('finds messages that arrived after the last search', async () => {
    const service = startSandbox();
    await send(service, { subject: 'One needle' });
    expect(subjects((await get('/?q=needle', service)).text)).toEqual(['One needle']);
    await send(service, { subject: 'Two needles' });
    expect(subjects((await get('/?q=needle', service)).text)).toEqual([
      'Two needles',
      'One needle',
    ]);
  });

  test('has pages', async () => {
    const service = startSandbox();
    const emails = Array.from({ length: 60 }, (_, n) => email({ subject: `Needle ${n}` }));
    await service.request('POST', '/emails/batch', { body: emails });
    await send(service, { subject: 'Hay' });
    const first = await get('/?q=needle', service);
    expect(first.text).toContain('More than 50 of 63 messages found');
    const older = /href="([^"]+)">Older/.exec(first.text)?.[1] ?? '';
    const second = await get(older.replaceAll('&amp;', '&'), service);
    expect([...subjects(first.text), ...subjects(second.text)]).toEqual(
      emails.map(({ subject }) => subject).reverse(),
    );
  });

  test('finds nothing that a reset deleted, even with the data open', async () => {
    const directory = temporaryDirectory();
    const service = startSandbox({ directory });
    await send(service, { subject: 'Old needle' });
    expect(subjects((await get('/?q=needle', service)).text)).toEqual(['Old needle']);
    resetSandbox({ directory, now: () => service.clock.now });
    expect(subjects((await get('/?q=needle', service)).text)).toEqual([]);
    await send(service, { subject: 'New needle' });
    expect(subjects((await get('/?q=needle', service)).text)).toEqual(['New needle']);
  });

  test('reports that nothing was found', async () => {
    expect((await get('/?q=nothing+like+it')).text).toContain('None of 2 messages found');
  });
});

describe('filters of the search', () => {
  /** The subjects that a query finds among messages that differ in every field. */
  async function found(query: string): Promise<string[]> {
    const service = startSandbox();
    await send(service, { from: 'Ana <ana@example.com>', to: 'ben@example.com', subject: 'One' });
    service.advance(day);
    await send(service, {
      to: ['Carla <carla@example.com>', 'bounced@example.com'],
      bcc: 'dora@example.com',
      subject: 'Two words',
      text: 'One is from ana',
      attachments: [{ filename: 'a.txt', content: 'aGk=' }],
    });
    service.advance(day);
    const id = await send(service, { to: 'delayed@example.com', subject: 'Three', text: '10:30' });
    service.advance(2000);
    await get(`/messages/${id}`, service);
    return subjects((await get(`/?q=${encodeURIComponent(query)}`, service)).text);
  }

  test.each([
    ['from:ana', ['One']],
    ['FROM:"Ana <ana"', ['One']],
    ['to:carla', ['Two words']],
    ['to:dora@', ['Two words']],
    ['subject:one', ['One']],
    ['subject:"two words"', ['Two words']],
    ['has:attachment', ['Two words']],
    ['is:read', ['Three', 'Your receipt', 'Welcome, Ben!']],
    ['is:unread', ['Two words', 'One']],
    ['status:bounced', ['Two words']],
    ['status:delayed', ['Three']],
    ['status:delivery-delayed', ['Three']],
    ['after:2026-02-02', ['Three']],
    ['before:2026-02-02 after:2026-02-01', ['Two words']],
    ['after:2026-02-01T11:00Z before:2026-02-01T12:00:01Z', ['Two words']],
    ['one has:attachment', ['Two words']],
    ['one from:ana status:delivered', ['One']],
    ['"from:ana"', []],
    ['10:30', ['Three']],
    ['from:ana subject:two', []],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test.each([
    ['colour:red', 'colour: is not a filter. Filters: from:, to:, subject:, has:'],
    ['colour:red', 'quote it: &quot;colour:red&quot;'],
    ['constructor:x', 'constructor: is not a filter'],
    ['from: ana', 'from: needs a value directly after it, without a space'],
    ['has:wings', 'has: takes attachment'],
    ['is:new', 'is: takes unread or read'],
    ['status:lost', '“lost” is not a status. Statuses: scheduled, cancelled'],
    ['before:yesterday', '“yesterday” is not a date such as 2026-01-31'],
    ['after:2026-02-31', '“2026-02-31” is not a date'],
    ['a b c d e f g h i', 'at most 8 words, phrases and filters'],
  ])('reports what is wrong with %s, and finds nothing', async (query, problem) => {
    const { text } = await get(`/?q=${encodeURIComponent(query)}`);
    expect(text).toContain(problem);
    expect(subjects(text)).toEqual([]);
  });

  test('takes an address and the beginning of a subject for words', async () => {
    const service = startSandbox();
    await send(service, { subject: 'Re: Hello', text: 'https://example.com/a' });
    for (const query of ['https://example.com/a', 're: hello']) {
      const { text } = await get(`/?q=${encodeURIComponent(query)}`, service);
      expect(subjects(text)).toEqual(['Re: Hello']);
    }
  });
});

describe('unread messages', () => {
  test('are counted on every page until they are opened', async () => {
    const service = startSandbox();
    const id = await send(service, { subject: 'New' });
    await send(service, { subject: 'Newer' });
    for (const path of ['/', '/campaigns', '/requests', '/nothing']) {
      const { text } = await get(path, service);
      expect(text).toContain('<title>(2) ');
      expect(text).toContain('class="unread">2<span class="hidden"> unread</span>');
    }
    await service.sandbox.fetch(
      new Request(`http://sandbox.test/messages/${id}`, { method: 'HEAD' }),
    );
    expect((await get('/live', service)).text).toContain('class="unread">2<');
    expect((await get(`/messages/${id}`, service)).text).toContain('<title>(1) New');
    const { text } = await get('/', service);
    expect(text.match(/class="dot"/g)).toHaveLength(1);
    expect(subjects((await get('/?q=is:unread', service)).text)).toEqual(['Newer']);
  });

  test('can all be marked as read, and the page of the list stays', async () => {
    const service = startSandbox();
    await send(service, { subject: 'New' });
    expect((await get('/', service)).text).toContain('Mark all as read');
    const { status, headers } = await post(service, '/read?q=new');
    expect([status, headers.get('Location')]).toEqual([303, '/?q=new']);
    const { text } = await get('/', service);
    expect(text).toContain('<title>Messages');
    expect(text).not.toContain('Mark all as read');
  });

  test('are not those of the example data', async () => {
    expect((await get('/')).text).toContain('<title>Messages');
  });
});

/** Posts a form. */
function post({ sandbox }: TestSandbox, path: string, fields: Record<string, string> = {}) {
  const body = new URLSearchParams(fields);
  return sandbox.fetch(new Request(`http://sandbox.test${path}`, { method: 'POST', body }));
}

describe('deletion', () => {
  test('of a message leaves nothing of it, and a scheduled one is never sent', async () => {
    const service = startSandbox();
    const scheduledAt = new Date(service.clock.now + day).toISOString();
    const id = await send(service, { subject: 'Wrong', scheduledAt });
    expect((await get(`/messages/${id}`, service)).text).toContain('Delete this message?');
    const { status, headers } = await post(service, `/messages/${id}/delete?q=w`);
    expect([status, headers.get('Location')]).toEqual([303, '/?q=w&deleted=1']);
    const list = await get('/?deleted=1', service);
    expect(list.text).toContain('1 message deleted.');
    expect(subjects(list.text)).not.toContain('Wrong');
    expect((await service.request('GET', `/emails/${id}`)).status).toBe(404);
    service.advance(2 * day);
    expect((await get('/?q=wrong', service)).text).toContain('None of 2 messages found');
    const again = await post(service, `/messages/${id}/delete`);
    expect(again.headers.get('Location')).toBe('/?deleted=0');
  });

  test('of all messages keeps everything else', async () => {
    const service = startSandbox();
    await send(service, { attachments: [{ filename: 'a.txt', content: 'aGk=' }] });
    const { headers } = await post(service, '/delete', { q: '' });
    expect(headers.get('Location')).toBe('/?deleted=3');
    const { text } = await get('/', service);
    expect(text).toContain('No messages yet');
    expect(text).not.toContain('>Delete all<');
    expect((await get('/contacts/book_customers', service)).status).toBe(200);
    expect(await send(service)).not.toBe('');
  });

  test('of what a search finds keeps the others', async () => {
    const service = startSandbox();
    const emails = Array.from({ length: 60 }, (_, n) => email({ subject: `Needle ${n}` }));
    await service.request('POST', '/emails/batch', { body: emails });
    expect((await get('/?q=needle', service)).text).toContain('Delete what this search finds?');
    const { headers } = await post(service, '/delete', { q: 'subject:needle' });
    expect(headers.get('Location')).toBe('/?deleted=60');
    expect(subjects((await get('/', service)).text)).toHaveLength(2);
  });

  test('needs a form that says what, and a search without a problem', async () => {
    const service = startSandbox();
    expect((await post(service, '/delete')).status).toBe(400);
    const { headers } = await post(service, '/delete', { q: 'colour:red' });
    expect(headers.get('Location')).toBe('/?deleted=0');
    expect((await get('/', service)).text).toContain('2 messages');
  });

  test('is not for other sites', async () => {
    const { origin } = await serveInbox();
    for (const path of ['/delete', '/messages/email_welcome/delete', '/read']) {
      const body = new URLSearchParams({ q: '' });
      const headers = { Origin: 'http://elsewhere.test' };
      const { status } = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
      expect([path, status]).toEqual([path, 403]);
    }
    expect(await (await fetch(origin)).text()).toContain('2 messages');
  });
});
