import { describe, expect, test } from 'vitest';
import { checkEmail, findingsIn } from '../../../src/shared/check/check-email.ts';
import type { LinkAnswer, MessageContent } from '../../../src/shared/check/message.ts';
import { supportByKey } from '../../../src/shared/check/support.ts';
import { codes } from '../../../src/shared/check/table.ts';
import { hostileHtml } from '../../support/hostile-html.ts';

type Parts = Partial<MessageContent>;

/** An email without findings. */
const flawless: MessageContent = {
  kind: 'email',
  subject: 'Hi',
  text: 'Hello',
  html: '<meta name="color-scheme" content="light dark"><p>Hello</p>',
};

function found(parts: Parts) {
  return checkEmail({ ...flawless, ...parts });
}

function codesOf(parts: Parts): string[] {
  return found(parts)
    .map(({ code }) => code)
    .filter((code) => !code.startsWith('support/'));
}

test('nothing is found in a flawless email', () => {
  expect(checkEmail(flawless)).toEqual([]);
});

const list = { 'List-Unsubscribe': '<https://example.com/u>' };
/** A campaign of whose contacts some lack every value. */
const blank: Parts = { kind: 'campaign', blankFor: () => '1 of 2 subscribed contacts' };

const campaign = { kind: 'campaign', previewText: 'News', headers: list } as const;
const files = (...names: string[]) => names.map((filename) => ({ filename, bytes: 1 }));
const html = (text: string) => ({ html: text });
const linkTo = (url: string) => html(`<a href="${url}">x</a>`);

/** An email with a checked link, and this as its result; with another `url`, the result must not matter. */
const answered = (code: LinkAnswer['code'], url = 'https://a.example/x') => ({
  ...html('<a href="https://A.example/x#y">x</a>'),
  answers: new Map([[url, { code, message: 'x' }]]),
});
const notAnswered = answered('link-broken', 'https://a.example/y');

/** For each code: emails with the finding, and emails without it. */
const cases: Readonly<Record<string, readonly [bad: readonly Parts[], good: readonly Parts[]]>> = {
  'active-content': [
    [
      html('<script>1</script>'),
      html('<p onclick="x()">'),
      html('<IFRAME src="https://a.example">'),
    ],
    [html('<p title="onclick=1">'), html('<!-- <script> -->'), html('<p data-on="1">')],
  ],
  'attachment-count': [
    [{ attachments: files(...Array.from({ length: 11 }, () => 'a.pdf')) }],
    [{ attachments: files(...Array.from({ length: 10 }, () => 'a.pdf')) }],
  ],
  'attachment-size': [
    [{ attachments: [{ filename: 'a.pdf', bytes: 20_000_000 }] }],
    [{ attachments: [{ filename: 'a.pdf', bytes: 1_000_000 }] }],
  ],
  'attachment-type': [
    [{ attachments: files('a.EXE') }, { attachments: files('a.pdf.js') }],
    [{ attachments: files('exe', 'a.pdf', 'js.txt') }],
  ],
  'characters-lost': [
    [
      { subject: 'Gr\ufffd\ufffde' },
      { previewText: '\ufffd' },
      html('<p>\ufffd</p>'),
      { text: '\ufffd' },
      { text: '5 \u0080' },
      { variables: { name: 'Gr\ufffde' } },
      { addresses: { to: ['Gr\ufffde <a@b.example>'] } },
      { attachments: files('a\ufffd.pdf') },
    ],
    [html('<p>Größe &#65533;</p>'), { text: '\ufffd', literal: true }],
  ],
  'html-entity': [
    [
      { subject: 'Tom &amp; Jerry&#39;s' },
      { text: 'https://a.example/?user=1&amp;code=2' },
      html('<p>Tom &amp;amp; Jerry</p>'),
      html('<a href="https://a.example/?a=1&amp;amp;b=2">x</a>'),
    ],
    [
      html('<p>Tom &amp; Jerry&#39;s&nbsp;</p><code>&amp;amp;</code>'),
      { subject: 'R&D; Q&A', text: 'https://a.example/?a=1&b=2, write `&amp;`' },
      { text: 'a &amp; b', literal: true },
    ],
  ],
  'terminal-codes': [
    [{ text: '\u001b[31mFAILED\u001b[0m build' }, { subject: '\u001b[1mHi' }],
    [{ text: 'FAILED [31m] build' }],
  ],
  'wrong-charset': [
    [
      { subject: 'Itâ€™s here' },
      { subject: 'â‚¬5, Â£4' },
      { previewText: 'naÃ¯ve' },
      html('<p>KrÃ¤fte</p>'),
      html('<p>VoilÃ\u00a0 !</p>'),
      html('<p>5Â\u00a0kg</p>'),
      { text: 'MÃ\u0089XICO' },
      { text: 'ÐŸÑ€Ð¸Ð²ÐµÑ‚' },
      { text: 'æ—¥æœ¬èªž' },
      { text: 'Danke ðŸ˜€' },
      { text: 'GrÃƒÂ¼ÃŸe' },
      { variables: { name: 'JÃ¼rgen' } },
      { attachments: files('KrÃ¤fte.pdf') },
    ],
    [
      html('<p>Größe, naïve, Ñandú, «AMANHû, IRMÔ, AVELÃ®, MANHÃ\u00a0E NOITE</p>'),
      html('<p>ÂNGELA, «Â», VÂN ANH, Ä–Ö–Ü–ß, à «â», é…</p>'),
      { text: 'Привет, 你好, こんにちは, Ελλάδα, 😀, “quotes” – 5 €™' },
      { text: 'If your file shows `KrÃ¤fte`, save it as UTF-8.' },
      html('<p>If it shows <code>Itâ€™s</code>, save it as UTF-8.</p>'),
      { text: 'KrÃ¤fte', literal: true },
    ],
  ],
  contrast: [
    [
      html('<p style="color:#999;background:#fff">x</p>'),
      html('<td bgcolor="white"><font color="silver">x</font></td>'),
      html('<div style="background-color: rgb(255 255 255)"><p style="color:yellow">x</p></div>'),
      html('<p style="color:rgb(100%,100%,0%);background:#ffffff !important">x</p>'),
    ],
    [
      html('<p style="color:#333;background:#fff">x</p>'),
      html('<p style="color:#999">x</p>'),
      html('<p style="color:#999;background:#fff"> </p>'),
      html('<p style="color:#949494;background:#fff;font-size:24px">x</p>'),
      html('<p style="color:#949494;background:#fff;font-size:14pt;font-weight:bold">x</p>'),
      html('<p style="display:none;color:#fff;background:#fff">preheader</p>'),
      html('<div style="color:#999;background:#fff"><a href="https://a.example">x</a></div>'),
      html(
        '<div style="color:#999;background:#fff"><p style="background-image:url(a.png)">x</p></div>',
      ),
      html('<style>.a{color:#000}</style><p class="a" style="background:#fff">x</p>'),
      html('<p style="color:rgba(0,0,0,.2);background:#fff">x</p>'),
    ],
  ],
  'dark-mode': [
    [html('<p>'), html('<p title="prefers-color-scheme">')],
    [
      html('<meta name="color-scheme" content="light dark">'),
      html('<style>@media (prefers-color-scheme:dark){}</style>'),
    ],
  ],
  'header-ignored': [
    [
      { headers: { 'Message-ID': '<1@a.example>' } },
      { headers: { 'content-type': 'x' } },
      { headers: { 'list-unsubscribe': 'https://a.example/u' } },
      { headers: { 'List-Unsubscribe-Post': 'true' } },
    ],
    [
      { headers: { 'X-Order': '1', 'In-Reply-To': '<1@a.example>' } },
      { headers: { ...list, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } },
      { headers: { 'List-Unsubscribe': 'Leave (by mail) <mailto:leave@a.example>' } },
    ],
  ],
  'html-size': [[html('é'.repeat(53_000))], [html('e'.repeat(102_000))]],
  'html-unclosed': [
    [
      html('<a href="https://example.com>Shop</a><p>Dear Ana</p>'),
      html('<a href="https://example.com>Shop</a><p class="x">Dear Ana</p>'),
      html("<p title='x>Dear Ana</p>"),
      html('<p>Dear Ana</p><p class="x" Bye'),
      html('<p>a</p><!-- note <p>Dear Ana</p>'),
      html('<style>p{color:red}<p>Dear Ana</p>'),
      html('<p>Only if stock<min_stock or price<max, then:</p><p>Code: 1234</p>'),
      html('<p>Preis<Kosten. Ende</p>'),
      html('<p>if a<b then stop.</p>'),
      html('<p>if a<b</p>'),
      html('<p>If price<max then buy. The rest of it.</p>'),
      html('<title>Hi<p>Dear Ana</p>'),
      html('<body><div style="display: none !important">Preview<p>Dear Ana</p></body>'),
    ],
    [
      html('<p>a<p>b<ul><li>c<table><tr><td>d</table>'),
      html('<p title="a < b" {% if a < b %}class="x"{% endif %}>1 < 2, 3 <4, x <= y</p>'),
      html('<!-- a --><!--[if mso]><p><![endif]--><p title="a > b">x</p>'),
      html('<style>p{}</style><div style="display:none">Preview</div><div>Hi'),
    ],
  ],
  'image-alt': [
    [html('<img src="https://a.example/a.png">')],
    [
      html('<img alt src="https://a.example/a.png">'),
      html('<img alt="A" src="https://a.example/">'),
    ],
  ],
  'image-http': [
    [html('<img alt src="http://a.example/a.png">'), html('<td background="http://a.example/a">')],
    [html('<img alt src="https://a.example/a.png">')],
  ],
  'image-source': [
    [
      html('<img alt>'),
      html('<img alt src="a.png">'),
      html('<base href="img/"><img alt src="a.png">'),
      html('<img alt src="file:///a.png">'),
      html('<img alt src="cid:a">'),
      html('<img alt src="//a.example/a.png">'),
      html('<img alt src="https://localhost/a.png">'),
      html('<img alt src="https://192.168.0.5/a.png">'),
      html('<img alt src="https://a.example/a.png" srcset="a.png 2x">'),
      html('<td background="a.png">'),
      html('<td style="background-image:url(a.png)">'),
      html('<style>td { background: red url("a.png") }</style>'),
    ],
    [
      html('<base href="https://a.example/"><img alt src="a.png">'),
      { ...html('<img alt src="cid:a">'), embedsImages: true },
      html('<img alt src="data:image/png;base64,AA">'),
    ],
  ],
  'link-broken': [[answered('link-broken')], [notAnswered]],
  'link-empty': [
    [
      html('<a href="">x</a>'),
      html('<a href="#">x</a>'),
      html('<a href="mailto:">x</a>'),
      html('<a>x</a>'),
    ],
    [
      html('<a name="x">x</a><a id="y"></a><a {{ link }}>z</a>'),
      html('<a href="#x">x</a>'),
      html('<a href="mailto:a@b.example">x</a>'),
    ],
  ],
  'link-http': [
    [html('<a href="HTTP://a.example">x</a>')],
    [html('<a href="https://a.example">x</a>'), html('<link href="http://a.example">')],
  ],
  'link-private': [
    [
      html('<a href="http://localhost:3000/">x</a>'),
      html('<a href="https://192.168.1.1/">x</a>'),
      html('<a href="https://172.31.0.1">x</a>'),
      html('<a href="https://[::1]/">x</a>'),
      html('<a href="https://2130706433/">x</a>'),
      html('<a href="https://shop.internal/">x</a>'),
      html('<a href="https://100.64.0.1/">x</a>'),
      html('<a href="https://[::ffff:127.0.0.1]/">x</a>'),
    ],
    [
      html('<a href="https://172.32.0.1/">x</a>'),
      html('<a href="https://localhost.example/">x</a>'),
    ],
  ],
  'link-redirect': [[answered('link-redirect')], [notAnswered]],
  'link-syntax': [
    [
      html('<a href="www.a.example">x</a>'),
      html('<a href="/page">x</a>'),
      html('<a href="https:a.example">x</a>'),
      html('<a href="https://">x</a>'),
      html('<a href="javascript:alert(1)">x</a>'),
      ...['htp://a.example', 'htps:/a.example', 'hhttps://a.example', 'htpp://a.example'].map(
        linkTo,
      ),
      ...['C:\\x\\y.html', 'https://a..example/', 'about:blank', 'blob:https://a.example/1'].map(
        linkTo,
      ),
      ...['cid:x', 'data:text/html,x', 'mailto:a@example'].map(linkTo),
      ...['file:///etc/x', 'mailto:bad', 'mailto:a@b.example,c', 'mailto:@b.example?subject=x'].map(
        linkTo,
      ),
    ],
    [
      html('<base href="https://a.example/"><a href="/page">x</a>'),
      ...['tel:+49123', 'sms:+49123', 'myapp://page', 'ftp://a.example/x', 'HTTPS://a.example'].map(
        linkTo,
      ),
      ...[
        'mailto:Ana%20%3Ca@b.example%3E',
        'https://a.example./../x..html',
        'mailto:a@[IPv6:::1]',
      ].map(linkTo),
      ...['mailto:a@b.example,c%40d.example', 'mailto:?subject=x'].map(linkTo),
      html('<a href="{{ url }}">{{ url }}</a>'),
    ],
  ],
  'link-tracking': [
    [
      html('<a href="https://a.example/?utm_source=x">'),
      html('<a href="https://a.example/?a=1&amp;gclid=x">'),
    ],
    [html('<a href="https://a.example/?id=1#utm_source=x">')],
  ],
  'link-unavailable': [[answered('link-unavailable')], [notAnswered]],
  'no-content': [
    [
      { html: undefined, text: undefined },
      html('<p> &nbsp; </p>'),
      { html: undefined, text: '\u200b\n' },
      { html: undefined, text: '\u3164\u2800\ufe0f' },
      html('<p>&#12644;&#x2800;&#8199;</p>'),
    ],
    [
      { html: undefined, text: 'x' },
      { ...html('<p></p>'), attachments: files('a.pdf') },
      html('<img src="https://a.example/a.png" alt="">'),
    ],
  ],
  placeholder: [
    [
      html('{{ name }}'),
      { text: '{% if x %}' },
      { subject: 'Hi {{name}}' },
      { kind: 'campaign', html: '{% if x %}' },
      { addresses: { from: '{{ brand }} <a@b.example>' } },
      { headers: { 'X-Token': '{{token}}' } },
      { content: '{"type":"variable","attrs":{"id":"a b"}}' },
      html('<code>x</code>{{ name }}<code>'),
      html('<!--[if mso]>{{ name }}<![endif]-->'),
      html('<a href="https://a.example/{{ id }}">x</a>'),
      { text: '`{{ a\n}} ```\n' },
    ],
    [
      html('{ name }'),
      { text: '100 %' },
      { ...campaign, subject: '{{ firstName, fallback=you }}' },
      { ...campaign, subject: '{{ contact.LASTNAME }}' },
      html('<p>Write <code>{{ name }}</code>, or:</p><PRE class="x">\n{% if x %}</pre>'),
      html('<style>a {{ color: red }}</style><!-- {{ later }} -->'),
      { html: '<code>{{ a }}</code>', text: '{{ a }}' },
      { text: 'Write `{{ name }}`, or:\n```\n{% if x %}\n```\n' },
      { subject: 'How `{{ name }}` works' },
      { html: '<p>{{ a }}</p>', meant: ['{{ a }}'] },
      { kind: 'template', html: '<p>{{name, fallback=you}}</p>' },
    ],
  ],
  'placeholder-blank': [
    [
      { ...blank, html: 'Hi {{firstName}}' },
      { ...blank, subject: 'Hi {{ contact.plan }}' },
      { ...blank, html: undefined, content: '{"type":"variable","attrs":{"id":"plan"}}' },
    ],
    [
      { ...blank, html: 'Hi {{firstName, fallback=there}}, {{plan,fallback=}}' },
      { ...blank, html: '{{email}} {{contact.Email}} {{usesend_unsubscribe_url}}' },
      { ...blank, html: '<code>{{plan}}</code>', previewText: '{{plan}}' },
      { ...blank, html: '{{plan}}', blankFor: () => undefined },
      { ...blank, html: '{{plan}}', blankFor: undefined },
    ],
  ],
  'escaped-line-break': [
    [{ text: 'Hi\\nAna' }, { subject: 'a\\n' }, { text: 'Hi Ana,\\nyour order' }],
    [{ text: 'see C:\\new\\n' }, { text: 'the file a\\nb' }, html('<p>a\\n</p>')],
  ],
  'foreign-tag': [
    [
      html('<%= name %>'),
      html('%%name%%'),
      { text: 'Hi [Name]' },
      { html: '<p><em>|FNAME|</em></p>', writtenBody: 'Hi *|FNAME|*' },
    ],
    [html('«Bonjour», «Don Quijote»; $5, {5}, 5 % and [1]'), html(`<code>\${name}</code>`)],
  ],
  'computed-text': [
    [
      { text: 'It is [object Object].' },
      { subject: 'Welcome back, undefined!' },
      { text: 'Sehr geehrter Herr null,\n\nIhre Bestellung' },
      html('<p>Hello <!-- -->undefined<!-- -->,</p><p>Bye</p>'),
      html('<p>Total: <b>NaN</b><!-- --> €</p>'),
      html('<p>Dear undefined undefined</p>'),
      html('<td>$undefined</td>'),
      html('<p>Delivery</p><p>undefined</p>'),
      { text: 'Name: undefined\n' },
      { subject: 'Your order for undefined' },
      html('<p>Your order <b>undefined</b>.</p>'),
      { text: 'Price NaN' },
      html('<p>Time: Invalid Date</p>'),
      { text: 'See you on Invalid Date at the office.' },
      { text: 'From null undefined, with love' },
      { text: 'Shipped to undefined' },
      html('<p><a href="https://example.com/u/undefined">Open</a></p>'),
      html('<p><a href="https://example.com/?id=NaN&amp;a=b">Open</a></p>'),
      html('<p><a href="https://example.com/?id=%5Bobject%20Object%5D">Open</a></p>'),
      html('<img src="https://example.com/undefined.png" alt="Ana">'),
      html('<img src="https://example.com/a.png" alt="undefined pic">'),
      { text: 'Open https://example.com/users/null/edit' },
      ...['Hi NULL,', 'Hi None,', 'Hi nan,', 'Hi NaN,', 'Dear #REF!,', 'Hi ,', 'Total: nan €'].map(
        (text) => ({ text: `${text}\n\nyour order is on its way.` }),
      ),
      ...['Total: Infinity €', 'It is [object Promise].', 'See [Function: name]', 'Total: €'].map(
        (text) => ({ text }),
      ),
      { subject: 'translation missing: en.hello' },
      html('<p>Liquid error: internal</p>'),
      html('<p>Hi <b></b>,</p>'),
    ],
    [
      {
        text: 'Undefined behaviour is undefined, null and NaN are values. A function returns undefined.',
      },
      { text: 'Hello Null,\n\nnull Euro, null Prozent, $null, NaN is no number.' },
      html(
        '<p>Hello <code>undefined</code>,</p><pre>undefined</pre><script>x = undefined</script>',
      ),
      html('<style>a { b: undefined }</style><p class="undefined">Hi null pointers</p>'),
      { text: '{\n  "error": null\n}' },
      { text: 'Undefined behaviour: if your value is undefined\nIt returns undefined.' },
      { text: 'https://example.com/undefined-behaviour?q=null-pointer&x=nano' },
      html('<pre>https://example.com/u/undefined</pre><img alt="Nantes, nullified" src="cid:a">'),
      { text: 'Hi Nan,\nNone of it: No, none. Infinity War, Infiniti, $1, Total: 5 €, Total: €5' },
      { text: 'NULL is a value. The error #REF! is one of Excel: hi, you. Bonjour !\nTotal in €:' },
      html('<p>Hi <b>Ana</b>, hi</p><td>Total: </td><td>€ 5</td><h1># Infinity</h1>'),
      html('<p style="font-family: a , b">Hello</p><p>Total: <b>€ 5</b></p>'),
      { text: 'Your function returns undefined\nThis is an invalid date.' },
    ],
  ],
  'computed-number': [
    [
      { text: 'It costs 29.150000000000002.' },
      { subject: 'Only 1.0999999999999999 now' },
      { text: 'Each pays 3.3333333333333335 or 1.6666666666666667 €.' },
      { text: 'Order 1e+21 is on its way.' },
      {
        ...html('<style>p { width: 33.30000000000001px }</style><p>29.150000000000002</p>'),
        text: undefined,
      },
    ],
    [
      { text: 'About 3.33 of it: https://a.example/?ll=3.3333333333333335,1e+21, 1e5, 2e+3' },
      { text: 'Pi is 3.141592653589793, and 0.0000001 % of 1.50' },
      { ...html('<style>p { width: 33.30000000000001px }</style><p>Hi</p>'), text: undefined },
    ],
  ],
  'link-value': [
    [
      {
        values: { email: 'ana+news@example.org' },
        html: '<a href="https://a.example/u?email=ana+news@example.org">x</a>',
      },
      {
        values: { name: 'Tom & Co' },
        html: '<a href="https://a.example/u?a=1&name=Tom &amp; Co">x</a>',
      },
      { values: { name: '50%' }, html: undefined, text: 'https://a.example/?name=50%' },
    ],
    [
      {
        values: { email: 'ana+news@example.org', id: 'a-1', sum: '1 + 1' },
        html: '<a href="https://a.example/u?email=ana%2Bnews%40example.org&id=a-1">1 + 1=1 + 1</a>',
      },
    ],
  ],
  'foreign-markdown': [
    [
      { writtenBody: 'A note[^1]' },
      { writtenBody: '> [!NOTE]\n> Remember' },
      { writtenBody: 'a\n%% ask Ben %%' },
      { writtenBody: 'This is ==important==.' },
      { writtenBody: ':::tip\nHi\n:::' },
      { writtenBody: 'Hooray :tada:' },
      { writtenBody: '• one\n• two' },
      { writtenBody: '-\u00a0one' },
      { writtenBody: 'See the [price list](https://a.example/price list.pdf).' },
      { writtenBody: '[write](mailto:a@a.example?subject=My order)' },
      { writtenBody: '[shop] (https://a.example/)' },
      { writtenBody: '![Logo](https://a.example/a.png "Logo" =100x20)' },
      { writtenBody: '![Logo](https://a.example/a.png){width=100}' },
      { writtenBody: '**Achtung:**bitte' },
      { writtenBody: '<table>\n  <tr>\n\n    <td>cell</td>\n' },
      { writtenBody: '| Item | Price |\n|---|---|\n| Tea | 5 | sold out |' },
      { writtenBody: 'Item | Price\n--- | ---\n`a|b` | 6' },
    ],
    [
      { writtenBody: '[a](https://a.example "A title"), **a:** b, (**a**), **a**,**b**, a · b' },
      { writtenBody: '- one\n- two\n\n      more of it\n\n[a] (see below) {b}' },
      {
        writtenBody:
          '| a | b |\n|---|:-:|\n| x \\| y | 5 |\n| {{ a | upcase }} | {% if b | c %}d{% endif %} |\n| only |\n\na | b | c',
      },
      { writtenBody: '`[^1]` at 10:30:45, 50%% off, 20%% more, a == b == c' },
      { writtenBody: '> [!](a)\n\nhttps://a.example/:b:/c %%NAME' },
      { writtenBody: '~~~\n%% remark %%\n~~~' },
      { writtenBody: '```\n| a | b |\n|---|---|\n| 1 | 2 | 3 |\n```' },
    ],
  ],
  'front-matter': [
    [html('---\nname: a\n---\n<p>x</p>'), html('+++\ntitle = "a"\n+++\nx')],
    [html('---\n<p>a</p>\n---'), html('<p>name: a</p>')],
  ],
  'html-nesting': [
    [html('<b>'.repeat(510)), html('<ul><li>'.repeat(260))],
    [html('<p>a<hr>'.repeat(600)), html(`<table>${'<tr><td>a<th>b'.repeat(600)}</table>`)],
  ],
  'preview-length': [[{ previewText: 'x'.repeat(141) }], [{ previewText: 'é'.repeat(140) }]],
  'preview-missing': [[{ kind: 'campaign' }], [{ kind: 'email' }, campaign]],
  'style-source': [
    [
      html('<link rel="stylesheet" href="style.css">'),
      html('<link href="file:///a.css" rel="StyleSheet">'),
    ],
    [
      html('<link href="https://fonts.googleapis.com/css?family=Inter" rel="stylesheet">'),
      html('<link rel="icon" href="a.png"><link rel="stylesheet">'),
      html('<base href="https://a.example/"><link rel="stylesheet" href="style.css">'),
    ],
  ],
  'subject-length': [[{ subject: 'x'.repeat(79) }], [{ subject: '😀'.repeat(78) }]],
  'subject-missing': [
    [{ subject: undefined }, { subject: ' ' }, { subject: '\u3164' }, { subject: '\u2800' }],
    [
      { subject: undefined, hasTemplate: true },
      { subject: undefined, isPart: true },
    ],
  ],
  'text-missing': [[{ text: undefined }], [{ text: undefined, isPart: true }, campaign]],
  'unknown-tag': [
    [
      html('<p>Dear <Name>, hello</p>'),
      html('<p>Your code is <code here>.</p>'),
      html('<p>Write to Ana <ana@example.org> or <ops AT example DOT com></p>'),
      html('<td>See <http://a.example/></td>'),
      html('<p>Hi <first-name></p>'),
    ],
    [
      html('<p>Dear &lt;Name&gt;, <o:p></o:p> <BR> a < b and c > d</p>'),
      html('<p><first-name>Ana</first-name>, <input checked> <hr noshade></p>'),
      html('<p>Hi <a href="">Ana</a><img alt="" src=""><b class="">Ben</b></p>'),
      html('<!-- <Name> --><style>a > <b></style><svg><path d="M0"></svg><p>Hi'),
      html('<amp-img src="https://a.example/a.png" alt=""><div data-x>Hi</div>'),
    ],
  ],
  'unsubscribe-header': [
    [{ kind: 'campaign', headers: {} }],
    [campaign, { kind: 'campaign' }, { headers: {} }],
  ],
  'unsubscribe-link': [
    [
      { ...campaign, html: 'Hi' },
      { ...campaign, html: '<a href="https://a.example">Unsubscribe</a>' },
      // Services insist on their own.
      { ...campaign, html: '<a href="https://a.example/unsubscribe?x">x</a>' },
      ...[
        '<!-- {{usesend_unsubscribe_url}} -->',
        '<style>/* {{usesend_unsubscribe_url}} */</style>',
        '<img src="{{usesend_unsubscribe_url}}">',
        '<a href="{{usesend_unsubscribe_url}}"> &nbsp; </a>',
        '<a style="display: none" href="{{usesend_unsubscribe_url}}">x</a>',
      ].map((hidden) => ({ ...campaign, html: `<p>News</p>${hidden}` })),
    ],
    [
      { ...campaign, html: '<a href="{{ unsend_unsubscribe_url }}">x</a>' },
      { ...campaign, html: '<a href="{{usesend_unsubscribe_url}}"><b><img src="x.png"></b></a>' },
      { ...campaign, html: '<p>Unsubscribe: {{usesend_unsubscribe_url}}</p>' },
      html('Hi'),
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (code, [bad, good]) => {
  test.each(bad.map((parts) => [JSON.stringify(parts).slice(0, 80), parts] as const))(
    'is found in %s',
    (_, parts) => {
      expect(codesOf(parts)).toContain(code);
    },
  );

  test.each(good.map((parts) => [JSON.stringify(parts).slice(0, 80), parts] as const))(
    'is not found in %s',
    (_, parts) => {
      expect(codesOf(parts)).not.toContain(code);
    },
  );
});

test('every code has a case', () => {
  // Of a file that cannot be read, there is no email.
  const known = Object.keys(codes).filter((code) => code !== 'file-invalid');
  expect(Object.keys(cases).sort()).toEqual(known.sort());
});

describe('what mail programs do not support', () => {
  const style = (css: string) => html(`<style>${css}</style>`);
  test.each([
    [html('<p style="display: FLEX">'), 'css-display-flex'],
    [style('p { display : inline-flex !important }'), 'css-display-flex'],
    [style('@media screen { p { gap: 3px } }'), 'css-gap'],
    [
      style('@media (prefers-color-scheme: dark) { p { color: red } }'),
      'css-at-media-prefers-color-scheme',
    ],
    [style('@font-face { font-family: x; src: url(x) }'), 'css-at-font-face'],
    [style('@import "x";'), 'css-at-import'],
    [style('a:hover, b { color: red }'), 'css-pseudo-class-hover'],
    [style('a::before { content: "{" }'), 'css-pseudo-element-before'],
    [style('a > b { color: red }'), 'css-selector-child'],
    [style('a { b { color: red } }'), 'css-nesting'],
    [style('a { width: calc(1px + 2vw) }'), 'css-unit-calc'],
    [style('a { width: 2vw }'), 'css-unit-vw'],
    [style('a { --x: 1; color: var(--x) }'), 'css-variables'],
    [style('a { background: linear-gradient(red, blue) }'), 'css-linear-gradient'],
    [html('<video src="https://a.example/a.mp4"></video>'), 'html-video'],
    [html('<input type=checkbox>'), 'html-input-checkbox'],
    [html('<img alt src="https://a.example/a.svg?x=1">'), 'image-svg'],
    [html('<svg></svg>'), 'html-svg'],
    [html('<img alt srcset="a 2x" src="https://a.example/a.png">'), 'html-srcset'],
  ])('%j: %s', (parts, slug) => {
    expect(found(parts).map(({ code }) => code)).toContain(`support/${slug}`);
  });

  test.each([
    style('a:hover { color: red }'),
    style('@media (hover) { a { color: red } }'),
    html('<a style="cursor: pointer" target="_blank" href="https://a.example">x</a>'),
  ])('%j only adds something: no warning', (parts) => {
    const severities = found(parts).flatMap(({ code, severity }) =>
      code.startsWith('support/') ? [severity] : [],
    );
    expect(new Set(severities)).toEqual(new Set(['info']));
  });

  test.each([
    [html('<p title="display:flex">gap: 3px</p>')],
    [style('/* display: flex */ p { color: red }')],
    [style('p::after { content: "display:flex; gap: 1px" }')],
    [html('<!-- <style>p { display: flex }</style> -->')],
    [html('<p style="display:block">')],
  ])('%j: nothing about flex and gap', (parts) => {
    const slugs = found(parts).map(({ code }) => code);
    expect(slugs).not.toContain('support/css-display-flex');
    expect(slugs).not.toContain('support/css-gap');
  });

  test.each([
    style('p { color: {{ colour }}; gap: 3px }'),
    style('/* .a { b { color: red } } */ p { gap: 3px }'),
  ])('%j: gap, and nothing about nesting', (parts) => {
    const slugs = found(parts).map(({ code }) => code);
    expect(slugs).toContain('support/css-gap');
    expect(slugs).not.toContain('support/css-nesting');
  });

  test('has the share of people, the programs and the page', () => {
    const [finding] = found(html('<p style="display:flex">')).filter(
      ({ code }) => code === 'support/css-display-flex',
    );
    expect(finding).toMatchObject({
      severity: 'info',
      share: 7,
      message:
        'display:flex: 7% of people have a mail program that does not support it (Outlook 7%).',
      url: 'https://www.caniemail.com/features/css-display-flex/',
    });
  });

  test('is a warning from 20 percent on', () => {
    const severities = found(style('p { display: grid; gap: 3px; transform: scale(2) }')).map(
      ({ severity }) => severity,
    );
    expect(severities).toContain('warning');
  });

  test('dark mode is an addition: never a warning', () => {
    const css = '<style>@media (prefers-color-scheme: dark) { p { color: white } }</style>';
    const code = 'support/css-at-media-prefers-color-scheme';
    expect(found(html(css))).toContainEqual(expect.objectContaining({ code, severity: 'info' }));
  });

  test('the data is plausible: shares up to 100, a page for each feature', () => {
    const features = [...supportByKey().values()];
    expect(features.length).toBeGreaterThan(250);
    for (const { unsupported, partly, slug } of features) {
      expect(unsupported + partly).toBeLessThanOrEqual(100);
      expect(slug).toMatch(/^(css|html|image)-[\w-]+$/);
    }
  });
});

describe('places', () => {
  const image = '<img src="https://a.example/a.png">';
  test.each([
    [image, 1, 1],
    [`\n\n${image}`, 3, 1],
    [`a\r\n\r\nb${image}`, 3, 2],
    [`a\rb${image}`, 2, 2],
    [`\t\t${image}`, 1, 3],
    [`é日😀${image}`, 1, 4],
    [`&amp;&eacute;${image}`, 1, 14],
    [`<style>a{}\n</style>${image}`, 2, 9],
    [`<!-- \n -->${image}`, 2, 5],
  ])('%j: line %i, column %i', (text, line, column) => {
    const [finding] = found(html(text)).filter(({ code }) => code === 'image-alt');
    expect(finding).toMatchObject({ where: 'html', line, column });
  });

  test('in a style sheet and in an attribute', () => {
    const css = '<style>\r\n  a {\r\n\tdisplay: flex }</style>\n<p style="color:red; gap:1px">';
    const places = found(html(css)).map(({ code, line, column }) => `${code} ${line}:${column}`);
    expect(places).toContain('support/css-display-flex 3:2');
    expect(places).toContain('support/css-gap 4:22');
  });

  test('with references in an attribute: that of the attribute', () => {
    const [finding] = found(html('<p style="font-family:&quot;A&quot;;gap:1px">')).filter(
      ({ code }) => code === 'support/css-gap',
    );
    expect(finding).toMatchObject({ line: 1, column: 4 });
  });

  test('equal findings are one, with the first place and a count', () => {
    const all = found(html(`<p>\n${image}${image}\n${image}`));
    expect(all.filter(({ code }) => code === 'image-alt')).toEqual([
      expect.objectContaining({ line: 2, column: 1, count: 3 }),
    ]);
  });

  test('a placeholder in both parts is one finding, of the HTML', () => {
    const both = found({ html: '{{ a }}', text: '{{ a }} {{ b }}' });
    const places = both.filter(({ code }) => code === 'placeholder');
    expect(places.map(({ where, message }) => [where, message])).toEqual([
      ['html', '"{{ a }}" is sent literally.'],
      ['text', '"{{ b }}" is sent literally.'],
    ]);
  });

  test.each([
    ...[
      '*|0|*',
      '%customer.name%',
      '[[name]]',
      '&lt;&lt;First Name&gt;&gt;',
      '[First Name]',
      '[UNSUBSCRIBE]',
      '{first_name}',
      '[[First Name]]',
      `\${name}`,
    ],
    ...['[% name %]', '###FIRSTNAME###', '##name##', '::subscriber.first_name::', '{name}}'],
    ...['{FNAME|there}', '{first_name|you}', '{# greeting #}'],
    ...['{$total}', '<%= name %>', '&lt;%= name %&gt;', '«Name»', '«First_Name»', '«firstName»'],
  ])('%s of another service is a warning', (tag) => {
    const placeholders = found(html(`<p>Hi ${tag}, hello</p>`)).filter(
      ({ code }) => code === 'foreign-tag',
    );
    expect(placeholders).toEqual([
      expect.objectContaining({ severity: 'warning', line: 1, column: 7, count: 1 }),
    ]);
    expect(placeholders[0]?.message).toContain(tag);
  });

  test.each([
    ...['https://a.example/r?t={token}', 'https://a.example/r?u=[USER]', 'mailto:{to}'],
    ...['https://a.example/%7Btoken%7D', 'https://a.example/?u=%5BUSER%5D&amp;b=2'],
  ])('in the URL of a link, signs that nobody writes there are a warning: %s', (url) => {
    const all = found(html(`<p>See <a href="${url}">your page</a></p>`));
    expect(all.filter(({ code }) => code === 'foreign-tag')).toEqual([
      expect.objectContaining({ severity: 'warning', where: 'html' }),
    ]);
  });

  test.each([
    'Hi NULL,',
    'Hi None,',
    'Hi nan,',
    'Hi ,',
    'Total: nan €',
    'Total: €',
    '[Function: f]',
  ])('%s, which people may write, is a warning', (text) => {
    const all = found({ text: `${text}\n\nSee you.` });
    expect(all.filter(({ code }) => code === 'computed-text')).toEqual([
      expect.objectContaining({ severity: 'warning' }),
    ]);
  });

  test('values of people with such signs are a warning', () => {
    const all = found({ html: '<p>{{ a }}, %%name%%</p>', isData: () => true });
    expect(all.filter(({ code }) => /^(?:placeholder|foreign-tag)$/.test(code))).toEqual([
      expect.objectContaining({ code: 'placeholder', severity: 'warning' }),
      expect.objectContaining({ code: 'foreign-tag', severity: 'warning' }),
    ]);
  });

  test.each([
    ...['*|FNAME|*', '*|LIST:COMPANY|*', '*%7CUNSUB%7C*', '%recipient.name%', '%%first_name%%'],
    ...['%%=v(@name)=%%', '%FIRSTNAME%', '<%asm_group_unsubscribe_raw_url%>', '[Sender_City]'],
    ...['[%first_name | there%]', '[[data:name:"you"]]', '[[UNSUB_LINK_EN]]', '[[first_name]]'],
    ...['[[FIRSTNAME OR "Friend"]]', '[firstname,fallback=friend]', '{!firstname_fix}'],
    ...['{!Contact.FirstName}', '[subscriber:firstname | default:reader]'],
    ...['[link:subscription_unsubscribe_url]', '{contactfield=firstname|you}', '{unsubscribe_url}'],
    ...[
      '[MERGE_FIRST_NAME]',
      '[UNSUBSCRIBEURL]',
      '{$unsubscribe}',
      '$[FNAME|Friend]$',
      '[FIRSTNAME]',
    ],
  ])('%s of another service is an error', (tag) => {
    const [placeholder, ...more] = found(html(`<p>Hi ${tag}, hello</p>`)).filter(
      ({ code }) => code === 'foreign-tag',
    );
    expect(more).toEqual([]);
    expect(placeholder).toMatchObject({ severity: 'error', line: 1, column: 7 });
    expect(placeholder?.message).toContain(tag.replaceAll('"', '\\"'));
  });

  test.each([
    ...['50% off, 20% of it', '100%', '%20', '* | FNAME | *', '[1] [a] [Name](https://x.org)'],
    ...[
      '{a}',
      '{user.name}',
      '[link: x]',
      '{ $5 }',
      '$5 {a}',
      'a << b >> c',
      '«Bonjour»',
      '5 < 6 % 7',
      '[unsubscribe]: https://x.org',
    ],
    ...['## Heading ##', '##Heading', '### NEWS ###', '#1', '{start|stop}', 'std::string::npos'],
    ...['[MERGE_CONFLICT]', '{a}}', '<a href="https://a.example/?f[ID]=3">x</a>'],
    ...['<a href="https://a.example/?f%5BID%5D=3#{a">x</a>', 'GET https://a.example/{id}'],
    ...['[FIRSTNAME](https://x.org)', '<code>*|FNAME|*</code>', '<!-- %%name%% -->'],
  ])('%s is no placeholder of another service', (text) => {
    const all = found(html(`<p>Hi ${text}, hello</p>`));
    expect(all.filter(({ code }) => code === 'foreign-tag')).toEqual([]);
  });

  test('findings are in the order of parts and places', () => {
    const all = found({ html: `<a href="x">\n${image}`, subject: ' ', text: '{{ x }}' });
    expect(all.map(({ where, code, line }) => [where, code, line])).toEqual([
      ['subject', 'subject-missing', undefined],
      ['html', 'dark-mode', undefined],
      ['html', 'link-syntax', 1],
      ['html', 'image-alt', 2],
      ['text', 'placeholder', 1],
    ]);
  });
});

test('an entity of the HTML is not said again of the text part that is made from it', () => {
  const both = { html: '<p>Tom &amp;amp; Jerry</p>', text: 'Tom &amp; Jerry' };
  expect(codesOf(both).filter((code) => code === 'html-entity')).toHaveLength(1);
});

test.each(Object.entries(hostileHtml))(
  'hostile HTML is checked to its end, and never executed: %s',
  (_, make) => {
    const html = make(40_000);
    const email = { ...flawless, kind: 'campaign', html, text: html, writtenBody: html } as const;
    expect(checkEmail(email)).toBeInstanceOf(Array);
  },
);

test('the place of a word is told behind any number of tags', () => {
  const html = '<p><b></b><i></i>Hi <b></b>undefined,</p>';
  const all = findingsIn({ ...flawless, html });
  const places = all.flatMap(({ code, at }) => (code === 'computed-text' ? [at] : []));
  expect(places).toEqual([html.indexOf('undefined')]);
});

test('any number of elements may stay open', () => {
  const html = '<div>'.repeat(200_000);
  expect(found({ html }).map(({ code }) => code)).toContain('html-size');
});

test('a word that may be meant in the subject does not hide the one that is not in the text', () => {
  const parts = { subject: 'News for undefined', html: '<p>Hi undefined,</p>' };
  const severities = found(parts).flatMap(({ code, where, severity }) =>
    code === 'computed-text' ? [[where, severity]] : [],
  );
  expect(severities).toEqual([
    ['subject', 'warning'],
    ['html', 'error'],
  ]);
});
