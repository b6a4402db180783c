import { expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const line = 'email send --from ana@example.com --to ben@example.org --subject Hi';
const accepted = { body: { emailId: 'email_1' } };

test.each([
  ['<p>\n<img src="img/a.png">', 2, 'img/a.png'],
  ['<img src="https://localhost/a.png">', 1, 'https://localhost/a.png'],
  ['<img src="http://192.168.0.5/a.png">', 1, 'http://192.168.0.5/a.png'],
  ['<img src="https://intranet/a.png">', 1, 'https://intranet/a.png'],
  ['<img src="//cdn.example.com/a.png">', 1, '//cdn.example.com/a.png'],
  ['<img src="file:///home/ana/a.png">', 1, 'file:///home/ana/a.png'],
  ['<img src="C:\\img\\a.png">', 1, 'C:'],
  ['<img srcset="https://example.com/a.png 1x,\nb.png 2x">', 1, 'b.png'],
  ['<table\nbackground="img/bg.png">', 2, 'img/bg.png'],
  ['<td style="background:red url( \'img/bg.png\' ) no-repeat">', 1, 'img/bg.png'],
  ['x<style>\np { background-image: url(img/bg.png) }</style>', 2, 'img/bg.png'],
])('%s: an image that recipients cannot load is an error', async (html, at, url) => {
  const { run, service, sent, file } = await connected(accepted);
  file('page.html', html);
  const outcome = await run(`${line} --html-file page.html --json`);
  expect(outcome.exitCode).toBe(2);
  const { message, hint } = errorOf(outcome);
  expect(message).toContain(`Recipients cannot load this image:\n  page.html, line ${at}: "${url}`);
  expect(hint).toContain('write their https URLs.');
  expect(service.requests).toEqual([]);
  expect((await run(`${line} --html-file page.html --literal`)).exitCode).toBe(0);
  expect(sent().html).toBe(html);
});

test.each([
  '<img src="https://example.com/a.png" srcset="https://example.com/w_1,h_2/b.png 2x">',
  '<img src="data:image/gif;base64,R0lGOD">',
  '<svg><rect style="fill: url(#a)"></svg>',
  '<style>@font-face { src: url(a.woff) }</style><a href="#x">x</a>',
])('%s is sent', async (html) => {
  const { run, sent, file } = await connected(accepted);
  file('page.html', html);
  expect(await run(`${line} --html-file page.html`)).toMatchObject({ exitCode: 0 });
  expect(sent().html).toBe(html);
});

test('the error names the line of Markdown and of its layout', async () => {
  const { run, file } = await connected(accepted);
  file('news.md', '---\nsubject: Hi\n---\n\n![a](my%20img/a.png) ![b](<b c.png>)\n');
  file('layout.html', '<p>\n<img src="logo.png">{{ content }}');
  const outcome = await run(
    'email send --from a@example.com --to b@example.org --markdown-file news.md --layout layout.html --json',
  );
  const { message } = errorOf(outcome);
  expect(message).toMatch(/^ {2}news\.md, line 5: "my%20img\/a\.png"/m);
  expect(message).toMatch(/^ {2}news\.md, line 5: "b%20c\.png"/m);
  expect(message).toMatch(/^ {2}layout\.html, line 2: "logo\.png"/m);
});

test('an image whose URL begins with a placeholder is filled in', async () => {
  const world = createWorld();
  fileIn(world, 'news.md', '![a]({{base}}/a.png)\n');
  const outcome = await world.run(
    `${line} --markdown-file news.md --var base=https://example.com --dry-run --sandbox`,
  );
  expect(outcome).toMatchObject({ exitCode: 0 });
});

test.each([
  'campaign create --name March --book book_1 --from ana@example.com --subject Hi --html-file page.html',
  'email batch rows.csv --from ana@example.com --subject Hi --html-file page.html',
  'email batch own.json',
  'template create --name a --subject b --html-file page.html',
  'template push templates --dry-run',
])('%s: an error, too', async (words) => {
  const world = createWorld();
  const html = '<img src="img/a.png">';
  fileIn(world, 'page.html', html);
  fileIn(world, 'rows.csv', 'to\nben@example.org\n');
  fileIn(world, 'own.json', [{ to: 'b@example.org', from: 'a@example.com', subject: 'Hi', html }]);
  fileIn(world, 'templates/a.html', `---\nname: a\nsubject: b\n---\n${html}`);
  const outcome = await world.run(`${words} --sandbox --json`);
  expect(outcome.exitCode).toBe(2);
  const line = words.startsWith('template push') ? 5 : 1;
  expect(outcome.stderr + outcome.stdout).toContain(`line ${line}: \\"img/a.png\\"`);
});

test('an absolute base makes relative images complete', async () => {
  const { run, sent, file } = await connected(accepted);
  const html =
    '<base href="https://example.com/march/"><img src="a.png"><img src="//example.com/b.png">';
  file('page.html', html);
  expect(await run(`${line} --html-file page.html`)).toMatchObject({ exitCode: 0 });
  expect(sent().html).toBe(html);
});

test.each(['img/', 'https://localhost/', '//cdn.example.com/'])(
  'the base %s does not',
  async (base) => {
    const { run, file } = await connected(accepted);
    file('page.html', `<base href="${base}">\n<img src="a.png">`);
    const outcome = await run(`${line} --html-file page.html --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(
      `page.html, line 2: "a.png" is relative, and its base "${base}"`,
    );
  },
);

test('the base of a layout counts for the images of Markdown', async () => {
  const { run, file } = await connected(accepted);
  file('news.md', '![a](a.png)\n');
  file('layout.html', '<base href="https://example.com/">{{ content }}');
  expect(await run(`${line} --markdown-file news.md --layout layout.html`)).toMatchObject({
    exitCode: 0,
  });
});

test('an image that a value names is an error, for one email and in a batch', async () => {
  const world = createWorld();
  fileIn(world, 'page.html', '<img src="{{ photo }}">');
  fileIn(world, 'news.md', '![a]({{ photo }})');
  fileIn(
    world,
    'rows.csv',
    'to,photo\na@example.org,https://example.com/a.png\nb@example.org,b.png\n',
  );
  for (const body of [
    '--html-file page.html',
    '--html-file page.html --no-text',
    '--markdown-file news.md',
  ]) {
    const one = await world.run(`${line} ${body} --var photo=b.png --sandbox --dry-run --json`);
    expect(one.exitCode).toBe(2);
    expect(errorOf(one).message).toContain('"b.png" is not a complete URL');
    const batch = `email batch rows.csv --from a@example.com --subject Hi ${body} --sandbox --dry-run --json`;
    const rows = await world.run(batch);
    expect(rows.exitCode).toBe(2);
    expect(errorOf(rows).message).toMatch(/row 2: recipients cannot load .*"b\.png"/);
    expect((await world.run(`${batch} --literal`)).exitCode).toBe(0);
  }
});

test.each([
  'campaign create --name March --book book_1 --from ana@example.com --subject Hi',
  'template create --name a --subject b',
])('%s: an image in a document of the editor', async (words) => {
  const world = createWorld();
  const image = { type: 'doc', content: [{ type: 'image', attrs: { src: 'img/a.png' } }] };
  fileIn(world, 'doc.json', image);
  const outcome = await world.run([
    ...words.split(' '),
    ...['--content', JSON.stringify(image), '--sandbox', '--json'],
  ]);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('--content: "img/a.png" is not a complete URL');
});
