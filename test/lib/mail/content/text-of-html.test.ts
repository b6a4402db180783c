import { describe, expect, test } from 'vitest';
import { textOfHtml } from '../../../../src/lib/mail/content/text-of-html.ts';
import { fileIn } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

test.each([
  [
    'what is after the body',
    '<html><head><title>T</title></head><body><p>Hi</p></body></html>\n<p>Unsubscribe: <a href="https://example.com/u">here</a></p>',
    'Hi\n\nUnsubscribe: here (https://example.com/u)',
  ],
  [
    'what is before the body, in a head that is closed or not',
    '<head><title>T</title><style>p{}</style><template>a</template><p>Intro</p><body>Hi',
    'Intro\n\nHi',
  ],
  [
    'a link in one piece, as browsers open it',
    '<a href=" https://example.com/a b?a=1\n&amp;b=2 ">x</a>',
    'x (https://example.com/a%20b?a=1&b=2)',
  ],
  [
    'links relative to the base',
    '<base href="https://example.com/a/"><a href="b?x=1">x</a> <a href="mailto:a@example.com">y</a> <a href="#top">z</a>',
    'x (https://example.com/a/b?x=1) y (a@example.com) z',
  ],
  [
    'a link that a value begins',
    '<base href="https://example.com/"><a href="zqmailer1q">x</a>',
    'x (zqmailer1q)',
  ],
  [
    'a link that a template writes',
    '<a href="{{ url | default: 1 }}">x</a>',
    'x ({{ url | default: 1 }})',
  ],
  ['a body in the middle', 'Hello<body>Ana</body>Bye', 'Hello\nAna\nBye'],
  [
    'a head with settings of Outlook',
    '<html><head><noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></noscript></head><body>Hi</body></html>',
    'Hi',
  ],
  ['the name of a drawing', '<p><svg><title>Logo</title></svg> Shop</p>', 'Logo Shop'],
  [
    'rows and cells',
    '<table><tr><td>Assam</td><td>2</td><td>6.50</td></tr><tr><td>Sencha</td><td>10</td><td>8.20</td></tr></table>',
    'Assam 2 6.50\nSencha 10 8.20',
  ],
  [
    'cells with a head',
    '<table><thead><tr><th>Tea</th><th>Price</th></tr></thead><tbody><tr><td>Assam<td>6.50</tbody></table>',
    'Tea Price\nAssam 6.50',
  ],
  [
    'links in cells',
    '<table role="presentation"><tr><td><a href="https://example.com/">Home</a></td><td><a href="https://example.com/shop">Shop</a></td></tr></table>',
    'Home (https://example.com/) Shop (https://example.com/shop)',
  ],
  ['columns of paragraphs', '<table><tr><td><p>A</p></td><td><p>B</p></td></tr></table>', 'A\n\nB'],
  [
    'a table in a cell',
    '<table><tr><td><table><tr><td>A</td></tr><tr><td>B</td><td>C</td></tr></table></td></tr></table>',
    'A\nB C',
  ],
  [
    'a list of definitions',
    '<dl><dt>Total</dt><dd>14.70</dd><dt>Paid</dt><dd>Yes</dd></dl><p>Bye',
    'Total\n  14.70\nPaid\n  Yes\n\nBye',
  ],
  [
    'links side by side',
    '<a href="https://a.example/">Yes</a><a href="https://b.example/">No</a>',
    'Yes (https://a.example/) No (https://b.example/)',
  ],
  [
    'buttons',
    '<button>Yes</button><button>No</button><input type="submit" value="Send">',
    'Yes No Send',
  ],
  ['images side by side', '<img alt="A" src=a><img alt="B" src=b>', 'A B'],
  [
    'lines of other elements',
    '<center>A</center>B<address>C</address><figure>D<figcaption>E</figcaption></figure>',
    'A\nB\nC\nD\nE',
  ],
  [
    'boxes to tick',
    '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> todo</li></ul>',
    '- [x] done\n- [ ] todo',
  ],
  [
    'struck text',
    '<p>Now <del>19.99</del> <s>15</s> <strike>12</strike> <span style="text-decoration: line-through">10</span> 9.99',
    'Now ~~19.99~~ ~~15~~ ~~12~~ ~~10~~ 9.99',
  ],
  ['quotations', '<p>He said <q>hi</q>.', 'He said “hi”.'],
])('%s stay apart and readable', (_, html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

describe('what is hidden is left out', () => {
  test.each([
    ...[
      'display:none',
      'DISPLAY:NONE',
      'display : none',
      'display:none!important',
      'color:red; display:/**/none;',
    ],
    ...[
      'visibility:hidden',
      'Visibility: Hidden',
      'visibility:collapse',
      'opacity:0',
      'opacity: 0.0',
    ],
    ...[
      'max-height:0',
      'max-height: 0px; overflow: hidden',
      'height:0',
      'height:0;overflow:hidden',
      'width:0;overflow:hidden',
    ],
    ...['font-size:0', 'font-size: 0px', 'mso-hide:all', 'mso-hide: all'],
  ])('by the style %s', (style) => {
    const html = (name: string) =>
      `<p>A</p><${name} style="${style}">hidden <b>text</b></${name}><p>B</p>`;
    for (const name of ['div', 'span']) expect(textOfHtml(html(name))).toBe('A\n\nB');
  });

  test.each([
    ['a class', '<style>.pre { display: none }</style><p class="x pre">hidden</p>'],
    ['an id', '<style>#pre{visibility:hidden}</style><p id=pre>hidden</p>'],
    ['an element', '<style>h6{display:none}</style><h6>hidden</h6>'],
    [
      'a class of an ancestor',
      '<style>.head .pre,.y{max-height:0}</style><div class=head><p><b class=pre>hidden</b></div>',
    ],
    ['a sheet for screens', '<style media="screen">.pre{display:none}</style><p class=pre>hidden'],
    ['a sheet that comes later', '<p class=pre>hidden</p><style>.pre{display:none}</style>'],
    [
      'an important rule',
      '<style>.pre{display:none !important}</style><p class=pre style="display:block">hidden</p>',
    ],
    ['its attribute', '<div hidden>hidden</div>'],
    ['its attribute, with a value', '<div hidden="hidden">hidden</div>'],
    ['an image without size', '<img width="0" height=0 alt="hidden">'],
    ['an element that ends by itself', '<div><p style="display:none">hidden</div>'],
    [
      'one in another',
      '<div style="display:none">hidden<p style="display:none">hidden</p>hidden</div>',
    ],
    ['one that never ends', '<div style="display:none">hidden'],
  ])('by %s', (_, html) => {
    expect(textOfHtml(`<p>A</p>${html}`)).toBe('A');
  });
});

test.each([
  ['print', '<style media="print">.a{display:none}</style><p class=a>A'],
  ['small screens', '<style media="(max-width:600px)">.a{display:none}</style><p class=a>A'],
  ['a media query', '<style>@media (max-width:600px){.a{display:none}.b{x:y}}</style><p class=a>A'],
  ['a later rule', '<style>.a{display:none}p.a{display:block}</style><p class=a>A'],
  ['the attribute', '<style>.a{display:none}</style><p class=a style="display:block">A'],
  ['pointing', '<style>.a:hover{display:none}</style><p class=a>A'],
  ['another class', '<style>.aa{display:none}.b .a{display:none}</style><p class="a">A'],
  ['a comment', '<style>/* .a{display:none} */</style><p class="a">A'],
  [
    'text in MJML',
    '<table><tr><td style="font-size:0px"><div style="font-size:13px">A</div></td></tr></table>',
  ],
  ['a narrow table', '<table style="width:0"><tr style="height:0"><td>A</td></tr></table>'],
  ['a line height', '<p style="line-height:0;min-height:0;padding:0">A</p>'],
  ['half of it', '<p style="opacity:0.5;max-height:0.5em;font-size:08px">A</p>'],
])('with a style for %s, text is kept', (_, html) => {
  expect(textOfHtml(html)).toBe('A');
});

test.each([
  ['<p>Only 19<sup>99</sup> €', 'Only 19⁹⁹ €'],
  ['<p>19<span style="font-size:9px;vertical-align: super">99</span>', '19⁹⁹'],
  ['<p>19<sup><b>99*</b></sup>', '19⁹⁹*'],
  ['<p>10<sup>-3</sup> m<sup>2</sup>', '10⁻³ m²'],
  ['<p>H<sub>2</sub>O, 101<sub>2</sub>', 'H₂O, 101₂'],
  ['<p>19<sup>.99</sup>, the 3<sup>rd</sup>', '19.99, the 3rd'],
  ['<p>Tea<sup><a href="https://a.example/1">1</a></sup>', 'Tea¹ (https://a.example/1)'],
])('digits stay apart from those that are raised or lowered: %s', (html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

test('so do values of rows', async () => {
  const world = createWorld();
  fileIn(world, 'p.csv', 'to,euro,cents\nana@example.org,19,99\n');
  const html = '<p>Only {{ euro }}<sup>{{ cents }}</sup> €</p>';
  const words = 'email batch p.csv --from a@example.com --subject Hi --sandbox --preview 1 --json';
  const { stdout } = await world.run([...words.split(' '), '--html', html]);
  expect(JSON.parse(stdout)[0].text).toBe('Only 19^99 €');
});

const items = (...values: readonly string[]) => values.map((one) => `<li${one}>x</li>`).join('');

test.each([
  [`<ol start="5">${items('', ' value="9"', '')}</ol>`, ['5', '9', '10']],
  [`<ol reversed>${items('', '', '')}</ol>`, ['3', '2', '1']],
  [`<ol reversed start="10">${items('', ' value=4', '')}</ol>`, ['10', '4', '3']],
  [`<ol start="0">${items('', ' value="-7"')}</ol>`, ['0', '-7']],
  [`<ol start="many">${items('', ' value=""')}</ol>`, ['1', '2']],
  [`<ol type="a" start="26">${items('', '', ' value="0"')}</ol>`, ['z', 'aa', '0']],
  [`<ol type="I" start="1999">${items('', ' value=999999999')}</ol>`, ['MCMXCIX', '999999999']],
  ['<ol><!-- x --><li>x<ol start=3><li>x</ol></ol>', ['1', '3']],
])('lists have the numbers that are shown: %s', (html, numbers) => {
  const written = textOfHtml(html).matchAll(/(\S+)\. /g);
  expect([...written].map(([, number]) => number)).toEqual(numbers);
});

test('Markdown keeps the state of tasks, and marks struck text', async () => {
  const world = createWorld();
  const front = '---\nsubject: s\nfrom: a@example.com\n---\n';
  fileIn(world, 't.md', `${front}- [x] done\n- [ ] todo\n\nNow ~~19.99~~ 9.99\n`);
  const words = 'email send --sandbox --dry-run --json --to ana@example.org --markdown-file t.md';
  const { stdout } = await world.run(words);
  expect(JSON.parse(stdout).body.text).toBe('- [x] done\n- [ ] todo\n\nNow ~~19.99~~ 9.99');
});

test('a style sheet may have any number of rules', () => {
  const rules = `${'a,'.repeat(200_000)}b { display: none }`;
  expect(textOfHtml(`<style>${rules}</style><p>A<b>B</b>`)).toBe('A');
});

test('any number of links and of hidden elements beside each other is read', () => {
  const text = textOfHtml('<b hidden>x</b><a>x</a>'.repeat(100_000));
  expect(text.replace(/\s/g, '')).toBe('x'.repeat(100_000));
});
