import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { downloadHeaders } from '../../../src/sandbox/inbox/messages/download.ts';
import { campaign, day, email, startSandbox, type TestSandbox } from '../harness.ts';

async function get(path: string, { sandbox }: TestSandbox) {
  const response = await sandbox.fetch(new Request(`http://sandbox.test${path}`));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, headers, bytes, text: new TextDecoder().decode(bytes) };
}

async function send(service: TestSandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const reply = await service.request('POST', '/emails', { body: email(fields) });
  expect(reply.status, reply.text).toBe(200);
  // A response with status 200 has this shape.
  return (reply.body as { emailId: string }).emailId;
}

/** The names of a page's tabs, the current one in brackets. */
function tabs(page: string): string[] {
  const nav = /<nav class="tabs"[^>]*>(.*?)<\/nav>/s.exec(page)?.[1] ?? '';
  return [...nav.matchAll(/<a href="[^"]*"( aria-current="page")?>(.*?)<\/a>/g)].map(
    ([, current, name]) => (current === undefined ? `${name}` : `[${name}]`),
  );
}

/** A page's text. */
function words(page: string): string {
  return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('a message', () => {
  test('shows sender, recipients and time', async () => {
    const service = startSandbox();
    const first = await send(service, { subject: 'The question' });
    const id = await send(service, {
      from: '"A, B" <shop@example.com>',
      to: ['li@example.com', 'Ben <ben@example.com>'],
      cc: 'carla@example.com',
      bcc: 'bruno@example.com',
      replyTo: 'help@example.com',
      subject: 'The answer',
      inReplyToId: first,
    });
    const { text } = await get(`/messages/${id}`, service);
    expect(words(text)).toContain(
      'From &quot;A, B&quot; &lt;shop@example.com&gt; ' +
        'To li@example.com , Ben &lt;ben@example.com&gt; Cc carla@example.com ' +
        'Bcc bruno@example.com Reply-To help@example.com Date 31 Jan 2026, 12:00:00 UTC ' +
        'Reply to The question',
    );
    expect(text).toContain(`href="/messages/${first}"`);
    expect(text).toContain('<title>(1) The answer · mailer sandbox</title>');
  });

  test('offers the tabs that it has, and opens the best one', async () => {
    const service = startSandbox();
    const files = [{ filename: 'a.txt', content: 'aGk=' }];
    const all = await send(service, { html: '<p>Hi</p>', attachments: files });
    const text = await send(service);
    const html = await send(service, { html: '<p>Hi</p>', text: undefined });
    expect(tabs((await get(`/messages/${all}`, service)).text)).toEqual([
      '[HTML]',
      'Text',
      'HTML source',
      'Raw',
      'Headers',
      'Attachments (1)',
      'Check',
      'Events',
    ]);
    expect(tabs((await get(`/messages/${text}`, service)).text)[0]).toBe('[Text]');
    expect(tabs((await get(`/messages/${html}?view=text`, service)).text)[0]).toBe('[HTML]');
    const search = await get(`/messages/${all}?q=Hi&view=events`, service);
    expect(tabs(search.text).at(-1)).toBe('[Events]');
    // The list beside it does not change.
    expect(search.text).toContain('href="?q=Hi&amp;view=text"');
    expect(search.text).toContain(`href="/?q=Hi"`);
  });

  test('shows its text with web addresses as links', async () => {
    const service = startSandbox();
    const text =
      '<b>Go</b> to https://example.com/a?b=1&c="2" (or http://x.example/).\njavascript:x';
    const id = await send(service, { text });
    const page = await get(`/messages/${id}?view=text`, service);
    expect(page.text).toContain(
      '&lt;b&gt;Go&lt;/b&gt; to <a href="https://example.com/a?b=1&amp;c=" target="_blank" ' +
        'rel="noopener noreferrer">https://example.com/a?b=1&amp;c=</a>&quot;2&quot; (or ' +
        '<a href="http://x.example/" target="_blank" rel="noopener noreferrer">' +
        'http://x.example/</a>).\njavascript:x</pre>',
    );
  });

  test('shows what a check finds, and nothing of it is HTML', async () => {
    const service = startSandbox();
    const html = '<a href="<b>x">x</a>\n<img src="https://a.example/a.png"><p style="gap:1px">';
    const { text } = await get(`/messages/${await send(service, { html })}?view=check`, service);
    expect(tabs(text)).toContain('[Check]');
    expect(words(text)).toContain('warning html, line 2, column 1 The image has no alt text');
    expect(text).toContain('&lt;b&gt;x');
    expect(text).toContain('href="https://www.caniemail.com/features/css-gap/"');
    const plain = await send(service, { html: undefined, text: 'Hi' });
    expect(words((await get(`/messages/${plain}?view=check`, service)).text)).toContain(
      'The check found nothing.',
    );
  });

  test('shows custom headers', async () => {
    const service = startSandbox();
    const id = await send(service, { headers: { 'X-Order': '4711 <b>', 'X-Other': 'x' } });
    const { text } = await get(`/messages/${id}?view=headers`, service);
    expect(words(text)).toContain('X-Order 4711 &lt;b&gt; X-Other x');
  });

  test('shows its source, and offers it as a file', async () => {
    const service = startSandbox();
    const id = await send(service, { subject: 'Grüße', text: '<b> & Tee', bcc: 'b@example.com' });
    const file = await get(`/messages/${id}/source.eml`, service);
    expect(file.headers.get('Content-Disposition')).toBe(
      `attachment; filename="${id}.eml"; filename*=UTF-8''${id}.eml`,
    );
    expect(await PostalMime.parse(file.bytes)).toMatchObject({
      subject: 'Grüße',
      text: '<b> & Tee\n',
    });
    const { text } = await get(`/messages/${id}?view=source`, service);
    expect(text).toContain('Message-ID: &lt;');
    expect(text).toContain('&lt;b&gt; &amp; Tee');
  });

  test('of 2 MB shows the beginning of its source, and offers all of it', async () => {
    const service = startSandbox();
    const html = `<p>${'word '.repeat(400_000)}</p>`;
    const id = await send(service, { html });
    const page = await get(`/messages/${id}?view=source`, service);
    expect(page.text).toContain('… the rest is in the file');
    expect(page.text.length).toBeLessThan(600_000);
    const file = await get(`/messages/${id}/source.eml`, service);
    expect(file.bytes.length).toBeGreaterThan(html.length);
    expect((await get(`/messages/${id}/html`, service)).text).toContain(html);
  });

  test('that is scheduled shows when', async () => {
    const service = startSandbox();
    const id = await send(service, {
      scheduledAt: new Date(service.clock.now + day).toISOString(),
    });
    const { text } = await get(`/messages/${id}?view=events`, service);
    expect(words(text)).toContain('Date 1 Feb 2026, 12:00:00 UTC');
    expect(words(text)).toContain('Scheduled for 1 Feb 2026, 12:00:00 UTC');
  });
});

describe('the history', () => {
  test.each([
    ['bounced', 'Bounced', '550 5.1.1 &lt;bounced@example.com&gt;: no such mailbox at example.com'],
    ['delayed', 'Delivery delayed', 'MailboxFull'],
    ['complained', 'Complained', 'abuse'],
    ['rejected', 'Rejected', 'Bad content'],
    ['failed', 'Failed', 'The provider did not accept the message'],
    ['suppressed', 'Suppressed', 'All recipients are suppressed'],
    ['clicked', 'Clicked', 'https://example.com/'],
    ['delivered', 'Delivered', '250 2.0.0 OK'],
  ])('has the reason: %s', async (name, status, reason) => {
    const service = startSandbox();
    const id = await send(service, { to: `${name}@example.com` });
    service.advance(60_000);
    const { text } = await get(`/messages/${id}?view=events`, service);
    const timeline = words(text.slice(text.indexOf('id="timeline"')));
    expect(timeline).toContain(status);
    expect(timeline).toContain(reason);
  });

  test('is in order', async () => {
    const service = startSandbox();
    const id = await send(service, { to: 'clicked@example.com' });
    service.advance(60_000);
    const { text } = await get(`/messages/${id}?view=events`, service);
    const timeline = text.slice(text.indexOf('id="timeline"'));
    expect([...timeline.matchAll(/data-tone="\w+">(\w+)</g)].map(([, word]) => word)).toEqual([
      'Accepted',
      'Sent',
      'Delivered',
      'Opened',
      'Clicked',
    ]);
  });
});

describe('the HTML of a message', () => {
  test('has a policy that allows nothing but itself', async () => {
    const service = startSandbox();
    const id = await send(service, { html: '<html><head><title>Hi</title></head><p>Hi</p>' });
    const { headers, text } = await get(`/messages/${id}/html`, service);
    expect(headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
    expect(headers.get('Content-Security-Policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    ]);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('X-DNS-Prefetch-Control')).toBe('off');
    expect(text).toMatch(/^<!doctype html><base target="_blank"><html>/);
    const page = await get(`/messages/${id}`, service);
    expect(page.text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  });

  test('loads remote images only on request', async () => {
    const service = startSandbox();
    const policyOf = (reply: { headers: Headers }) =>
      reply.headers.get('Content-Security-Policy') ?? '';
    const id = await send(service, { html: '<img src="https://img.example/1.png">' });
    const page = await get(`/messages/${id}`, service);
    expect(words(page.text)).toContain('Remote images are blocked');
    expect(page.text).toContain(`src="/messages/${id}/html"`);
    expect(page.text).toContain('href="?view=html&amp;images=1"');
    const allowed = await get(`/messages/${id}?view=html&images=1`, service);
    expect(words(allowed.text)).toContain('Remote images are loaded');
    expect(allowed.text).toContain(`src="/messages/${id}/html?images=1"`);
    const [blocking, loading] = [
      policyOf(await get(`/messages/${id}/html`, service)),
      policyOf(await get(`/messages/${id}/html?images=1`, service)),
    ];
    // It allows nothing else.
    expect(loading).toBe(blocking.replace('img-src data:', 'img-src data: https: http:'));
    expect(loading).not.toBe(blocking);
  });

  test.each([
    ['<img src=//x.example/1>', true],
    ['<td background="http://x.example/1">', true],
    ['<p style="background: url( \'https://x.example/1\')">', true],
    ['<img src="data:image/png;base64,AAAA"><a href="https://x.example">x</a>', false],
  ])('asks about remote images if it has some: %s', async (html, has) => {
    const service = startSandbox();
    const { text } = await get(`/messages/${await send(service, { html })}`, service);
    expect(text.includes('Remote images')).toBe(has);
  });

  test('is shown as wide as a phone or a tablet', async () => {
    const service = startSandbox();
    const id = await send(service, { html: '<p>Hi</p>' });
    const frameOf = async (query: string) =>
      /<iframe[^>]*>/.exec((await get(`/messages/${id}${query}`, service)).text)?.[0];
    expect(await frameOf('')).not.toContain(' width=');
    expect(await frameOf('?width=phone')).toContain('width="375"');
    expect(await frameOf('?width=tablet')).toContain('width="768"');
    expect(await frameOf('?width=constructor')).not.toContain(' width=');
  });

  test('is shown as source, decoded', async () => {
    const service = startSandbox();
    const id = await send(service, { html: `<p>Grüße = ${'long '.repeat(40)}</p>` });
    const { text } = await get(`/messages/${id}?view=code`, service);
    expect(text).toContain(`&lt;p&gt;Grüße = ${'long '.repeat(40)}&lt;/p&gt;`);
  });

  test('has no frames, and no links to servers to connect to', async () => {
    const service = startSandbox();
    const html = '<LINK rel=preconnect href="//x.example"><link/rel=x><p>a &lt;link></p><linked>';
    const id = await send(service, { html: `${html}<iFrame src="//x.example"></iFrame><frame>` });
    expect((await get(`/messages/${id}/html`, service)).text).toContain(
      '<bgsound rel=preconnect href="//x.example"><bgsound/rel=x><p>a &lt;link></p><linked>' +
        '<x-frame src="//x.example"></iFrame><x-frame>',
    );
  });

  test('has unsubscribe links that lead to this server', async () => {
    const service = startSandbox();
    // As if the campaign was sent without a running server.
    service.sandbox.catchUp('http://sandbox.localhost');
    await service.ok('campaign.create', { body: { ...campaign(), sendNow: true } });
    service.advance(1000);
    service.sandbox.catchUp('http://sandbox.localhost');
    const list = await service.ok('email.list', { query: {} });
    const mail = list.data.find(({ subject }) => subject?.startsWith('News for'));
    const id = mail?.id ?? '';
    expect(mail?.html).toContain(`/unsubscribe/${id}`);
    const { text } = await get(`/messages/${id}/html`, service);
    expect(text).toContain(`<a href="http://sandbox.test/unsubscribe/${id}">`);
    const page = await get(`/messages/${id}`, service);
    expect(page.text).toContain(`href="/unsubscribe/${id}" target="_blank" rel="noopener"`);
    expect(words(page.text)).toContain('Campaign Spring');
  });

  test('keeps the unsubscribe links of other servers', async () => {
    const service = startSandbox();
    const html = '<a href="https://news.example/unsubscribe/1">Unsubscribe</a>';
    const id = await send(service, { html });
    expect((await get(`/messages/${id}/html`, service)).text).toContain(html);
    expect((await get(`/messages/${id}`, service)).text).not.toContain('class="unsubscribe"');
  });
});

describe('an attachment', () => {
  test('is what was sent', async () => {
    const service = startSandbox();
    const content = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const files = [{ filename: 'a.bin', content: content.toString('base64') }];
    const id = await send(service, { attachments: files });
    const page = await get(`/messages/${id}?view=attachments`, service);
    expect(page.text).toContain(`href="/messages/${id}/attachments/0" download`);
    expect(words(page.text)).toContain('a.bin File, 256 bytes');
    const { bytes, headers } = await get(`/messages/${id}/attachments/0`, service);
    expect(Buffer.from(bytes).equals(content)).toBe(true);
    expect(headers.get('Content-Type')).toBe('application/octet-stream');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toContain('sandbox');
    expect((await get(`/messages/${id}/attachments/1`, service)).status).toBe(404);
    expect((await get(`/messages/${id}/attachments/-1`, service)).status).toBe(404);
  });

  test.each([
    ['invoice.pdf', 'PDF'],
    ['photo.JPG', 'Image'],
    ['a.tar.gz', 'Archive'],
    ['makefile', 'File'],
    ['x.constructor', 'File'],
  ])('has a type: %s', async (filename, kind) => {
    const service = startSandbox();
    const id = await send(service, { attachments: [{ filename, content: 'aGk=' }] });
    const { text } = await get(`/messages/${id}?view=attachments`, service);
    expect(words(text)).toContain(`${filename} ${kind}, 2 bytes`);
  });

  test.each([
    ['../../x', 'x', 'x'],
    ['..\\..\\x.exe', 'x.exe', 'x.exe'],
    ['/etc/passwd', 'passwd', 'passwd'],
    ['.bashrc', 'bashrc', 'bashrc'],
    ['..', 'attachment', 'attachment'],
    ['a"; filename="b.exe', 'a_; filename=_b.exe', 'a_%3B%20filename%3D_b.exe'],
    ['a\u0001\u007f\u2028b.txt', 'ab.txt', 'ab.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe', 'invoicefdp.exe'],
    ["Grüße 100%'.txt", "Gr__e 100_'.txt", 'Gr%C3%BC%C3%9Fe%20100%25%27.txt'],
    ['請求書.pdf', '___.pdf', '%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf'],
    ['a\ud800b.txt', 'a_b.txt', 'a%EF%BF%BDb.txt'],
    [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(96)}.pdf`, `${'a'.repeat(96)}.pdf`],
  ])('named %j gets a safe name', async (filename, plain, extended) => {
    const service = startSandbox();
    const id = await send(service, { attachments: [{ filename, content: 'aGk=' }] });
    const { status, headers } = await get(`/messages/${id}/attachments/0`, service);
    expect(status).toBe(200);
    expect(headers.get('Content-Disposition')).toBe(
      `attachment; filename="${plain}"; filename*=UTF-8''${extended}`,
    );
  });

  test('could not add a header by a line break, which the API rejects', () => {
    const headers = new Headers(downloadHeaders('a\r\nSet-Cookie: x=1'));
    expect(headers.get('Content-Disposition')).toContain('filename="aSet-Cookie_ x=1"');
    expect(headers.get('Set-Cookie')).toBeNull();
  });
});

describe('the update for the script', () => {
  test('has the list and, of the open message, the status and history', async () => {
    const service = startSandbox();
    const id = await send(service, { subject: 'Open <b>' });
    service.advance(2000);
    const { text } = await get(`/live?open=${id}`, service);
    expect(text).not.toContain('<html');
    for (const part of ['count', 'rows', 'pager', 'state', 'timeline']) {
      expect(text).toContain(`id="${part}"`);
    }
    expect(text).toContain('Open &lt;b&gt;');
    expect(/id="state">.*?Delivered/.test(text)).toBe(true);
    const found = await get('/live?q=nothing', service);
    expect(found.text).not.toContain('<li');
    expect(found.text).not.toContain('id="state"');
  });
});
