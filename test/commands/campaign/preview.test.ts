import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';
import { create, createWords } from './draft.ts';

test('--preview shows the campaign as it would be created, and creates nothing', async () => {
  const world = createWorld();
  const outcome = await world.run(createWords('Spring news', '--preview', '--json'));
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  expect(JSON.parse(outcome.stdout)).toEqual({
    ...{ name: 'Spring news', from: 'news@example.com', subject: 'News' },
    ...{ contactBookId: 'book_customers', html: '<p>Hello {{usesend_unsubscribe_url}}</p>' },
  });
  const { stdout } = await world.run('campaign list --sandbox --search Spring --quiet');
  expect(stdout).toBe('');
});

test('on a terminal, --preview has text with links; in a pipe, the HTML', async () => {
  const world = createWorld();
  writeFileSync(join(world.home, 'news.md'), '# News\n\nRead [more](https://example.com/a).\n');
  const words = createWords('Spring news', '--preview').filter((_, index, all) => {
    return all[index] !== '--html' && all[index - 1] !== '--html';
  });
  const all = [...words, '--markdown-file', 'news.md'];
  const { stdout } = await world.run(all, { terminal: 100 });
  expect(stdout).toContain('Read more (https://example.com/a).');
  expect(stdout).toContain('Unsubscribe ({{usesend_unsubscribe_url}})');
  expect(stdout).not.toMatch(/<\w/);
  expect((await world.run(all)).stdout).toContain('<h1 style=');
});

test('--preview --open and get --open show the HTML in the browser', async () => {
  const world = createWorld();
  const pageOf = () => readFileSync(join(world.home, 'page.html'), 'utf8');
  const { stderr } = await world.run(createWords('Spring news', '--preview', '--open'));
  expect(stderr).toContain('Opened ');
  expect(pageOf()).toContain('Hello {{usesend_unsubscribe_url}}');
  const id = await create(world, 'Other', '--html', '<p>Two {{usesend_unsubscribe_url}}</p>');
  expect(await world.run(`campaign get ${id} --open --sandbox`)).toMatchObject({ exitCode: 0 });
  expect(pageOf()).toContain('Two {{usesend_unsubscribe_url}}');
});

test('--open without --preview is a usage error', async () => {
  const { exitCode, stderr } = await createWorld().run(createWords('Spring news', '--open'));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--open needs --preview');
});

test('HTML without an unsubscribe link is an error before any request', async () => {
  const world = createWorld();
  const words = createWords('Spring news', '--html', '<p>Hello</p>');
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'A campaign needs an unsubscribe link:\n  --html: the HTML has no {{usesend_unsubscribe_url}}',
  );
  // The service decides.
  expect(await world.run([...words, '--literal'])).toMatchObject({ exitCode: 1 });
});
