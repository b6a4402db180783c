import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { campaign, day, email, second, startSandbox, type TestSandbox } from '../harness.ts';
import { hostile, rowsOf, see } from './pages.ts';

/** Changes data that no request can change. */
function write({ sandbox }: TestSandbox, sql: string, ...values: (string | number)[]): void {
  const database = new DatabaseSync(sandbox.path);
  database.prepare(sql).run(...values);
  database.close();
}

async function create(own: TestSandbox, method: string, path: string, body: object) {
  const reply = await own.request(method, path, { body });
  expect(reply, reply.text).toMatchObject({ status: 200 });
  // The test knows the shape of the response.
  return reply.body as { id: string };
}

describe('campaigns', () => {
  test('are listed with their numbers, newest first', async () => {
    const own = startSandbox();
    expect((await see(own, '/campaigns')).text).toContain('no campaigns yet');
    await create(own, 'POST', '/campaigns', campaign({ sendNow: true }));
    own.advance(second);
    await create(own, 'POST', '/campaigns', campaign({ name: 'Later' }));
    own.advance(day);
    const page = await see(own, '/campaigns');
    expect(rowsOf(page, 'Campaigns')).toEqual([
      ['Later News for {{firstName}}', 'Draft', '0 of 0', '0', '0', '0', 'yesterday'],
      ['Spring News for {{firstName}}', 'Sent', '11 of 11', '10', '5', '2', 'yesterday'],
    ]);
    expect(rowsOf(await see(own, '/campaigns?q=SPRING'), 'Campaigns')).toHaveLength(1);
    expect((await see(own, '/campaigns?q=%25')).text).toContain('No campaign has % in its name');
  });

  test('have a funnel, its numbers those of the messages', async () => {
    const own = startSandbox();
    const { id } = await create(own, 'POST', '/campaigns', campaign({ sendNow: true }));
    own.advance(day);
    const [first] = rowsOf(await see(own, `/campaigns/${id}`), 'Messages of this campaign');
    expect(first?.[1]).toBe('News for Ana');
    const { data } = (await own.request('GET', '/emails')).body as {
      data: { id: string; to: string[] }[];
    };
    const ben = data.find(({ to }) => to[0]?.includes('ben'));
    await own.sandbox.fetch(
      new Request(`http://sandbox.test/unsubscribe/${ben?.id}`, { method: 'POST' }),
    );
    const page = await see(own, `/campaigns/${id}`);
    expect(rowsOf(page, 'Outcomes of')).toEqual([
      ['Total', '', '11', '100%', '–'],
      ['Sent', '', '11', '100%', '100% of total'],
      ['Delivered', '', '10', '91%', '91% of sent'],
      ['Opened', '', '5', '45%', '50% of delivered'],
      ['Clicked', '', '2', '18%', '40% of opened'],
      ['Unsubscribed', '', '1', '9.1%', '10% of delivered'],
      ['Bounced', '', '1', '9.1%', '9.1% of sent'],
      ['Complained', '', '1', '9.1%', '10% of delivered'],
    ]);
    expect(page.text).toContain('11 of 11 sent, 100%');
    expect(page.html).toContain('<progress value="11" max="11"');
    expect(page.html).toContain('href="/contacts/book_customers"');
    expect(page.html).toContain(`href="/messages/${ben?.id}"`);
  });

  test('show the recipient of an event', async () => {
    const own = startSandbox();
    const { id } = await create(own, 'POST', '/campaigns', campaign({ sendNow: true }));
    own.advance(day);
    const to = async (status: string) =>
      rowsOf(await see(own, `/campaigns/${id}?status=${status}`), 'Messages of').map(
        ([address]) => address,
      );
    expect(await to('BOUNCED')).toEqual(['bounced+dmitri@example.com']);
    expect(await to('CLICKED')).toEqual(['clicked+chloe@example.com', 'clicked+ines@example.com']);
    expect(await to('OPENED')).toHaveLength(5);
    expect(await to('constructor')).toHaveLength(11);
  });

  test('progress with the clock, one batch at a time', async () => {
    const own = startSandbox();
    const body = campaign({ sendNow: true, batchSize: 4 });
    const { id } = await create(own, 'POST', '/campaigns', body);
    expect((await see(own, `/campaigns/${id}`)).text).toContain('Running 0 of 11 sent');
    own.advance(0.9 * second);
    expect((await see(own, `/campaigns/${id}`)).text).toContain('Running 4 of 11 sent, 36%');
    own.advance(day);
    expect((await see(own, `/campaigns/${id}`)).text).toContain('Sent 11 of 11 sent');
  });

  test('show when they start, and what was deleted', async () => {
    const own = startSandbox();
    const scheduledAt = new Date(own.clock.now + 2 * day).toISOString();
    const { id } = await create(own, 'POST', '/campaigns', campaign({ scheduledAt }));
    expect((await see(own, `/campaigns/${id}`)).text).toContain('It starts in 2 days');
    await own.request('DELETE', '/contactBooks/book_customers');
    expect((await see(own, `/campaigns/${id}`)).text).toContain('a contact book that was deleted');
    await own.request('DELETE', `/campaigns/${id}`);
    const gone = await see(own, `/campaigns/${id}`);
    expect(gone.status).toBe(404);
    expect(gone.text).toContain(`There is no campaign ${id} here. It may have been deleted`);
  });
});

describe('contacts', () => {
  test('are in books, which show how many are subscribed', async () => {
    const own = startSandbox();
    await create(own, 'POST', '/contactBooks', { name: 'Empty' });
    const page = await see(own, '/contacts');
    expect(rowsOf(page, 'Contact books').map((row) => row.slice(0, 4))).toEqual([
      [expect.stringContaining('Empty'), '0', '0', '0'],
      [expect.stringContaining('Customers'), '12', '11', '1'],
    ]);
    expect(page.html).toContain('href="/contacts/book_customers"');
  });

  test('of a book are shown with subscription and properties', async () => {
    const own = startSandbox();
    const page = await see(own, '/contacts/book_customers');
    const rows = rowsOf(page, 'Contacts of this book');
    expect(rows).toHaveLength(12);
    expect(rows[0]?.slice(0, 4)).toEqual([
      'delivered+ana@example.com',
      'Ana Silva',
      'Subscribed',
      'plan pro',
    ]);
    expect(page.html).toContain('href="/?q=delivered%2Bana%40example.com"');
  });

  test.each([
    ['q=SILVA', 1],
    ['q=team', 3],
    ['q=%2Bines%40', 1],
    ['q=%25', 0],
    ['q=_', 0],
    ["q='%20OR%201=1--", 0],
    ['state=unsubscribed', 1],
    ['state=subscribed&q=free', 4],
    ['state=nonsense', 12],
  ])('are found by %s', async (query, found) => {
    const page = await see(startSandbox(), `/contacts/book_customers?${query}`);
    expect(rowsOf(page, 'Contacts of this book')).toHaveLength(found);
    if (found === 0) expect(page.text).toContain('No contacts found');
  });

  test('come in pages of 50', async () => {
    const own = startSandbox();
    for (let nth = 0; nth < 108; nth++) {
      own.advance(1);
      const path = '/contactBooks/book_customers/contacts';
      await own.request('POST', path, { body: { email: `p${nth}@example.com` } });
    }
    const first = await see(own, '/contacts/book_customers?q=example');
    expect(rowsOf(first, 'Contacts of')).toHaveLength(50);
    expect(first.text).toContain('1–50 of 120');
    expect(first.html).toContain('rel="next" href="?q=example&amp;page=2"');
    expect(first.html).not.toContain('rel="prev"');
    const last = await see(own, '/contacts/book_customers?page=3');
    expect(rowsOf(last, 'Contacts of')).toHaveLength(20);
    expect(last.html).not.toContain('rel="next"');
    const seen = await Promise.all(
      [1, 2, 3].map((page) => see(own, `/contacts/book_customers?page=${page}`)),
    );
    const addresses = seen.flatMap((page) => rowsOf(page, 'Contacts of').map(([to]) => to));
    expect(new Set(addresses).size).toBe(120);
    for (const page of ['99', '0', '-1', 'x', '1e9', '%00']) {
      expect((await see(own, `/contacts/book_customers?page=${page}`)).status).toBe(200);
    }
    expect((await see(own, '/contacts/book_customers?page=99')).text).toContain('101–120 of 120');
  });
});

describe('domains', () => {
  test('list missing records', async () => {
    const page = await see(startSandbox(), '/domains');
    expect(rowsOf(page, 'Domains').map((row) => row.slice(0, 3))).toEqual([
      [
        'example.net',
        'Not started',
        '4: MX (bounces); TXT (DKIM); TXT (SPF); TXT (DMARC), recommended',
      ],
      [
        'example.org',
        'Pending',
        '4: MX (bounces); TXT (DKIM); TXT (SPF); TXT (DMARC), recommended',
      ],
      ['example.com', 'Verified', 'none'],
    ]);
  });

  test('have their records, each with its status and a value to copy', async () => {
    const own = startSandbox();
    const domain = (await own.ok('domain.list', {})).at(-1);
    const page = await see(own, `/domains/${domain?.id}`);
    expect(rowsOf(page, 'DNS records of example.com')).toEqual(
      domain?.dnsRecords.map((record) => [
        expect.stringContaining(record.type),
        expect.stringContaining(`${record.name}.example.com`),
        `${record.value} Copy`,
        record.priority ?? '–',
        record.ttl,
        record.recommended ? 'Found recommended' : 'Found',
      ]),
    );
    expect(page.html).toContain('aria-label="Copy the value of TXT (DKIM)"');
  });

  test('show what a verification found', async () => {
    const own = startSandbox();
    const { id } = await create(own, 'POST', '/domains', {
      name: 'fail.example.com',
      region: 'us-east-1',
    });
    await own.request('PUT', `/domains/${id}/verify`, { body: {} });
    expect((await see(own, `/domains/${id}`)).text).toContain('Verification in progress');
    own.advance(day);
    const page = await see(own, `/domains/${id}`);
    expect(page.text).toContain('The DKIM record of fail.example.com is missing or wrong');
    expect(page.text).toContain('Missing 2: TXT (DKIM); TXT (DMARC), recommended');
    expect(page.text).toContain('mail.fail.example.com');
  });
});

describe('reputation', () => {
  test('is a plot with a name, and a table of the same data', async () => {
    const own = startSandbox();
    const page = await see(own, '/reputation');
    const events = await own.ok('reputation.events', { query: {} });
    const rows = rowsOf(page, 'Changes of the deliverability state');
    expect(rows.map((row) => [row[3], row[4]])).toEqual(
      events.map((event) => [`${event.bounceRate}%`, event.sampleSize?.toLocaleString('en')]),
    );
    expect(page.html).toContain('<svg role="img" aria-labelledby="plot-name plot-about"');
    expect(page.html.match(/<circle /g)).toHaveLength(events.length);
    expect(page.text).toContain('8 changes of state between 1.943% and 10.125%');
    expect(page.text).toContain('The account has been Healthy since 24 Jan 2026');
    expect(page.html).not.toMatch(/NaN|Infinity|undefined| style=/);
  });

  test('works without changes, with one just now, and with an unknown state', async () => {
    const own = startSandbox();
    write(own, 'DELETE FROM reputation_events');
    expect((await see(own, '/reputation')).text).toContain('has never changed');
    write(
      own,
      `INSERT INTO reputation_events VALUES ('r', 'HEALTHY', ?, 0, 0, 'x', NULL, ?)`,
      hostile.script,
      own.clock.now,
    );
    const page = await see(own, '/reputation');
    expect(page.html).not.toMatch(/NaN|Infinity|undefined|<script>/);
    expect(page.html.match(/<circle /g)).toHaveLength(1);
  });

  test('comes in pages of 50', async () => {
    const own = startSandbox();
    for (let nth = 0; nth < 60; nth++) {
      write(
        own,
        `INSERT INTO reputation_events VALUES (?, 'HEALTHY', 'WARNING', 5, 100, 'system', NULL, ?)`,
        `more_${nth}`,
        own.clock.now - nth * second,
      );
    }
    expect((await see(own, '/reputation')).html.match(/<circle /g)).toHaveLength(50);
    const older = await see(own, '/reputation?page=2');
    expect(older.html.match(/<circle /g)).toHaveLength(18);
    expect(older.html).not.toMatch(/NaN|Infinity/);
    expect(older.text).not.toContain('The account has been');
  });
});

test.each([
  ['/campaigns/nothing', 'There is no campaign nothing here'],
  ['/contacts/nothing', 'There is no contact book nothing here'],
  ['/domains/99', 'There is no domain 99 here'],
  ['/domains/1e3', 'There is no domain 1e3 here'],
  ['/domains/99999999999999999999', 'There is no domain 99999999999999999999 here'],
  ['/requests/99', 'There is no request 99 here. The last 500 are kept'],
  ['/requests/abc', 'There is no request abc here'],
  [`/campaigns/${encodeURIComponent(hostile.image)}`, `There is no campaign ${hostile.image} here`],
])('%s is a 404 page', async (path, words) => {
  const page = await see(startSandbox(), path);
  expect(page.status).toBe(404);
  expect(page.text).toContain(words);
  expect(page.html).not.toContain('<img src=x');
});

test.each(Object.entries(hostile))('text from outside stays text: %s', async (_, text) => {
  const own = startSandbox();
  const properties = { [text.slice(0, 200)]: text };
  const book = await create(own, 'POST', '/contactBooks', { name: text, emoji: text });
  const contact = { email: 'ana@example.com', firstName: text, lastName: text, properties };
  await create(own, 'POST', `/contactBooks/${book.id}/contacts`, contact);
  const { id } = await create(
    own,
    'POST',
    '/campaigns',
    // The contact has not confirmed the subscription.
    campaign({ name: text, subject: text, sendNow: true }),
  );
  write(own, 'UPDATE domains SET name = ?, error_message = ? WHERE id = 2', `${text}.test`, text);
  write(own, 'UPDATE reputation_events SET reason = ?, actor = ?, to_state = ?', text, text, text);
  await own.request('POST', '/emails', { body: email({ subject: text, from: text }) });
  await own.request('GET', `/campaigns?search=${encodeURIComponent(text)}`);
  own.advance(day);
  const q = encodeURIComponent(text.slice(0, 200));
  const paths = ['/campaigns', `/campaigns/${id}`, '/contacts', `/contacts/${book.id}`, '/domains'];
  paths.push('/domains/2', '/reputation', '/requests', '/requests/4', '/requests/5');
  paths.push(`/campaigns?q=${q}`, `/contacts/${book.id}?q=${q}`, `/requests?q=${q}`);
  for (const path of paths) {
    const { html, status } = await see(own, path);
    expect(status, path).toBe(200);
    expect(html, path).not.toMatch(/<script>|<img|<b>|onmouseover='|href="javascript:/);
    // One long name must not fill the page.
    expect(html.length, path).toBeLessThan(120_000);
  }
});

test('the policy of the pages allows what they need', async () => {
  const own = startSandbox();
  await own.request('GET', '/domains');
  for (const path of ['/campaigns', '/contacts', '/domains/1', '/reputation', '/requests/1']) {
    const { html, headers } = await see(own, path);
    expect(headers.get('Content-Security-Policy')).toContain("style-src 'self'");
    expect(html).not.toMatch(/ style="|<style| on\w+="|<script>/);
  }
});
