import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

const send = 'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi';

test.each([
  ['login --with-token --base-url http://127.0.0.1:1/api', '--with-token: '],
  ['sendmail --base-url http://127.0.0.1:1/api ana@example.org', 'sendmail: ', 65],
  ['api POST /v1/emails --input - --sandbox', '--input: '],
  [`${send} --text-file -`, '--text-file: '],
  ['email batch - --sandbox', ''],
  ['sandbox seed -', 'sandbox seed: '],
])('stdin that is a directory is an error in words: %s', async (words, flag, exitCode = 2) => {
  const world = createWorld({ MAILER_API_KEY: 'us_key_1234567890' });
  const outcome = await world.run(words, { stdin: createReadStream(world.home) });
  expect(outcome).toEqual({
    exitCode,
    stdout: '',
    stderr: `Error: ${flag}stdin is a directory\n`,
  });
});

test('stdin is the body if a flag names it', async () => {
  const { run } = createWorld();
  const text = 'Grüße,\nAna \u{1F44B}\n';
  const { stdout } = await run(`${send} --text-file -`, { stdin: text });
  const shown = await run(`email get ${stdout.trim()} --sandbox --json`);
  expect(JSON.parse(shown.stdout)).toMatchObject({ text });
});

test('stdin that is empty is no body', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run(`${send} --text-file -`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('--text-file: stdin is empty');
});
