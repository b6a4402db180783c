import { expect, test } from 'vitest';
import { atTerminal } from '../../../support/at-terminal.ts';
import { fileIn } from '../../../support/connected.ts';
import { enter } from '../../../support/keys.ts';
import { createWorld } from '../../../support/run.ts';

test('the question before a batch comes after its first email, as it leaves', async () => {
  const world = createWorld();
  fileIn(world, 'people.csv', 'to,name\nana@example.org,Ana & Co\nben@example.org,Ben\n');
  const html = '<h1>News</h1><p>Hi {{ name }}, <a href="https://example.com">read</a></p>';
  fileIn(world, 'news.html', html);
  const words = [
    ...'email batch people.csv --sandbox --from hello@example.com --no-text'.split(' '),
    ...['--subject', 'For {{ name }}', '--html-file', 'news.html'],
  ];
  const { exitCode, text } = await atTerminal(world.run, words, [
    ['? Send 2 emails in 1 request? (y/N)', enter],
  ]);
  expect(text).toContain(`
Email        the first one, of row 1
From         hello@example.com
To           ana@example.org
Subject      For Ana & Co
HTML         News

             Hi Ana & Co, read (https://example.com)
Size         `);
  expect(exitCode).toBe(2);
  expect(text).toContain('Error: Not confirmed. Nothing was sent.');
});
