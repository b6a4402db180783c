import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace } from '../../support/process.ts';
import { enter, openTerminal } from '../../support/terminal.ts';

test('the templates to create are shown before the question; a no creates nothing', async () => {
  const place = createPlace();
  mkdirSync(join(place.home, 'templates'));
  const text = '---\nname: Receipt\nsubject: Order\n---\n<p>Hi</p>\n';
  // A name from a repository must do nothing to the terminal.
  writeFileSync(join(place.home, 'templates', 'a\u202eb\u001b[2J.html'), text);
  const line = 'mailer template push templates --sandbox';
  const first = openTerminal(place, line, { columns: 80 });
  await first.shows('Continue? (y/N)');
  expect(first.text()).toContain('new  a\\u{202e}b\\x1b[2J.html');
  first.type(`n${enter}`);
  expect(await first.end()).toBe(2);
  expect(first.text()).toContain('Error: Not confirmed. Nothing was created.');
  const second = openTerminal(place, line, { columns: 80 });
  await second.shows('Continue? (y/N)');
  second.type(`y${enter}`);
  expect(await second.end()).toBe(0);
  expect(second.text()).toContain('Created 1 template.');
  for (const row of second.text().split('\n')) expect(row.length).toBeLessThanOrEqual(80);
});
