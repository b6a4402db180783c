import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOfHtml } from '../../../../src/lib/mail/content/text-of-html.ts';
import { errorOf, fileIn } from '../../../support/connected.ts';
import { createWorld, type World } from '../../../support/run.ts';

interface Email {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text?: string;
}

/** The rendered emails, from the preview of the batch. */
async function preview(world: World, rows: readonly object[], flags: string): Promise<Email[]> {
  fileIn(world, 'rows.json', rows);
  const outcome = await world.run(
    `email batch rows.json --from a@example.com ${flags} --preview 1000 --json`,
  );
  expect(outcome).toMatchObject({ exitCode: 0 });
  return JSON.parse(outcome.stdout);
}

const news = `---
to: "{{ mail }}"
subject: Hi {{ name }}
previewText: For {{ name }}
---
# Hello {{ name }}

{% for item in items %}
- **{{ item }}**
{% endfor %}

[Open](https://example.com/?n={{ name | url_encode }})
{% if note %}{{ note | raw }}{% endif %}
`;

const capturing =
  '{% capture who %}*{{ name }}*{% endcapture %}{{ who }}, {{ who | upcase }}, {{ who | raw }}, {% if who == "*Ana*" %}yes{% endif %}';

test.each([
  ['news.md', '--markdown-file news.md', '*Ana*, *ANA*, Ana, yes'],
  ['news.html', '--html-file news.html', '*Ana*, *ANA*, *Ana*, yes'],
])('%s: a text that is captured has the values of the row', async (name, flags, expected) => {
  const world = createWorld();
  fileIn(world, name, capturing);
  const rows = [{ to: 'ana@example.org', variables: { name: 'Ana' } }];
  const [ana] = await preview(world, rows, `--subject Hi ${flags}`);
  expect(ana?.text).toBe(expected);
  expect(ana?.html).not.toMatch(/zqmailer/i);
});

test('values that are escaped or captured are not escaped again, and are in the text as typed', async () => {
  const world = createWorld();
  const body = [
    '{{ name | escape }}',
    '{% capture c %}Dear {{ name }}{% endcapture %}{{ c }}',
    '{{ c | upcase }}',
    '{% capture d %} <i>{{ name }}</i> {% endcapture %}[{{ d }}]',
  ];
  fileIn(world, 'a.md', body.join('\n\n'));
  const rows = [{ to: 'ana@example.org', variables: { name: 'AT&T *x* &amp;' } }];
  const [ana] = await preview(world, rows, '--markdown-file a.md --subject Hi');
  const shown = 'AT&amp;T *x* &amp;amp;';
  expect(ana?.html).toContain(`>${shown}</p>`);
  expect(ana?.html).toContain(`>Dear ${shown}</p>`);
  expect(ana?.html).toContain(`>DEAR ${shown.toUpperCase()}</p>`);
  expect(ana?.html).toContain(`>[ <i>${shown}</i> ]</p>`);
  const typed = 'AT&T *x* &amp;';
  expect(ana?.text).toBe(`${typed}\n\nDear ${typed}\n\nDEAR AT&T *X* &AMP;\n\n[ ${typed} ]`);
});

test('Markdown is a template, rendered for each row before it becomes HTML', async () => {
  const world = createWorld();
  fileIn(world, 'news.md', news);
  const [ana, ben] = await preview(
    world,
    [
      { variables: { mail: 'ana@example.org', name: 'Ana', items: ['a', 'b'] } },
      { variables: { mail: 'ben@example.org', name: 'Ben & Co', items: [], note: '*raw*' } },
    ],
    '--markdown-file news.md',
  );
  expect(ana).toMatchObject({ to: 'ana@example.org', subject: 'Hi Ana' });
  expect(ana?.text).toBe('Hello Ana\n\n- a\n\n- b\n\nOpen (https://example.com/?n=Ana)');
  expect(ana?.html).toContain('<title>Hi Ana</title>');
  expect(ana?.html).toContain('For Ana</div>');
  expect(ben).toMatchObject({ to: 'ben@example.org', subject: 'Hi Ben & Co' });
  expect(ben?.html).toContain('>Hello Ben &amp; Co</h1>');
  expect(ben?.html).toContain('?n=Ben+%26+Co"');
  expect(ben?.html).toContain('<em>raw</em>');
  expect(ben?.text).toMatch(/^Hello Ben & Co\n/);
});

test('a value of a row is never Markdown or HTML: it appears as it was typed', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', 'Dear **{{ name }}**,\n\n{{ name }}\n');
  const nasty = fc.oneof(
    fc.constantFrom(
      ...[
        '[click](http://evil.example)',
        '<b>x</b>',
        '# x',
        '- x',
        '**',
        '`a`',
        '&amp;',
        '{{ x }}',
      ],
      ...['<script>alert(1)</script>', 'http://evil.example', '![i](http://evil.example/i.png)'],
      ...['zqmailer0q', 'zqplacecontentq', '---', '| a | b |', '\\', '](', '"onload="'],
    ),
    fc
      .string({ minLength: 1, unit: fc.constantFrom(...'[]()<>*_`#-!|&\\"\' a{}%~:/.1') })
      // Blanks alone are no value.
      .filter((one) => one.trim() !== ''),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(nasty, { minLength: 1, maxLength: 20 }), async (names) => {
      const emails = await preview(
        world,
        names.map((name, at) => ({ to: `p${at}@example.org`, variables: { name } })),
        '--markdown-file a.md --subject Hi --literal',
      );
      for (const [at, { html, text }] of emails.entries()) {
        const name = names[at] ?? '';
        const shown = escaped(name);
        expect(html).toMatch(/<p style="[^"]*">Dear <strong>/);
        expect(html).toContain(`<strong>${shown}</strong>,</p>`);
        expect(html).toContain(`">${shown}</p>`);
        expect(text).toBe(`Dear ${name},\n\n${name}`);
      }
    }),
    { numRuns: 30 },
  );
});

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
    ...{ '"': '&#34;', "'": '&#39;' },
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}

test('a layout may use columns', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', 'Hi\n');
  fileIn(world, 'layout.html', '<body>{{ content }}<p>{{ company }}: {{ subject }}</p></body>');
  const [email] = await preview(
    world,
    [{ to: 'a@b.example', variables: { company: 'A & B' } }],
    '--markdown-file a.md --layout layout.html --subject Hi',
  );
  expect(email?.html).toContain('<p>A &amp; B: Hi</p>');
});

test('HTML gets a text part, from the HTML of each row; --no-text omits it', async () => {
  const world = createWorld();
  fileIn(world, 'a.html', '<style>p { color: red }</style><p>Hi {{ name }}</p>');
  const rows = ['Ana', '<b>', 'Ben & "Co"'].map((name, at) => ({
    to: `p${at}@example.org`,
    variables: { name },
  }));
  const flags = '--html-file a.html --subject Hi';
  const emails = await preview(world, rows, flags);
  for (const { html, text } of emails) expect(text).toBe(textOfHtml(html));
  expect(emails.map(({ text }) => text)).toEqual(['Hi Ana', 'Hi <b>', 'Hi Ben & "Co"']);
  const without = await preview(world, rows, `${flags} --no-text`);
  expect(without.map(({ html }) => html)).toEqual(emails.map(({ html }) => html));
  expect(without.some((email) => 'text' in email)).toBe(false);
  const [inlined] = await preview(world, rows, `${flags} --inline-css`);
  expect(inlined?.html).toBe('<p style="color: red;">Hi Ana</p>');
});

test('a row with a text or HTML of its own keeps it', async () => {
  const world = createWorld();
  fileIn(world, 'a.html', '<p>Hi</p>');
  const [text, html] = await preview(
    world,
    [
      { to: 'a@b.example', text: 'Mine' },
      { to: 'c@d.example', html: '<i>Mine</i>' },
    ],
    '--html-file a.html --subject Hi',
  );
  expect(text).toMatchObject({ html: '<p>Hi</p>', text: 'Mine' });
  expect(html).toMatchObject({ html: '<i>Mine</i>' });
  expect(html).not.toHaveProperty('text');
});

test('a missing value is an error of the row that names the file’s flag', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', 'Hi {{ nmae }}\n');
  fileIn(world, 'rows.json', [{ to: 'a@b.example', variables: { name: 'x' } }]);
  const outcome = await world.run(
    'email batch rows.json --from a@example.com --subject Hi --markdown-file a.md --preview 1 --json',
  );
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('--markdown-file: no value for nmae');
});
