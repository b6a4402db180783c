import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPlace, type Place } from '../support/process.ts';
import { interactiveShells, isInstalled, openShell, tab } from '../support/shells.ts';

/** A name that a shell would make much of, if it came without quotes. */
const awkward = `a $(touch pwned) "b" 'c' \\ : é \`touch pwned\` !! * ~ {x,y} % #;&|<>`;

async function withCampaigns(...names: readonly string[]): Promise<Place> {
  const place = createPlace();
  const html = '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
  for (const name of names) {
    const words = ['--name', name, '--from', 'a@example.com', '--subject', 'S', '--html', html];
    const created = await place.run([
      ...['campaign', 'create', '--sandbox', '--book', 'book_customers'],
      ...words,
    ]);
    expect(created).toMatchObject({ exitCode: 0 });
  }
  return place;
}

describe.each(interactiveShells)('in %s, TAB', (shell) => {
  const inShell = test.skipIf(!isInstalled(shell));

  inShell.each([
    [`mailer camp${tab}li${tab}`, ['campaign', 'list']],
    [`mailer email list --lim${tab}5`, ['email', 'list', '--limit', '5']],
    [`mailer campaign list --status DR${tab}`, ['campaign', 'list', '--status', 'DRAFT']],
    [`mailer email get x --wait=DEL${tab}`, ['email', 'get', 'x', '--wait=DELIVERED']],
    [`mailer domain get --sandbox example.o${tab}`, ['domain', 'get', '--sandbox', 'example.org']],
    [`mailer domain get --sandbox "example.o${tab}`, ['domain', 'get', '--sandbox', 'example.org']],
  ])('completes %s', async (keys, words) => {
    const session = await openShell(createPlace(), shell);
    expect(await session.words(keys)).toEqual(words);
  });

  inShell('completes a URL, colons and all', async () => {
    const place = createPlace();
    mkdirSync(place.configDirectory);
    const profiles = { default: { baseUrl: 'https://mail.example.com:8443/api' } };
    writeFileSync(join(place.configDirectory, 'config.json'), JSON.stringify({ profiles }));
    const session = await openShell(place, shell);
    expect(
      await session.words(`mailer whoami --base-url https://mail.example.com:8${tab}`),
    ).toEqual([...['whoami', '--base-url', 'https://mail.example.com:8443/api']]);
  });

  inShell.each([
    [`mailer email batch my${tab}`, ['email', 'batch', 'my emails.json']],
    [`mailer email send --file my${tab}`, ['email', 'send', '--file', 'my emails.json']],
    [`mailer email send --attach=my${tab}`, ['email', 'send', '--attach=my emails.json']],
  ])('completes files as the shell does: %s', async (keys, words) => {
    const place = createPlace();
    writeFileSync(join(place.home, 'my emails.json'), '[]');
    const session = await openShell(place, shell);
    expect(await session.words(keys)).toEqual(words);
  });

  inShell('offers no files where none are meant', async () => {
    const place = createPlace();
    writeFileSync(join(place.home, 'zebra'), '');
    const session = await openShell(place, shell);
    expect(await session.words(`mailer domain get --sandbox zeb${tab}`)).toEqual([
      ...['domain', 'get', '--sandbox', 'zeb'],
    ]);
  });

  inShell.each([
    ['nothing', ''],
    ['a double quote', '"'],
    ['a single quote', "'"],
  ])('inserts a name after %s as text that does nothing', async (_, quote) => {
    const place = await withCampaigns(awkward);
    const session = await openShell(place, shell);
    const words = await session.words(`mailer campaign get --sandbox ${quote}a${tab}`);
    expect(words).toEqual(['campaign', 'get', '--sandbox', awkward]);
    expect(existsSync(join(place.home, 'pwned'))).toBe(false);
  });

  inShell.each([
    ['nothing', '', 'a'],
    ['a double quote', '"', 'a'],
    ['a single quote', "'", 'a'],
  ])('goes on where several names are alike, after %s', async (_, quote, typed) => {
    const place = await withCampaigns("a $1 'b' one", "a $1 'b' two!");
    const session = await openShell(place, shell);
    session.type(`mailer campaign get --sandbox ${quote}${typed}${tab}`);
    await session.shows(/one[\s\S]*two|b[^\n]*$/);
    const words = await session.words(`t${tab}`);
    expect(words).toEqual(['campaign', 'get', '--sandbox', "a $1 'b' two!"]);
  });
});
