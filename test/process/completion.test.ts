import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPlace } from '../support/process.ts';
import { interactiveShells, isInstalled, openShell, tab } from '../support/shells.ts';

const awkward = `a $(touch pwned) "b" 'c' \\ : é \`touch pwned\` !! * ~ {x,y} % #;&|<>`;

describe.each(interactiveShells)('in %s, TAB', (shell) => {
  const inShell = test.skipIf(!isInstalled(shell));

  inShell.each([
    ['a command', `mailer camp${tab}li${tab}`, ['campaign', 'list']],
    ['a flag', `mailer email list --lim${tab}5`, ['email', 'list', '--limit', '5']],
    [
      'a word after a flag',
      `mailer campaign list --status DR${tab}`,
      ['campaign', 'list', '--status', 'DRAFT'],
    ],
    [
      'a word after an equals sign',
      `mailer email get x --wait=DEL${tab}`,
      ['email', 'get', 'x', '--wait=DELIVERED'],
    ],
  ])('completes %s', async (_, keys, words) => {
    const session = await openShell(createPlace(), shell);
    expect(await session.words(keys)).toEqual(words);
  });

  inShell.each([
    ['', ''],
    ['"', ''],
    ["'", ''],
  ])('quotes a name after %s', async (quote) => {
    const place = createPlace();
    await place.run([
      'campaign',
      'create',
      '--sandbox',
      '--name',
      awkward,
      '--from',
      'hello@example.com',
      '--subject',
      'S',
      '--book',
      'book_customers',
      '--html',
      '<a href="{{usesend_unsubscribe_url}}">x</a>',
    ]);
    const session = await openShell(place, shell);
    const words = await session.words(`mailer campaign get --sandbox ${quote}a${tab}`);
    expect(words).toEqual(['campaign', 'get', '--sandbox', awkward]);
    expect(existsSync(join(place.home, 'pwned'))).toBe(false);
  });
});
