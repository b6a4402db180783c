import { describe, expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

/** The lines of an output, each as JSON. */
function linesOf(stdout: string): unknown[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the same commands in every format:', () => {
  test.each(['', 'email send', 'email', '--all'])('mailer commands %s', async (words) => {
    const { run } = createWorld();
    const document = JSON.parse((await run(`commands ${words} --json`)).stdout);
    expect(linesOf((await run(`commands ${words} --jsonl`)).stdout)).toEqual(document);
    const ids = document.map(({ command }: { command: string }) => command);
    expect((await run(`commands ${words} --quiet`)).stdout.trimEnd().split('\n')).toEqual(ids);
    const rows = (await run(`commands ${words} --csv`)).stdout.trimEnd().split('\r\n');
    expect(rows.slice(1).map((row) => row.split(',', 1)[0])).toEqual(ids);
  });
});

describe('--help with a flag for JSON describes the command, whatever flags it has itself:', () => {
  test.each(['whoami', 'email send', 'email list', 'email', 'completion'])('%s', async (words) => {
    const { run } = createWorld();
    const { stdout: model } = await run(`commands ${words} --all --json`);
    expect((await run(`${words} --help --json`)).stdout).toBe(model);
    expect(linesOf((await run(`${words} --help --jsonl`)).stdout)).toEqual(JSON.parse(model));
    const { stdout } = await run([...words.split(' '), '--help', '--jq=.[].command']);
    expect(stdout.trimEnd().split('\n')).toEqual(
      JSON.parse(model).map(({ command }: { command: string }) => command),
    );
  });
});
