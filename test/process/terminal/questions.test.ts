import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { domain } from '../../commands/domain/domains.ts';
import { runHere } from '../../support/here.ts';
import { ctrlC, ctrlD, enter } from '../../support/keys.ts';
import { createPlace } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { openTerminal, type Terminal } from '../../support/terminal.ts';

const send = 'mailer email send --sandbox --to ana@example.org --from hello@example.com';

/** A shell command line that writes how the last one ended, and the state of the terminal. */
const after = 'echo "exit code $?"; stty -a';

/** Expects that the terminal is neither raw nor silent, and has a cursor. */
function expectRestored(terminal: Terminal): void {
  expect(terminal.text()).not.toMatch(/-icanon|-echo\b/);
  expect(terminal.text()).toMatch(/\bicanon\b[\s\S]*\becho\b/);
  expect(terminal.screen().cursorVisible).toBe(true);
}

test('Ctrl-C at a question, a list or a secret is 130, and restores the terminal', async () => {
  const lines = [
    ['mailer email send --sandbox', '? To'],
    ['mailer domain get --sandbox', '? Domain'],
    ['mailer login --base-url http://127.0.0.1:9/api', '? API key'],
  ] as const;
  const line = lines.map(([words]) => `${words}; ${after}`).join('; ');
  const terminal = openTerminal(createPlace(), line);
  for (const [, question] of lines) {
    await terminal.shows(question);
    terminal.type(`x${ctrlC}`);
  }
  await terminal.end();
  expect(terminal.text().match(/^exit code .*$/gm)).toEqual(Array(3).fill('exit code 130'));
  expectRestored(terminal);
  expect(terminal.text()).not.toContain('Error');
});

test('Ctrl-D at a question is 130, and restores the terminal', async () => {
  const line = `mailer domain delete example.com --sandbox; ${after}`;
  const terminal = openTerminal(createPlace(), line);
  await terminal.shows('Delete it? (y/N)');
  terminal.type(ctrlD);
  await terminal.end();
  expect(terminal.text()).toContain('exit code 130');
  expect(terminal.text()).not.toContain('Warning');
  expectRestored(terminal);
});

test('a question is not answered by what was typed before it is shown: a line, or its beginning', async () => {
  const found = JSON.stringify([domain(7, 'example.net')]);
  for (const keys of [`y${enter}`, 'y']) {
    const { promise: asked, resolve } = Promise.withResolvers<() => void>();
    const none = JSON.stringify({ data: [], count: 0, campaigns: [], totalPage: 0 });
    const answer: Answer = (response, { path }) =>
      response.end(path.endsWith('/v1/domains') ? found : none);
    const service = await startRecorder(
      (response) => resolve(() => response.end(found)),
      // What uses the domain.
      ...Array<Answer>(20).fill(answer),
    );
    const env = { MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key_0123456789' };
    const terminal = openTerminal(createPlace(env), 'mailer domain delete example.net');
    const respond = await asked;
    terminal.type(keys);
    // The terminal shows what is typed as soon as it has it.
    await terminal.shows('y');
    respond();
    await terminal.shows('Delete it? (y/N)');
    terminal.type(`n${enter}`);
    expect(await terminal.end()).toBe(2);
    expect(terminal.text()).toContain('Not confirmed. Nothing was deleted.');
    expect(service.requests.map(({ method }) => method)).not.toContain('DELETE');
  }
});

test('an editor, and the command that returns a key, have the terminal; Ctrl-C ends them too', async () => {
  const place = createPlace();
  const editor = join(place.home, 'editor');
  const edit = 'echo "$1" > where; echo editing; read text; echo "$text" > "$1"';
  writeFileSync(editor, `#!/bin/sh\n${edit}\n`, { mode: 0o755 });
  const line = `${send} --subject Hi; ${after}`;
  const keyCommand = "echo 'Passphrase:' >&2; read answer; echo key-of-nobody";
  const login = `mailer login --base-url http://127.0.0.1:9/api --key-command "${keyCommand}"`;
  const terminal = openTerminal(place, `${line}; ${line}; ${login}; ${after}`, {
    env: { EDITOR: editor },
  });
  await terminal.shows('? Text');
  terminal.type(enter);
  await terminal.shows('editing');
  terminal.type(`Hello there${enter}`);
  await terminal.shows(/^Text {9}Hello there$[\s\S]*\? Send it\?/m);
  terminal.type(ctrlC);
  await terminal.shows(/exit code 130[\s\S]*\? Text/);
  terminal.type(enter);
  await terminal.shows(/exit code 130[\s\S]*editing/);
  terminal.type(ctrlC);
  await terminal.shows('Passphrase:');
  const path = readFileSync(join(place.home, 'where'), 'utf8').trim();
  expect(existsSync(dirname(path))).toBe(false);
  terminal.type(ctrlC);
  await terminal.end();
  expect(terminal.text().match(/^(\^C)?exit code 130$/gm)).toHaveLength(3);
  expectRestored(terminal);
  expect(
    (await runHere(place, 'email list --sandbox --quiet')).stdout.trim().split('\n'),
  ).toHaveLength(2);
});

test('what is redirected, or closed, is no terminal', async () => {
  const colour = '\x1b[32mSUCCESS';
  const list = openTerminal(createPlace(), 'mailer domain list --sandbox');
  await list.end();
  expect(list.output()).toContain(colour);
  const piped = openTerminal(createPlace(), 'mailer domain list --sandbox | cat');
  await piped.end();
  expect(piped.output()).toMatch(/^\d+\texample\.com\tSUCCESS/m);
  const ask = 'mailer email send --sandbox';
  const asked = openTerminal(
    createPlace(),
    `${ask} < /dev/null; ${ask} <&-; ${ask} 2> error; cat error`,
  );
  await asked.end();
  const error = /^Error: Missing --to, --from, --subject, --text\nHint: /gm;
  expect(asked.text().match(error)).toHaveLength(3);
});
