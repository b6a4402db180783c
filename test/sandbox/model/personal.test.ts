import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { campaign, email, hour, startSandbox } from '../harness.ts';

const unsubscribe = '{{usesend_unsubscribe_url}}';

interface Person {
  firstName?: string;
  lastName?: string;
  properties?: Record<string, string>;
}

/** Subject and HTML of the only email of a campaign, which has this text as its subject and HTML. */
async function filled(
  text: string,
  person: Person = {},
  { variables = [], html = text }: { variables?: string[]; html?: string } = {},
) {
  const { ok, request, advance } = startSandbox();
  const book = { name: 'Own', variables, doubleOptInEnabled: false };
  const contactBookId: string = Object(
    (await request('POST', '/contactBooks', { body: book })).body,
  ).id;
  const body = { email: 'delivered+zoe@example.com', ...person };
  await request('POST', `/contactBooks/${contactBookId}/contacts`, { body });
  const fields = { contactBookId, subject: text, html: `${html}|${unsubscribe}`, sendNow: true };
  await ok('campaign.create', { body: campaign(fields) });
  advance(hour);
  const { data } = await ok('email.list', { query: { limit: 1 } });
  const [shown] = data;
  return { subject: shown?.subject, html: shown?.html?.split('|')[0] };
}

/** The same, if subject and HTML must be equal. */
async function both(...given: Parameters<typeof filled>): Promise<string | null | undefined> {
  const { subject, html } = await filled(...given);
  expect(html).toBe(subject);
  return subject;
}

describe('a campaign', () => {
  const zoe = { firstName: 'Zoe', lastName: 'Ng', properties: { plan: 'pro', shoe_size: '38' } };

  test.each([
    ['{{firstName}} {{lastName}}', 'Zoe Ng'],
    ['{{ firstName }}{{  lastName}}', 'ZoeNg'],
    ['{{firstname}} {{FIRSTNAME}}', 'Zoe Zoe'],
    ['{{contact.firstName}} {{ Contact.plan }}', 'Zoe pro'],
    ['{{email}}', 'delivered+zoe@example.com'],
    ['{{plan}}, {{shoe_size}}', 'pro, 38'],
    ['{{plan,fallback=free}}', 'pro'],
    ['{{size,fallback=M}} {{size, fallback=one size}}', 'M one size'],
    ['{{size}}', '{{size}}'],
    ['{{fistName}}', '{{fistName}}'],
    ['{{firstName', '{{firstName'],
    ['{{}} {{ }} {firstName}', '{{}} {{ }} {firstName}'],
    ['{{{firstName}}}', '{Zoe}'],
    ['{{constructor}} {{__proto__}} {{toString,fallback=x}}', '{{constructor}} {{__proto__}} x'],
    ['{{first name}}', '{{first name}}'],
  ])('fills %s in', async (text, expected) => {
    expect(await both(text, zoe, { variables: ['plan', 'shoe_size'] })).toBe(expected);
  });

  test('leaves nothing where a contact has no value for a name that is known', async () => {
    expect(await both('a{{firstName}}b{{lastName}}c')).toBe('abc');
    expect(await both('{{firstName,fallback=there}}')).toBe('there');
    expect(await both('a{{firstName}}b', { firstName: '' })).toBe('ab');
  });

  test('knows the properties that the book declares of every contact', async () => {
    const declared = { variables: ['Size', 'plan'] };
    expect(await both('a{{size}}b{{plan}}', {}, declared)).toBe('ab');
    expect(await both('{{SIZE}}', { properties: { size: 'M' } }, declared)).toBe('M');
    expect(await both('{{color}}', {}, declared)).toBe('{{color}}');
  });

  test('fills in no property that the book does not declare', async () => {
    const person = { properties: { PLAN: 'pro', color: 'red' } };
    expect(
      await both('{{plan}} {{color}} {{color,fallback=?}}', person, { variables: ['plan'] }),
    ).toBe('pro {{color}} ?');
  });

  test('prefers the name of a contact to a property of that name', async () => {
    const properties = { firstName: 'x', EMAIL: 'y' };
    expect(await both('{{firstName}} {{email}}', { ...zoe, properties })).toBe(
      'Zoe delivered+zoe@example.com',
    );
    expect(await both('{{firstName}}', { properties })).toBe('');
  });

  test('accepts properties with the names of methods of objects', async () => {
    const properties = { constructor: 'Inc', toString: 'text' };
    const variables = Object.keys(properties);
    expect(await both('{{constructor}} {{toString}}', { properties }, { variables })).toBe(
      'Inc text',
    );
  });

  test('escapes values in HTML, also in attributes, and not in the subject', async () => {
    const firstName = `<b onclick="x('&')">`;
    expect(await filled('{{firstName}}', { firstName })).toEqual({
      subject: firstName,
      html: '&lt;b onclick=&quot;x(&#39;&amp;&#39;)&quot;&gt;',
    });
    const html = '<a href="https://x.test/?q={{firstName}}">{{firstName}}</a>';
    expect((await filled('x', { firstName: '"><script>' }, { html })).html).toBe(
      '<a href="https://x.test/?q=&quot;&gt;&lt;script&gt;">&quot;&gt;&lt;script&gt;</a>',
    );
  });

  test('does not fill in placeholders in values and fallbacks', async () => {
    const person = { firstName: '{{lastName}}', lastName: unsubscribe, properties: { a: '$1$$' } };
    const declared = { variables: ['a'] };
    expect(await both('{{firstName}} {{lastName}} {{a}}', person, declared)).toBe(
      `{{lastName}} ${unsubscribe} $1$$`,
    );
  });

  test('keeps the subject on one line', async () => {
    const firstName = 'Zoe\r\nBcc: x@example.com';
    expect((await filled('Hi {{firstName}}', { firstName })).subject).toBe(
      'Hi Zoe Bcc: x@example.com',
    );
  });

  test('puts the same link at every place for it, and into the headers', async () => {
    const { ok, advance, sandbox } = startSandbox();
    const html = '<a href="{{usesend_unsubscribe_url}}">a</a> {{unsend_unsubscribe_url}}';
    await ok('campaign.create', { body: campaign({ html, sendNow: true }) });
    advance(hour);
    const { data } = await ok('email.list', { query: {} });
    for (const { id, html } of data.slice(0, 11)) {
      const link = `http://sandbox.test/unsubscribe/${id}`;
      expect(html).toBe(`<a href="${link}">a</a> ${link}`);
    }
    const database = new DatabaseSync(sandbox.path);
    const row = database.prepare('SELECT id, headers FROM emails ORDER BY seq DESC').get();
    database.close();
    expect(JSON.parse(String(row?.headers))).toEqual({
      'List-Unsubscribe': `<http://sandbox.test/unsubscribe/${row?.id}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });
});

describe('a template', () => {
  /** The email sent with a template that has this text as its subject and HTML. */
  async function sent(text: string, variables?: Record<string, string>) {
    const { ok, sandbox } = startSandbox();
    const database = new DatabaseSync(sandbox.path);
    const columns = 'id, name, subject, html, created_at, updated_at';
    const row = ['tmpl_own', 'Own', text, text, 0, 0];
    database.prepare(`INSERT INTO templates (${columns}) VALUES (?, ?, ?, ?, ?, ?)`).run(...row);
    database.close();
    const body = email({ templateId: 'tmpl_own', subject: 'not this', variables });
    const { emailId } = await ok('email.send', { body });
    const { subject, html, text: plain } = await ok('email.get', { params: { emailId } });
    expect(plain).toBe('Hi');
    return { subject, html };
  }

  test.each([
    ['{{name}}', { name: 'Ana' }, 'Ana'],
    ['{{ name }} {{name}}', { name: 'Ana' }, 'Ana Ana'],
    ['{{name,fallback=you}}', {}, 'you'],
    ['{{name,fallback=you}}', { name: '' }, 'you'],
    ['a{{name}}b', { name: '' }, 'ab'],
    ['{{name}}', {}, '{{name}}'],
    ['{{Name}}', { name: 'Ana' }, '{{Name}}'],
    ['{{a}}{{b}}', { a: '{{b}}', b: '{{a}}' }, '{{b}}{{a}}'],
    ['{{constructor}}{{hasOwnProperty}}', {}, '{{constructor}}{{hasOwnProperty}}'],
    ['{{constructor}}', { constructor: 'Inc' }, 'Inc'],
    ['{{order.id}}', { 'order.id': '7' }, '7'],
  ])('%s with %j', async (text, variables, expected) => {
    expect(await sent(text, variables)).toEqual({ subject: expected, html: expected });
  });

  test('is filled without variables too', async () => {
    expect((await sent('{{name,fallback=you}}')).subject).toBe('you');
  });

  test('has values escaped in HTML, and the subject on one line', async () => {
    expect(await sent('{{name}}', { name: '<i>\n' })).toEqual({
      subject: '<i> ',
      html: '&lt;i&gt;\n',
    });
  });

  test('is filled in, but the text of a request is sent unmodified', async () => {
    const { ok } = startSandbox();
    const text = 'Hi {{name}}';
    const body = email({ subject: text, text, html: text, variables: { name: 'Ana' } });
    const { emailId } = await ok('email.send', { body });
    expect(await ok('email.get', { params: { emailId } })).toMatchObject({
      subject: text,
      html: text,
      text,
    });
  });
});

describe('the content of the editor', () => {
  /** The HTML of a document with these nodes and an unsubscribe link. */
  async function rendered(...content: object[]) {
    const { ok } = startSandbox();
    const attrs = { url: unsubscribe, text: 'Unsubscribe' };
    const doc = { type: 'doc', content: [...content, { type: 'button', attrs }] };
    const body = campaign({ html: undefined, content: JSON.stringify(doc) });
    const scheduledAt = '2026-02-01T00:00:00Z';
    const { html } = await ok('campaign.create', { body: { ...body, scheduledAt } });
    return html?.replace(`<a href="${unsubscribe}">Unsubscribe</a>`, '');
  }

  const text = (value: string, ...marks: string[]) => ({
    type: 'text',
    text: value,
    marks: marks.map((type) => ({ type })),
  });

  test.each([
    [{ type: 'heading', attrs: { level: 2 }, content: [text('A')] }, '<h2>A</h2>'],
    [{ type: 'heading', content: [text('A')] }, '<h1>A</h1>'],
    [{ type: 'heading', attrs: { level: 'x onload' }, content: [text('A')] }, '<h1>A</h1>'],
    [
      { type: 'paragraph', content: [text('a<b', 'bold', 'strike')] },
      '<p><s><strong>a&lt;b</strong></s></p>',
    ],
    [
      { type: 'image', attrs: { src: 'https://x.test/"a', alt: '<' } },
      '<img src="https://x.test/&quot;a" alt="&lt;">',
    ],
    [{ type: 'codeBlock', content: [text('<x>')] }, '<pre>&lt;x&gt;</pre>'],
    [{ type: 'horizontalRule' }, '<hr>'],
    [{ type: 'constructor', content: [text('A', 'toString')] }, 'A'],
  ])('%j', async (node, expected) => {
    expect(await rendered(node)).toBe(expected);
  });

  test('has variables that cannot break out of their place', async () => {
    const variable = (attrs: object) => ({ type: 'variable', attrs });
    expect(await rendered(variable({ id: 'firstName', fallback: 'a}}<b>{{' }))).toBe(
      '{{firstName,fallback=a&#125;&#125;&lt;b&gt;&#123;&#123;}}',
    );
    expect(await rendered(variable({ id: '<script>', fallback: null }))).toBe('{{&lt;script&gt;}}');
  });

  test('is sent with names and link filled in', async () => {
    const { ok, advance } = startSandbox();
    const variable = { type: 'variable', attrs: { id: 'nick', fallback: 'a}}<b>' } };
    const name = { type: 'variable', attrs: { id: 'firstName' } };
    const link = { type: 'link', attrs: { href: unsubscribe } };
    const bye = { type: 'text', text: 'Bye', marks: [link] };
    const footer = { type: 'unsubscribeFooter', content: [bye] };
    const paragraph = { type: 'paragraph', content: [name, variable] };
    const content = JSON.stringify({ type: 'doc', content: [paragraph, footer] });
    await ok('campaign.create', { body: campaign({ html: undefined, content, sendNow: true }) });
    advance(hour);
    const { data } = await ok('email.list', { query: {} });
    const ana = data.find(
      ({ to, subject }) => String(to).includes('ana') && subject?.startsWith('News'),
    );
    expect(ana?.html).toBe(
      `<p>Anaa&#125;&#125;&lt;b&gt;</p><footer><a href="http://sandbox.test/unsubscribe/${ana?.id}">Bye</a></footer>`,
    );
  });
});
