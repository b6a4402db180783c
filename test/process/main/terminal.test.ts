import { expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { enter } from '../../support/keys.ts';
import { createPlace } from '../../support/process.ts';
import { openTerminal } from '../../support/terminal.ts';

test('a question is answered in a terminal, confirmed, and the email is sent', async () => {
  const place = createPlace();
  const line =
    'mailer email send --sandbox --to ana@example.org --from hello@example.com --text Hello';
  const terminal = openTerminal(place, line);
  await terminal.shows('? Subject');
  terminal.type(`Grüße${enter}`);
  await terminal.shows('? Send it? (y/N)');
  terminal.type(`y${enter}`);
  expect(await terminal.end()).toBe(0);
  const id = /^(\w+)\nAccepted\./m.exec(terminal.text())?.[1];
  const { stdout } = await runHere(place, `email get ${id} --sandbox --json`);
  expect(JSON.parse(stdout)).toMatchObject({ to: ['ana@example.org'], subject: 'Grüße' });
  // Not yellow, blue or cyan, which are unreadable on white or on black.
  expect(terminal.output().replaceAll('\x1b', 'ESC')).not.toMatch(/ESC\[[\d;]*\b[39][346]m/);
});
