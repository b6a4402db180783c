import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { tab } from '../../support/keys.ts';
import { installed, needing, ofNode } from '../../support/needs.ts';
import { createPlace, finished, type Place } from '../../support/process.ts';
import { interactiveShells, openShell, shellEnvironment } from '../../support/shells.ts';

/** A name full of characters that are special to shells. */
const awkward = `a $(touch pwned) "b" 'c' \\ : é \`touch pwned\` !! * ~ {x,y} % #;&|<>`;

/** A user with these campaigns on the sandbox. */
async function withCampaigns(...names: readonly string[]): Promise<Place> {
  const place = createPlace();
  const html = '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
  for (const name of names) {
    const created = await runHere(place, [
      ...['campaign', 'create', '--sandbox', '--book', 'book_customers', '--name', name],
      ...['--from', 'a@example.com', '--subject', 'S', '--html', html],
    ]);
    expect(created).toMatchObject({ exitCode: 0 });
  }
  return place;
}

/** How often to press TAB until all are listed: at first some shells only insert the common prefix. */
const tabsToList = { bash: 3, zsh: 2, fish: 1 };

describe.each(interactiveShells)('in %s', (shell) => {
  test(
    'TAB completes words, names and files, whatever is in them',
    needing(installed(shell)),
    async () => {
      const place = await withCampaigns(awkward, '~/a b', "x $1 'b' one", "x $1 'b' two!");
      const segment = ['--name', '~root', '--book', 'Customers', '--where', 'plan=pro'];
      await runHere(place, ['segment', 'create', '--sandbox', ...segment]);
      mkdirSync(place.configDirectory);
      const profiles = { default: { baseUrl: 'https://mail.example.com:8443/api' } };
      writeFileSync(join(place.configDirectory, 'config.json'), JSON.stringify({ profiles }));
      writeFileSync(join(place.home, 'my emails.json'), '[]');
      const session = await openShell(place, shell);
      const campaign = ['campaign', 'get', '--sandbox'];
      const preview = ['segment', 'preview', '--sandbox'];
      // Fish would not quote a tilde. It then gets nothing, or what is typed.
      const isFish = shell === 'fish';
      for (const [keys, words] of [
        [`camp${tab}li${tab}`, ['campaign', 'list']],
        [`--profile 'a "b' camp${tab}`, ['--profile', 'a "b', 'campaign']],
        [`email list --lim${tab}5`, ['email', 'list', '--limit', '5']],
        [`campaign list --status DR${tab}`, ['campaign', 'list', '--status', 'DRAFT']],
        [`campaign list --status dr${tab}`, ['campaign', 'list', '--status', 'DRAFT']],
        [`email get x --wait=DEL${tab}`, ['email', 'get', 'x', '--wait=DELIVERED']],
        [`domain get --sandbox example.o${tab}`, ['domain', 'get', '--sandbox', 'example.org']],
        [`domain get --sandbox "example.o${tab}`, ['domain', 'get', '--sandbox', 'example.org']],
        // A URL, colons and all.
        [
          `whoami --base-url https://mail.example.com:8${tab}`,
          ['whoami', '--base-url', 'https://mail.example.com:8443/api'],
        ],
        // Files, which the shell completes, and only where files are meant.
        [`email batch my${tab}`, ['email', 'batch', 'my emails.json']],
        [`email send --file my${tab}`, ['email', 'send', '--file', 'my emails.json']],
        [`email send --attach=my${tab}`, ['email', 'send', '--attach=my emails.json']],
        [`domain get --sandbox my${tab}`, ['domain', 'get', '--sandbox', 'my']],
        [`whoami my${tab}`, ['whoami', 'my']],
        // A name as text that does nothing, whatever quote is open.
        [`campaign get --sandbox a${tab}`, [...campaign, awkward]],
        [`campaign get --sandbox "a${tab}`, [...campaign, awkward]],
        [`campaign get --sandbox 'a${tab}`, [...campaign, awkward]],
        // A name that begins with a tilde as it is, not as a home directory.
        [`campaign get --sandbox \\~${tab}`, [...campaign, '~/a b']],
        [`campaign get --sandbox "~${tab}`, [...campaign, '~/a b']],
        [`campaign get --sandbox '~${tab}`, [...campaign, '~/a b']],
        [`segment preview --sandbox ${isFish ? '\\~' : ''}${tab}`, [...preview, '~root']],
        [`segment preview --sandbox "${tab}`, [...preview, '~root']],
        [`segment preview --sandbox '${tab}`, [...preview, '~root']],
        [`segment preview --sandbox ${tab}`, isFish ? preview : [...preview, '~root']],
      ] as const) {
        expect({ keys, words: await session.words(`mailer ${keys}`) }).toEqual({ keys, words });
      }
      expect(existsSync(join(place.home, 'pwned'))).toBe(false);
      // What there is to choose from, with what it is.
      for (const quote of ['', "'"]) {
        const before = session.output().length;
        session.type(`mailer campaign get --sandbox ${quote}x${tab.repeat(tabsToList[shell])}`);
        await session.shows(
          /one.*\bDRAFT[\s\S]*two.*\bDRAFT|two.*\bDRAFT[\s\S]*one.*\bDRAFT/,
          before,
        );
        expect(await session.words(`t${tab}`)).toEqual([...campaign, "x $1 'b' two!"]);
      }
    },
  );
});

test(
  'a name server that never responds holds up no shell, nor makes it complete files',
  needing(ofNode),
  async () => {
    const place = createPlace();
    const hook = join(place.home, 'hook.cjs');
    // Like a look-up in the system's resolver: it cannot be cancelled, and keeps the process alive.
    writeFileSync(hook, `require('dns').lookup = () => { setInterval(() => {}, 1e6); };`);
    const words = ['__complete', 'fish', 'domain', 'get', ''];
    const env = {
      NODE_OPTIONS: `--require=${hook}`,
      MAILER_BASE_URL: 'https://mail.example.com/api',
      MAILER_API_KEY: 'us_1',
    };
    const ended = await place.run(words, { env });
    expect({ ...ended, exitCode: ended.exitCode ?? 'signal' }).toMatchObject({
      exitCode: 'signal',
      stdout: '',
      stderr: '',
    });
  },
);

test('the lines on its help page install the scripts where shells look, in a new home too', async () => {
  const place = createPlace();
  const { stdout: help } = await place.run('completion --help');
  const lines = help.split('\n').filter((line) => / > ~/.test(line));
  for (const [index, path] of [
    '.local/share/bash-completion/completions/mailer',
    '.zfunc/_mailer',
    '.config/fish/completions/mailer.fish',
  ].entries()) {
    const line = lines[index]?.replace(/^ *\$ /, '') ?? '';
    const { exitCode, stderr } = await finished(place.shell(line));
    expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    expect(readFileSync(join(place.home, path), 'utf8')).toContain('completion for mailer');
  }
});

test('in PowerShell, TAB completes', needing(installed('pwsh', 'powershell')), async () => {
  const place = await withCampaigns(awkward);
  const texts = async (line: string) => {
    const { stdout } = await execa(
      'pwsh',
      [
        ...['-NoProfile', '-NonInteractive', '-Command'],
        `mailer completion powershell | Out-String | Invoke-Expression; (TabExpansion2 $env:LINE $env:LINE.Length).CompletionMatches.CompletionText`,
      ],
      { cwd: place.home, env: { ...shellEnvironment(place), LINE: line }, extendEnv: false },
    );
    return stdout.split('\n');
  };
  expect(await texts('mailer camp')).toEqual(['campaign']);
  expect(await texts('mailer email get x --wait=DEL')).toEqual(['--wait=DELIVERED']);
  expect(await texts('mailer campaign get --sandbox a')).toEqual([
    `'${awkward.replaceAll("'", "''")}'`,
  ]);
  expect(existsSync(join(place.home, 'pwned'))).toBe(false);
});
