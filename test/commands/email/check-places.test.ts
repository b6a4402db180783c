import { describe, expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { withPackages } from '../../support/packages.ts';
import { createWorld } from '../../support/run.ts';

interface Found {
  readonly code: string;
  readonly where: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly severity: string;
}

/** The findings about the first of these files; those about its own formatting are left out. */
async function check(
  files: Readonly<Record<string, string>>,
  flags = '',
): Promise<readonly Found[]> {
  const world = createWorld();
  withPackages(world);
  for (const [name, content] of Object.entries(files)) fileIn(world, name, content);
  const [name] = Object.keys(files);
  const { stdout, stderr } = await world.run(`email check ${name} --json ${flags}`.trim());
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout).findings;
}

function places(found: readonly Found[]): readonly string[] {
  return found.map(({ code, file, line, column }) =>
    [code, file ?? [], line ?? [], column ?? []].flat().join(':'),
  );
}

const markdown = `---
previewText: News
subject: A subject that is so long that most programs show only a part of it, which is a pity
---

# Hello {{ name }}

A [link](http://a.example/x) and a {{
 placeholder }} over two lines,
then <img src="https://a.example/a.png"> in a paragraph.

- [x] one
- [two](https://intranet/)

> A [quote](htps://a.example).

| a                 | b |
| ----------------- | - |
| [c](ftp:/)        | d |
| [e](mailto:nobody) | f |

<div style="gap:1px">
  <p style="color:#999;background:#fff">pale</p>
</div>

![a](img/a.png)
`;

describe('Markdown', () => {
  test('findings name its lines', async () => {
    const found = await check({ 'news.md': markdown });
    expect(places(found.filter(({ severity }) => severity !== 'info'))).toEqual([
      'subject-length:3:1',
      'placeholder:6:9',
      'link-http:8:10',
      'placeholder:8',
      'image-alt:10:16',
      'link-private:13:9',
      'link-syntax:15:13',
      'link-syntax:19:7',
      'link-syntax:20:7',
      'contrast:23:41',
      'image-source:26:6',
    ]);
  });

  test('with line ends of Windows, too', async () => {
    const found = await check({ 'news.md': markdown.replaceAll('\n', '\r\n') });
    expect(places(found)).toContain('image-source:26:6');
  });

  test('of its layout, they name the file and the line of the layout', async () => {
    const layout = `<!doctype html>
<meta name="color-scheme" content="light">
<style>
.a { gap: 1px }
p { display: grid }
</style>
<div class="a"><img src="logo.png" alt="">
{{ content }}
</div>
<p><a href="#">x</a></p>
`;
    const found = await check(
      { 'news.md': 'Hi [x](http://a.example)\n', 'l.html': layout },
      '--layout l.html',
    );
    const all = places(found);
    expect(all).toEqual(
      expect.arrayContaining([
        'image-source:l.html:7:21',
        'link-empty:l.html:10:7',
        'link-http:1:8',
      ]),
    );
    expect(all).toContain('support/css-display-grid:l.html:5:5');
  });

  test('as the body of flags, they name the file', async () => {
    const world = createWorld();
    fileIn(world, 'news.md', 'Hi [x](http://a.example)\n');
    const words = 'email check --markdown-file news.md --subject Hi --no-color';
    const { stdout } = await world.run(words, { terminal: 80 });
    expect(stdout).toMatch(/^news\.md:1:8: warning: .*\[link-http\]/m);
  });

  test('with values for placeholders, they name the lines of the template', async () => {
    const source = 'Hi {{ name }}\n\n{% if name %}\n\n[x](http://a.example)\n\n{% endif %}\n';
    const found = await check({ 'news.md': source }, '--subject Hi --var name=Ana');
    expect(places(found)).toEqual(['link-http:5:5']);
  });

  test('the plain layout has no findings, whatever the text has', async () => {
    const all = [
      ...['# a', '###### b', '> c', '1. d', '- [ ] e', '---', '    f', '`g` **h** _i_ ~~j~~'],
      ...['| k |\n| - |\n| l |', '[m](https://a.example/) ![n](https://a.example/n.png)'],
      '<p>o</p>\n<img alt="" src="https://a.example/p.png">',
    ];
    const found = await check({ 'news.md': all.join('\n\n') }, '--subject Hi');
    expect(places(found)).toEqual([]);
    const ofCampaign = await check(
      { 'news.md': 'Hi' },
      '--subject Hi --preview-text News --campaign',
    );
    expect(places(ofCampaign)).toEqual([]);
  });
});

describe('MJML', () => {
  const mjml = `<mjml>
  <mj-head>
    <mj-preview>{{ x }}</mj-preview>
    <mj-style>.x { gap: 1px }</mj-style>
  </mj-head>
  <mj-body>
    <mj-section css-class="big">
      <mj-column>
        <mj-image src="img/a.png" alt="a" />
        <mj-text>
          Hello {{ name }},
          <a href="http://a.example">x</a>
          <img src="https://a.example/b.png">
        </mj-text>
        <mj-button
          href="https://intranet/x">Go</mj-button>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

  test('findings name its lines; what MJML adds has none', async () => {
    const found = await check({ 'news.mjml': mjml });
    expect(places(found.filter(({ code }) => !code.startsWith('support/')))).toEqual([
      'dark-mode',
      'placeholder:3:17',
      'image-source:9:19',
      'placeholder:11:17',
      'link-http:12:14',
      'image-alt:13:11',
      'link-private:16:11',
    ]);
    expect(places(found)).toContain('support/css-gap:4:20');
    expect(places(found)).toContain('support/css-at-import');
  });
});

describe('HTML', () => {
  test('with --inline-css, findings name the lines as written', async () => {
    const html = '<style>\np { gap: 1px }\n</style>\n\n<p class="a">\n<a href="">x</a>\n';
    const found = await check({ 'a.html': html }, '--inline-css --ignore dark-mode');
    expect(places(found)).toContain('link-empty:6:4');
  });

  test('a template with front matter is one that the service stores', async () => {
    const html = `---
name: Order
subject: "Order {{number}}"
---
<p>Hi {{name, fallback=you}}</p>
<p>{% if vip %}</p>
<img src="a.png" alt="">
`;
    const found = await check({ 'order.html': html }, '--ignore dark-mode');
    expect(places(found)).toEqual(['placeholder:6:4', 'image-source:7:6']);
  });
});

test.each(['a:hover { color: red }', 'a { cursor: pointer }'])('%s is information', async (css) => {
  const found = await check({
    'a.html': `<style>${css}</style><a target="_blank" href="https://a.example/">x</a>`,
  });
  expect(found.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(found.length).toBeGreaterThan(2);
});
