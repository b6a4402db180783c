import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected } from '../../support/connected.ts';
import { ctrlC, enter } from '../../support/keys.ts';
import type { Step } from '../../support/person.ts';
import { createWorld, type World } from '../../support/run.ts';
import { createWords, summary } from './draft.ts';

const html = '<a href="{{usesend_unsubscribe_url}}">x</a>';
const create = 'campaign create --sandbox --name News --book Customers';
const withSubject = `${create} --subject Hi`;
const no: Step = ['(y/N)', enter];

/** The environment of a user whose editor writes this into its file, and the file's path to `where`. */
function editorThatWrites({ home }: World, text: string) {
  const path = join(home, 'editor');
  const script = `#!/bin/sh\necho "$1" > ${home}/where\ncat > "$1" <<'END'\n${text}\nEND\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return { EDITOR: path };
}

describe('create', () => {
  test('asks for sender and body as for an email, and for a yes before it starts', async () => {
    const world = createWorld();
    const env = editorThatWrites(world, html);
    const sender: Step = [
      '❯ Example Shop <shop@example.com>  used recently\n  @example.com',
      enter,
    ];
    const refused = await atTerminal(
      world.run,
      `${withSubject} --now`,
      [sender, ['? HTML (one line, or Enter for editor)', enter], no],
      { env },
    );
    expect(readFileSync(join(world.home, 'where'), 'utf8')).toMatch(/\.html\n$/);
    expect(refused.text.replace(/^[\s\S]*editor\)\n/, '')).toContain(`
Subject      Hi
HTML         x ({{usesend_unsubscribe_url}})

Account: the sandbox
✔ Campaign "News" from Example Shop <shop@example.com> starts now and
  goes to at most 11 subscribed contacts of contact book "Customers".
  Create it and start it? No
`);
    expect(refused.exitCode).toBe(2);
    expect(refused.text).toContain('Error: Not confirmed. Nothing was created.');
    expect((await world.run('campaign list --sandbox --search News --quiet')).stdout).toBe('');
    const started = await atTerminal(world.run, `${withSubject} --now --yes`, [
      sender,
      ['? HTML', `${html}${enter}`],
    ]);
    expect(started.exitCode).toBe(0);
    expect(started.text).toContain('Sending to');
  });

  test('asks after it has checked what can be checked without answers', async () => {
    const words = [...create.split(' '), '--html', '<p>Hi</p>'];
    const { exitCode, text } = await atTerminal(createWorld().run, words);
    expect(exitCode).toBe(2);
    expect(text).toContain('A campaign needs an unsubscribe link');
  });

  test('asks only once: an error has the command with the answers', async () => {
    const world = createWorld();
    const env = editorThatWrites(world, `<p>\n${html}</p>`);
    const words = `${create} --now --from hello@example.com`;
    const refused = await atTerminal(
      world.run,
      words,
      [['? Subject', `Hi you${enter}`], ['? HTML', enter], no],
      { env, columns: 400 },
    );
    expect(refused.exitCode).toBe(2);
    const again = /^mailer campaign create (.*)--subject 'Hi you' --html-file (\S+)$/m.exec(
      refused.text,
    );
    const [, flags = '', file = ''] = again ?? [];
    const repeated = await atTerminal(world.run, [
      ...['campaign', 'create', ...flags.trim().split(' ')],
      ...['--subject', 'Hi you', '--html-file', file, '--yes'],
    ]);
    expect(repeated.exitCode).toBe(0);
    const { stdout } = await world.run('campaign get News --sandbox --json');
    expect(JSON.parse(stdout)).toMatchObject({ subject: 'Hi you', html: `<p>\n${html}</p>\n` });
  });

  test('needs no yes for a draft', async () => {
    const words = `${withSubject} --from hello@example.com`;
    const { exitCode, text } = await atTerminal(createWorld().run, words, [
      ['? HTML', `${html}${enter}`],
    ]);
    expect(exitCode).toBe(0);
    expect(text).toContain(' as a draft.');
  });

  test('asks after the error of a wrong flag, and not without an account', async () => {
    const wrong = await atTerminal(createWorld().run, `${withSubject} --scheduled-at yesterday`);
    expect(wrong.exitCode).toBe(2);
    expect(wrong.text).toContain('is in the past');
    const nobody = await atTerminal(createWorld().run, 'campaign create');
    expect(nobody.exitCode).toBe(3);
  });
});

test('no start is asked about if placeholders would be sent as they are written', async () => {
  const world = createWorld();
  const unfilled = [
    ...create.split(' '),
    ...['--subject', 'Hi {{nick}}', '--html', html, '--from', 'hello@example.com'],
  ];
  const starts = await atTerminal(world.run, [...unfilled, '--now']);
  expect(starts.exitCode).toBe(2);
  expect(starts.text).toContain('does not fill in this placeholder');
  expect(starts.text).toContain('Nothing was created.');
  // Without a start, a warning is enough.
  expect((await atTerminal(world.run, unfilled)).exitCode).toBe(0);
  for (const start of ['schedule News --now', 'resume News']) {
    const { exitCode, text } = await atTerminal(world.run, `campaign ${start} --sandbox`);
    expect(exitCode).toBe(2);
    expect(text).toContain('subject: {{nick}}');
  }
  await world.run('contact book update Customers --add-variable nick --sandbox');
  const filled = await atTerminal(world.run, 'campaign schedule News --now --sandbox', [
    ['Start it? (y/N)', `y${enter}`],
  ]);
  expect(filled.exitCode).toBe(0);
  expect(filled.text).not.toContain('Warning');
});

test('the start of a campaign is asked about below its text, as its reader sees it', async () => {
  const world = createWorld();
  const body = `<p>Hello</p><p><a href="{{usesend_unsubscribe_url}}">Leave</a></p>`;
  await world.run(createWords('News', '--subject', 'Hi', '--html', body));
  const { text } = await atTerminal(world.run, 'campaign schedule News --now --sandbox', [
    ['Start it? (y/N)', ctrlC],
  ]);
  expect(text).toContain(`
Subject      Hi
HTML         Hello

             Leave ({{usesend_unsubscribe_url}})

Account: the sandbox
? Campaign "News"`);
});

test('a test asks for the campaign and the recipient, before it reads the content', async () => {
  const listed = { body: { campaigns: [summary('c4', { name: 'News' })], totalPage: 1 } };
  const full = summary('c4', { name: 'News', html });
  const { run, requests, sent } = await connected(
    listed,
    listed,
    { body: full },
    { body: { emailId: 'email_1' } },
  );
  const { exitCode } = await atTerminal(run, 'campaign test', [
    ['❯ News', enter],
    [
      '? To',
      () => {
        expect(requests()).toHaveLength(1);
        return `me@example.org${enter}`;
      },
    ],
  ]);
  expect(exitCode).toBe(0);
  expect(sent(3)).toMatchObject({ to: 'me@example.org', subject: '[Test] News' });
});
