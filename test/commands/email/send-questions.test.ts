import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected, fileIn } from '../../support/connected.ts';
import { ctrlC, enter } from '../../support/keys.ts';
import type { Step } from '../../support/person.ts';
import { createWorld, type World } from '../../support/run.ts';

/** The environment of a user whose editor does this with the file `$1`. */
function editorThat({ home }: World, script: string) {
  const path = join(home, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { EDITOR: path };
}

async function emailCount(world: World): Promise<number> {
  const { stdout } = await world.run('email list --sandbox --quiet');
  return stdout.trimEnd().split('\n').length;
}

const exceptSubject =
  'email send --sandbox --to ana@example.org --from hello@example.com --text Hello';
const subject: Step = ['? Subject', `Hi${enter}`];
const yes: Step = ['? Send it? (y/N)', `y${enter}`];
const no: Step = ['? Send it? (y/N)', enter];

describe('questions', () => {
  test('for missing values of a send, repeated until the answer is valid; then a yes; sent once', async () => {
    const world = createWorld();
    const env = editorThat(world, `printf 'Grüße, naïve Welt\n' > "$1"`);
    const person: Step[] = [
      ['? To', `nobody${enter}`],
      ['> "nobody" is not an email address.', `@example.org, "Ana, B" <ana@example.org>${enter}`],
      // A recent sender, and a verified domain to which a name can be typed.
      ['❯ Example Shop <shop@example.com>  used recently\n  @example.com', 'hello'],
      ['❯ hello@example.com', enter],
      ['? Subject', `Grüße${enter}`],
      ['? Text (one line, or Enter for editor)', enter],
      [
        '? Send it? (y/N)',
        async () => {
          expect(await emailCount(world)).toBe(2);
          return `y${enter}`;
        },
      ],
    ];
    const seen = await atTerminal(world.run, 'email send --sandbox', person, { env });
    expect(seen.exitCode).toBe(0);
    expect(seen.text.replace(/^[\s\S]*editor\)\n/, '')).toContain(`
From         hello@example.com
To           nobody@example.org
             "Ana, B" <ana@example.org>
Subject      Grüße
Text         Grüße, naïve Welt
Size         21 bytes
When         now

Account: the sandbox
✔ Send it? Yes
`);
    expect(await emailCount(world)).toBe(3);
    const { stdout } = await world.run(`email get ${seen.stdout.trim()} --sandbox --json`);
    expect(JSON.parse(stdout)).toMatchObject({
      to: ['nobody@example.org', '"Ana, B" <ana@example.org>'],
      from: 'hello@example.com',
      subject: 'Grüße',
      text: 'Grüße, naïve Welt\n',
    });
  });

  test('only for missing values', async () => {
    const { exitCode, text } = await atTerminal(createWorld().run, exceptSubject, [subject, yes]);
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Account: the sandbox\n✔ Subject Hi\n/);
  });

  test('of a send end with a no, and nothing is sent', async () => {
    const world = createWorld();
    const { exitCode, text } = await atTerminal(world.run, exceptSubject, [subject, no]);
    expect(exitCode).toBe(2);
    expect(text).toContain('Error: Not confirmed. Nothing was sent.');
    expect(await emailCount(world)).toBe(2);
  });

  test('of a send need no yes with --yes, and none are asked when nothing is missing', async () => {
    const world = createWorld();
    const confirmed = await atTerminal(world.run, `${exceptSubject} --yes`, [subject]);
    world.clock.advance(1000);
    const complete = await atTerminal(world.run, `${exceptSubject} --subject Hi`);
    expect([confirmed.exitCode, complete.exitCode]).toEqual([0, 0]);
    expect(await emailCount(world)).toBe(4);
  });

  test('show files, copies and the time of a scheduled email before the yes', async () => {
    const world = createWorld();
    fileIn(world, 'plan.txt', 'x'.repeat(3000));
    const flags =
      '--cc ben@example.org --bcc eve@example.org --attach plan.txt --scheduled-at 2099-01-05T09:00:00Z';
    const { text } = await atTerminal(world.run, `${exceptSubject} ${flags}`, [
      subject,
      ['? Schedule it? (y/N)', ctrlC],
    ]);
    expect(text).toMatch(/^Cc {11}ben@example.org$/m);
    expect(text).toMatch(/^Bcc {10}eve@example.org$/m);
    expect(text).toMatch(/^Attachments {2}plan.txt \(2.9 KiB\)$/m);
    expect(text).toMatch(/^When {9}.*2099.*09:00/m);
  });

  test('show HTML as its reader sees it, with the targets of links', async () => {
    const world = createWorld();
    const html =
      '<html>\n<head>\n<style>\np { color: red }\n</style>\n</head>\n<body>\n<h1>News</h1>\n<p>Read <a href="https://example.com/news">it</a></p></body></html>\n';
    fileIn(world, 'news.json', { to: 'ana@example.org', from: 'hello@example.com', html });
    const words = 'email send --sandbox --file news.json';
    const { text } = await atTerminal(world.run, words, [subject, no]);
    expect(text).toContain(`
Subject      Hi
HTML         News

             Read it (https://example.com/news)
Size `);
  });

  test('show who gets a redirected email before the yes', async () => {
    const env = { MAILER_REDIRECT_TO: 'team@example.org' };
    const { text } = await atTerminal(createWorld(env).run, exceptSubject, [subject, no]);
    expect(text).toContain(`
To           team@example.org
Instead of   ana@example.org
Redirected   by MAILER_REDIRECT_TO (redirect-to)
Subject      [to ana@example.org] Hi
`);
  });

  test('of a send come after the error of a wrong flag', async () => {
    const words = 'email send --sandbox --to ana@example.org --from hello --subject Hi';
    const { exitCode, text } = await atTerminal(createWorld().run, words);
    expect({ exitCode, text }).toEqual({
      exitCode: 2,
      text: 'Error: --from: "hello" is not an email address',
    });
  });

  test('end without the yes if the policy does not allow the email', async () => {
    const { run } = createWorld({ MAILER_ALLOW_TO: '*@example.com' });
    const { exitCode, text } = await atTerminal(run, exceptSubject, [subject]);
    expect(exitCode).toBe(2);
    expect(text).toContain('allow-to in MAILER_ALLOW_TO does not allow this.');
  });

  test('for the sender take verified domains only, and say so at once', async () => {
    const words = 'email send --sandbox --to ana@example.org --subject Hi --text Hello';
    await atTerminal(createWorld().run, words, [
      ['? From', 'shop@nowhere.example'],
      [
        /^\? From shop@nowhere\.example\n > The domain "nowhere\.example" is not verified\. Verified: "example\.com"$/m,
        enter,
      ],
      // Ctrl-U removes what is typed.
      [/^\? From shop@nowhere\.example\n/, '\x15ana@EXAMPLE.com'],
      ['❯ ana@example.com\n  ana@EXAMPLE.com', enter],
      no,
    ]);
  });

  test('for the sender warn where no domain is verified', async () => {
    const { run } = await connected({ body: [] }, { body: { data: [], count: 0 } });
    const words = 'email send --to ana@example.org';
    const { text } = await atTerminal(run, words, [['? From', ctrlC]]);
    expect(text).toContain(
      'Warning: No domain is verified, so the service will reject the sender.',
    );
  });

  test('of a send are not asked without an account, which is reported first', async () => {
    const { exitCode, text } = await atTerminal(createWorld().run, 'email send');
    expect(exitCode).toBe(3);
    expect(text).toContain('mailer login');
  });

  const exceptText =
    'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi';

  test('for a text are repeated when it is empty, or when there is no editor', async () => {
    const world = createWorld();
    const editor: Step = ['? Text (one line, or Enter for editor)', enter];
    const again = '? The text is empty. Text (one line, or Enter for editor)';
    await atTerminal(world.run, exceptText, [editor, [again, `Hello${enter}`], no], {
      env: editorThat(world, 'true'),
    });
    const missing = 'editor could not be started; set EDITOR to use another one.';
    await atTerminal(world.run, exceptText, [editor, [missing, ctrlC]], {
      env: { EDITOR: '/nowhere/editor --wait 2>/dev/null' },
    });
  });

  test('for a text are answered in a private file, which is removed, also when it is cancelled', async () => {
    const world = createWorld();
    const where = join(world.home, 'where');
    const look = `echo "$1" > ${where}; stat -c %a "$1" "$(dirname "$1")" >> ${where}; exit 1`;
    const { exitCode, text } = await atTerminal(world.run, exceptText, [['? Text', enter]], {
      env: editorThat(world, look),
    });
    expect(exitCode).toBe(2);
    expect(text).toContain('Error: editor was cancelled. Nothing was sent.');
    const [path = '', ...modes] = readFileSync(where, 'utf8').split('\n');
    expect(modes).toEqual(['600', '700', '']);
    expect(existsSync(dirname(path))).toBe(false);
    expect(await emailCount(world)).toBe(2);
  });

  test.each([
    ['with --no-input', '--no-input', {}],
    ['with CI set', '', { env: { CI: '1' } }],
    ['with stdin redirected', '', { redirected: 'stdin' }],
    ['with stderr redirected', '', { redirected: 'stderr' }],
  ] as const)('are not asked %s; all missing values are named', async (_, flag, options) => {
    const world = createWorld();
    const words = `email send --sandbox ${flag}`;
    const { exitCode, stderr } = await atTerminal(world.run, words, [], options);
    expect(exitCode).toBe(2);
    expect(stripVTControlCharacters(stderr)).toMatch(
      /^Error: Missing --to, --from, --subject, --text\nHint: Instead of --text, /,
    );
    expect(await emailCount(world)).toBe(2);
  });

  test('go to stderr, so that the result can be piped', async () => {
    const { exitCode, stdout } = await atTerminal(
      createWorld().run,
      exceptSubject,
      [subject, yes],
      {
        redirected: 'stdout',
      },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\w+\n$/);
  });
});
