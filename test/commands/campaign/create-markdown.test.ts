import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { summary } from './draft.ts';

const line =
  'campaign create --allow-duplicate --allow-blank --name News --book cmkf0y3b4000008l4f2gh1q9z --markdown-file news.md';
const book = { body: { id: 'cmkf0y3b4000008l4f2gh1q9z', name: 'Readers', variables: ['id'] } };
const news = `---
subject: News for {{firstName}}
from: news@example.com
previewText: In short
---
Hello {{firstName}}, [your page](https://example.com/{{id}}).
`;

test('a campaign in Markdown: the service’s placeholders stay, and there is a link to unsubscribe', async () => {
  const { run, sent, file } = await connected(book, { body: summary('camp_1') });
  file('news.md', news);
  const { exitCode, stderr } = await run(line);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { html, ...others } = sent(1);
  expect(others).toEqual({
    name: 'News',
    contactBookId: 'cmkf0y3b4000008l4f2gh1q9z',
    subject: 'News for {{firstName}}',
    from: 'news@example.com',
    previewText: 'In short',
  });
  expect(html).toContain('Hello {{firstName}}, <a href="https://example.com/{{id}}"');
  expect(html).toContain('<title>News for {{firstName}}</title>');
  expect(html).toMatch(/<a href="\{\{usesend_unsubscribe_url\}\}"[^>]*>Unsubscribe<\/a>/);
});

test('the text’s own link to unsubscribe is the only one', async () => {
  const { run, sent, file } = await connected(book, { body: summary('camp_1') });
  file('news.md', `${news}\n[Abmelden]({{unsend_unsubscribe_url}})\n`);
  await run(line);
  expect(sent(1).html).toMatch(/<a href="\{\{unsend_unsubscribe_url\}\}"[^>]*>Abmelden<\/a>/);
  expect(sent(1).html).not.toContain('usesend_unsubscribe_url');
});

test('a layout of one’s own keeps the service’s placeholders', async () => {
  const { run, sent, file } = await connected(book, { body: summary('camp_1') });
  file('news.md', news);
  file('layout.html', '<a href="{{ usesend_unsubscribe_url }}">x</a>{{ content }}');
  await run([...line.split(' '), '--layout', 'layout.html']);
  expect(sent(1).html).toMatch(/^<a href="\{\{ usesend_unsubscribe_url \}\}">x<\/a><p>Hello/);
});

test('recipients in the front matter are an error', async () => {
  const { run, file, requests } = await connected();
  file('news.md', news.replace('---\n', '---\nto: ana@example.org\n'));
  const outcome = await run(`${line} --json`);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('news.md: to is for emails');
  expect(requests()).toEqual([]);
});

test('--inline-css puts CSS into style attributes', async () => {
  const { run, sent, file } = await connected({ body: summary('camp_1') });
  file('page.html', '<style>a { color: red }</style><a href="{{usesend_unsubscribe_url}}">x</a>');
  await run(
    `${line.replace('--markdown-file news.md', '--html-file page.html')} --inline-css --subject Hi --from a@b.example`,
  );
  expect(sent().html).toBe('<a href="{{usesend_unsubscribe_url}}" style="color: red;">x</a>');
});
