import { delimiter, dirname } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { patience } from './patience.ts';
import { createWorld } from './run.ts';
import { shellProgram } from './shell-program.ts';

/** Runs a script of bash, for which `mailer` is the program of a world. */
async function run(script: string, env: Record<string, string> = {}) {
  const world = createWorld();
  const { path, ready } = shellProgram(world);
  await ready;
  const PATH = [dirname(path), process.env.PATH].join(delimiter);
  const options = { cwd: world.home, reject: false, stripFinalNewline: false } as const;
  return await execa('bash', ['-c', script], { ...options, env: { ...env, PATH } });
}

const send = 'mailer email send --sandbox --from a@example.com --to b@example.org';

test('a shell gets the output and the exit code of the program, with its words, directory and variables', async () => {
  const { stdout, stderr, exitCode } = await run(
    `mkdir down && cd down && printf Hello >text && ${send} --subject "$name" --text-file text --quiet
    mailer email list --sandbox --jsonl --fields subject,text | head -1
    mailer email get '' --sandbox`,
    { name: 'Hi', MAILER_SANDBOX_DIR: '../box' },
  );
  expect(stdout).toMatch(/^c[a-z0-9]{24}\n\{"subject":"Hi","text":"Hello"\}\n$/);
  expect(stderr).toMatch(/^Error: /);
  expect(exitCode).toBe(2);
});

test('words and output are unchanged, whatever they are', async () => {
  const text = ` a\n'b' "c" \\d %s $e \`f\` é \u2028\t`;
  const line = 'mailer api POST /v1/emails --raw-field "text=$text" --dry-run --json';
  const { stdout } = await run(line, { text });
  expect(JSON.parse(stdout).body.text).toBe(text);
});

test('the program reads stdin only if it needs it', async () => {
  const { stdout } = await run(
    `printf 'one\\ntwo\\n' | while read -r text; do ${send} --subject "$text" --text Hi -q >>ids; done
    printf 'To: b@example.org\\nSubject: é\\n\\nHi\\n' | mailer sendmail -t --from a@example.com --sandbox
    mailer email list --sandbox --fields subject | head -4`,
  );
  expect(stdout).toBe('subject\né\ntwo\none\n');
});

test('the program ends with the script', async () => {
  const { stdout: url } = await run(
    `mailer sandbox start --port 0 --temporary --quiet >url & until [ -s url ]; do sleep 0; done
    kill %1; wait %1; cat url`,
  );
  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), patience);
});
