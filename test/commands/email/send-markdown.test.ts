import { expect, test } from 'vitest';
import { textOfHtml } from '../../../src/lib/mail/content/text-of-html.ts';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const news = `---
subject: News & more
from: Ana <ana@example.com>
to: ben@example.org, cem@example.org
previewText: Three <things>
---

# Hello

Read [the docs](https://example.com/docs?a=1&b=2), **now**.

| Item           | Price |
| -------------- | ----- |
| Bread & butter | 12    |

![A loaf](https://example.com/loaf.png)
`;

const accepted = { body: { emailId: 'email_1' } };

test('an email in Markdown: front matter, HTML in a layout, and a text part', async () => {
  const { run, sent, file } = await connected(accepted);
  file('news.md', news);
  const { exitCode, stderr } = await run('email send --markdown-file news.md');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { html, text, ...others } = sent();
  expect(others).toEqual({
    from: 'Ana <ana@example.com>',
    to: ['ben@example.org', 'cem@example.org'],
    subject: 'News & more',
  });
  expect(text).toBe(
    [
      'Hello',
      '',
      'Read the docs (https://example.com/docs?a=1&b=2), now.',
      '',
      'Item             Price',
      'Bread & butter   12',
      '',
      'A loaf',
    ].join('\n'),
  );
  expect(html).toContain('<title>News &amp; more</title>');
  expect(html).toContain('Three &lt;things&gt;</div>');
  expect(html).toMatch(/<h1 style="[^"]*font-size: 26px/);
  expect(html).toMatch(
    /<a href="https:\/\/example\.com\/docs\?a=1&amp;b=2" style="color: #0b57d0;">/,
  );
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme: dark)');
  expect(html).not.toMatch(/zq(mailer|place)/);
});

test('a flag wins over --file, that over the front matter, that over a setting', async () => {
  const { run, sent, file, world } = await connected(accepted);
  await world.run('config set from setting@example.com');
  file('news.md', news);
  file('request.json', { from: 'file@example.com', subject: 'Of the file' });
  await run('email send --markdown-file news.md --file request.json --subject Flag');
  expect(sent()).toMatchObject({
    from: 'file@example.com',
    subject: 'Flag',
    to: ['ben@example.org', 'cem@example.org'],
  });
  expect(sent().html).toContain('<title>Flag</title>');
});

test('a layout of one’s own gets text, subject, preview text and language; its CSS is inlined', async () => {
  const { run, sent, file } = await connected(accepted);
  file('news.md', news.replace('---\n', '---\nlang: de\n'));
  file(
    'layout.html',
    '<html lang="{{lang}}"><head><style>h1 { color: red }</style></head><body><i>{{ preview }}</i>{{ content }}<p>{{ subject }} {{ other }}</p></body></html>',
  );
  await run('email send --markdown-file news.md --layout layout.html --literal');
  const { html, text } = sent();
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('<i>Three &lt;things&gt;</i><h1 style="color: red;">Hello</h1>');
  expect(html).toContain('<p>News &amp; more {{ other }}</p>');
  expect(text).toMatch(/News & more \{\{ other \}\}$/);
});

test('HTML in Markdown stays', async () => {
  const { run, sent, file } = await connected(accepted);
  file('a.md', 'One <b class="x">two</b>\n');
  await run('email send --to a@b.example --from c@d.example --subject Hi --markdown-file a.md');
  expect(sent().html).toContain('One <b class="x">two</b>');
});

const line = 'email send --to a@b.example --from c@d.example --subject Hi';
const page =
  '<!doctype html><html><head><style>p { color: red } a:hover { color: blue }</style></head><body><div style="display:none">hidden</div><p>Hi &amp; <a href="https://x.example">bye</a></p></body></html>';

test('HTML without text gets a text part, which --no-text leaves out', async () => {
  const { run, sent, file } = await connected(accepted, accepted, accepted, accepted);
  file('page.html', page);
  await run(`${line} --html-file page.html`);
  expect(sent()).toMatchObject({ html: page, text: 'Hi & bye (https://x.example)' });
  await run(`${line} --html-file page.html --no-text`);
  expect(sent(1)).toMatchObject({ html: page });
  expect(sent(1)).not.toHaveProperty('text');
  await run(`${line} --html-file page.html --text Mine`);
  expect(sent(2)).toMatchObject({ html: page, text: 'Mine' });
  await run([...line.split(' '), '--html', '<img src="https://example.com/x.png">']);
  expect(sent(3)).not.toHaveProperty('text');
});

test('a stored template and a request in --file stay as they are', async () => {
  const { run, sent, file } = await connected({ status: 404 }, accepted, accepted);
  await run([...line.split(' '), '--html', '<p>x</p>', '--template', 'cmkf0y3b4000008l4f2gh1q9z']);
  expect(sent(1)).not.toHaveProperty('text');
  file('request.json', { html: '<p>x</p>' });
  await run(`${line} --file request.json`);
  expect(sent(2)).not.toHaveProperty('text');
});

test('--inline-css puts CSS into style attributes', async () => {
  const { run, sent, file } = await connected(accepted);
  file('page.html', page);
  await run(`${line} --html-file page.html --inline-css`);
  expect(sent().html).toContain(
    '<p style="color: red;">Hi &amp; <a href="https://x.example">bye</a></p>',
  );
  expect(sent().html).toMatch(/a:hover \{\s*color: blue;/);
});

/** CSS that no `style` attribute can hold, as `--inline-css` leaves it. */
const lasting = [
  '@import url(https://fonts.example/tea.css);',
  '@page { margin: 1cm; }',
  '@font-face { font-family: Tea; src: url(https://fonts.example/tea.woff2); }',
  '@keyframes fade { from { opacity: 0; } }',
  '@supports (display: grid) { p { display: grid; } }',
  '@media (max-width: 600px) { p { width: 100%; } }',
  'p:focus-within { color: red; }',
  'p::before { content: "a"; }',
  '#on:checked ~ p { color: green; }',
  '[data-ogsc] p { color: white; }',
  'u + .body p { color: blue; }',
  '.elsewhere { color: pink; }',
];

test('--inline-css keeps what no attribute can hold, in order', async () => {
  const { run, sent, file } = await connected(accepted);
  const rules = `${lasting.join(' ')} p, p:hover { margin: 0; }`;
  const box = '<input id="on" type="checkbox" checked>';
  file('page.html', `<style>${rules}</style><body class="body">${box}<p>Hi</p></body>`);
  await run(`${line} --html-file page.html --inline-css`);
  const html = String(sent().html).replace(/\s+/g, ' ');
  expect(html).toContain('<p style="margin: 0;">');
  const places = [...lasting, 'p:hover { margin: 0 !important; }'].map((rule) =>
    html.indexOf(rule),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test.each([
  ['--html-file page.html --inline-css', '<p class="nav">Hello</p>'],
  ['--markdown-file hello.md --layout page.html', '{{ content }}'],
])('%s: a style sheet for some media stays one', async (flags, content) => {
  const { run, sent, file } = await connected(accepted);
  file('hello.md', 'Hello');
  const sheets = [
    '<style media="print">.nav,p{display:none}</style>',
    '<STYLE MEDIA="screen and (max-width: 600px)">p{width:100%}</STYLE>',
  ];
  file(
    'page.html',
    `<html><head>${sheets.join('')}<style media=all>p{margin:0}</style></head><body>${content}</body></html>`,
  );
  await run(`${line} ${flags}`);
  const { html, text } = sent();
  expect(text).toBe('Hello');
  expect(html).toContain('style="margin: 0;"');
  expect(html).toContain('<style media="print">.nav,p{display:none}</style>');
  expect(html).toContain('<style media="screen and (max-width: 600px)">p{width:100%}</style>');
});

test('a rule is no front matter, nor are two lines of --- further down', async () => {
  const { run, sent, file } = await connected(accepted);
  file('rule.md', '-----\nFirst\n\n---\nsubject: Second\n---\nThird\n');
  await run(
    'email send --markdown-file rule.md --subject Hi --from ana@example.com --to ben@example.org',
  );
  expect(sent()).toMatchObject({
    subject: 'Hi',
    text: expect.stringMatching(/First.*Second.*Third/s),
  });
});

test('--preview shows what is made, without a request', async () => {
  const world = createWorld();
  fileIn(world, 'news.md', news);
  const { exitCode, stdout } = await world.run(
    'email send --markdown-file news.md --preview --json',
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ subject: 'News & more' });
  expect(JSON.parse(stdout).text).toContain('Hello');
});

test.each([
  ['a.md', 'a', '--html x', '--html and --markdown-file cannot be used together'],
  ['a.md', '---\nsubjet: x\n---\na', '', 'a.md: unknown field "subjet"; there are to, from'],
  ['a.md', '---\nA text\n---\na', '', 'a.md: there are no fields between the lines of ---'],
  ['a.md', '---\nto: {{ a }}\n---\na', '', 'a.md: '],
  ['a.md', '---\nsubject: x\n---\n', '', '--markdown-file: a.md has no text'],
  ['a.md', 'a', '--layout a.md', '--layout: a.md has no {{ content }}'],
  ['a.md', '---\nto: nobody\n---\na', '', 'a.md: to: "nobody" is not an email address'],
])('%s with %j and %j: a usage error', async (name, content, flags, message) => {
  const world = createWorld({ MAILER_API_KEY: 'us_k_1', MAILER_BASE_URL: 'http://127.0.0.1:1' });
  fileIn(world, name, content);
  const outcome = await world.run(`email send --markdown-file ${name} ${flags} --json`.split(/ +/));
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain(message);
});

test.each([
  ['--layout a.html', '--layout needs --markdown-file'],
  ['--inline-css', '--inline-css needs --html or --html-file'],
])('%s alone: a usage error', async (flags, message) => {
  const outcome = await createWorld().run(`${line} ${flags} --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toBe(message);
});

test.each([
  '```jsx\n<A style={{ color: "#61dafb" }} />\n```',
  "`{{ a | default: 'x' }}` and `{% if a > 1 && b < 2 %}`",
])('code with placeholders is sent as it is written: %s', async (code) => {
  const { run, sent, file } = await connected(accepted);
  file('a.md', `# Hello\n\n${code}\n`);
  const words = '--to a@example.org --from b@example.com --subject Hi --markdown-file a.md';
  expect(await run(`email send ${words} --quiet`)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(sent().text).toContain(code.replaceAll('`', '').replace('jsx\n', '').trim());
});

test('email check checks what is made of Markdown', async () => {
  const world = createWorld();
  fileIn(world, 'news.md', news);
  const good = await world.run('email check news.md --json');
  expect(good.exitCode).toBe(0);
  const { findings } = JSON.parse(good.stdout);
  // Nothing about the plain layout, which is not the writer's.
  expect(findings).toEqual([]);
  fileIn(world, 'bad.md', `${news}\n<script>alert(1)</script>\n`);
  const bad = await world.run('email check bad.md --json');
  expect(bad.stdout).toContain('script');
});

const elements = 'elements are nested too deeply, in more than 500 others';
const blocks = 'lists and quotes are nested too deeply, in more than 100 others';
const deep = '<div>'.repeat(20_000);

test.each([
  [
    '--html-file',
    `<p>Hi</p>\n${deep}`,
    `Many programs cannot show this HTML:\n  deep, line 2: ${elements}`,
  ],
  ['--inline-css --html-file', `<p>Hi</p>\n${deep}`, `--html-file, line 2: ${elements}`],
  [
    '--inline-css --html-file',
    `<p>Hi</p>\n<style>${'{'.repeat(10_000)}</style>`,
    '--html-file, line 2: more than 1,000 {{ have no }}',
  ],
  ['--markdown-file', `Hi\n\n${deep}`, `--markdown-file: ${elements}`],
  ['--markdown-file', `Hi\n\n${'> '.repeat(101)}text`, `--markdown-file, line 3: ${blocks}`],
  ['--markdown-file', `Hi\n\n${'- '.repeat(5000)}text`, `--markdown-file, line 3: ${blocks}`],
  [
    '--markdown-file',
    `---\nlang: en\n---\n\nHi\n\n${'*a_'.repeat(20_000)}`,
    '--markdown-file, line 7: a paragraph has more than 5,000 of * and _',
  ],
  [
    '--markdown-file',
    `Hi\n\n- a\n${'  b\n'.repeat(20_000)}`,
    '--markdown-file, line 3: a paragraph of a list has more than 2,000 lines',
  ],
  [
    '--markdown-file',
    `Hi\n\n${'a.'.repeat(20_000)}@`,
    '--markdown-file, line 3: a word has more than 10,000 characters',
  ],
])(
  '%s with more than can be converted is an error, and nothing is sent',
  async (flags, body, message) => {
    const { run, service, file } = await connected(accepted);
    file('deep', body);
    const line = 'email send --to a@example.org --from b@example.com --subject Hi --json';
    const outcome = await run([...line.split(' '), ...flags.split(' '), 'deep']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({ code: 'usage', message });
    expect(service.requests).toEqual([]);
  },
);

test('what is within the limits is converted', async () => {
  const world = createWorld();
  const html = `${'<div>'.repeat(490)}${'<p>One'.repeat(2000)}${'<li>Two'.repeat(2000)}`;
  fileIn(world, 'a.html', html);
  fileIn(
    world,
    'a.md',
    `${'> '.repeat(100)}Hi\n\n${'*a* '.repeat(2500)}\n\n${'- a\n  b\n'.repeat(3000)}`,
  );
  for (const flags of ['--html-file a.html', '--markdown-file a.md']) {
    const outcome = await world.run(`${line} ${flags} --preview --json`);
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  }
});

test('the text part of HTML keeps blanks in a row, however many', () => {
  const blanks = '\u00a0'.repeat(10_000);
  expect(textOfHtml(`<p>a${blanks}b</p>`)).toBe(`a${blanks}b`);
});

const styles = (rules: number) => `<style>${'p { color: red }'.repeat(rules)}</style>`;

const nested = 'div:has(div:has(div:has(div:has(b))))';

test.each([
  ['lists', 'a.md', '--markdown-file', Array.from({ length: 90 }, indented).join('').repeat(50)],
  ['rules', 'a.html', '--inline-css --html-file', `${styles(50_000)}${'<p>x'.repeat(50_000)}`],
  [
    'selectors of ancestors',
    'a.html',
    '--inline-css --html-file',
    `<style>${nested} { color: red }</style>${'<div>'.repeat(150)}`,
  ],
])(
  'an email whose %s would take too long to convert is an error',
  async (...[, name, flags, content]) => {
    const world = createWorld();
    fileIn(world, name, content);
    const words = `${line} ${flags} ${name} --preview --json`;
    const outcome = await world.run(words, { conversionTime: 10 });
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      code: 'usage',
      message: 'The body takes more than 0.01 seconds to convert',
    });
  },
);

function indented(_: unknown, level: number): string {
  return `${'  '.repeat(level)}- a\n`;
}

const classes = `<style>${Array.from({ length: 400 }, (_, n) => `.a${n} { color: red }`).join('')}</style>`;

const font = `@font-face { src: url(data:font/woff2;base64,${'a+b/'.repeat(5000)}) }`;

test.each([
  [
    'code with many _',
    'a.md',
    '--markdown-file',
    `~~~\n${'MY_ENV_VAR=some_value\n'.repeat(900)}~~~`,
  ],
  ['many marks', 'a.md', '--markdown-file', '- **a** *b*\n'.repeat(900)],
  [
    'a font',
    'a.html',
    '--inline-css --html-file',
    `<style>${font}</style>${'<p>x</p>'.repeat(444)}`,
  ],
  [
    'CSS of a framework',
    'a.html',
    '--inline-css --html-file',
    `${classes}${'<p class="a1 a2">x'.repeat(300)}`,
  ],
])('an email with %s is converted', async (...[, name, flags, content]) => {
  const world = createWorld();
  fileIn(world, name, content);
  const outcome = await world.run(`${line} ${flags} ${name} --preview --json`);
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
});

test('words in angle brackets are said with their line, and stop what has nothing else', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', 'Hi\n\nDear <Name>,\n\nwrite to <ops AT example DOT com>.\n');
  const flags = '--markdown-file a.md --sandbox';
  const said = await world.run(`${line} ${flags} --dry-run`);
  expect(said.exitCode).toBe(0);
  expect(said.stderr).toContain(
    'Warning: Readers do not see words in angle brackets, which are no HTML:\n  a.md, line 3: <name>\n  a.md, line 5: <ops at example dot com>\n',
  );
  fileIn(world, 'a.md', 'Hi\n\n**<Name>**,\n');
  const stopped = await world.run(`${line} ${flags}`);
  expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(stopped.stderr).toContain('a.md, line 3: <name>');
});

test.each([
  ['he', true],
  ['fa-IR', true],
  ['ks-Arab', true],
  ['yi', true],
  ['ar-Latn', false],
  ['arn', false],
  ['en', false],
])('a text in the language %s has its direction, in any layout', async (lang, isMirrored) => {
  const world = createWorld();
  fileIn(world, 'a.md', `---\nlang: ${lang}\n---\n# A\n\n> B\n`);
  fileIn(world, 'own.html', '<html lang="{{ lang }}"><body>{{ content }}</body></html>');
  fileIn(world, 'p.csv', 'to\nana@example.org\n');
  const from = '--from c@d.example --subject Hi --markdown-file a.md --preview 1 --json';
  const ways = [`${line} --markdown-file a.md --preview --json`, `email batch p.csv ${from}`];
  for (const words of ways.flatMap((way) => [way, `${way} --layout own.html`])) {
    const { stdout, stderr } = await world.run(words);
    const [{ html }] = [JSON.parse(stdout || '[{}]')].flat();
    const directions = String(html).match(/<(?:html|div)[^>]* dir="rtl"/g) ?? [];
    expect(directions, stderr + html).toHaveLength(isMirrored ? 2 : 0);
  }
  const { html } = JSON.parse((await world.run(ways[0] ?? '')).stdout);
  expect(String(html).includes('border-right: 3px')).toBe(isMirrored);
});

test('a field whose name is a field in itself is an error, however often', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', `---\n${'? '.repeat(100)}\n---\nHi\n`);
  const outcome = await world.run(`${line} --markdown-file a.md --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toMatch(/^a\.md: the name of a field must be a word/);
});

test('front matter has a limit, beyond which hostile YAML takes long', async () => {
  const world = createWorld();
  fileIn(world, 'a.md', `---\n${'&a '.repeat(10_000)}\n---\nHi\n`);
  const outcome = await world.run(`${line} --markdown-file a.md --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toBe(
    'a.md: there are more than 10,000 characters between the lines of ---',
  );
});
