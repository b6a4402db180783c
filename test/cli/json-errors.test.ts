import { expect, test } from 'vitest';
import { errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

test('--jsonl is an error as JSON, also of a command that does not have it', async () => {
  const outcome = await createWorld().run('email send --jsonl');
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome)).toMatchObject({
    code: 'usage',
    message: 'email send has no --jsonl',
  });
});

test.each(['email cancel --jq=.id --nope', 'emial send --json', 'email send --to x --jsonl'])(
  'so is the error of "%s"',
  async (line) => {
    expect(errorOf(await createWorld().run(line)).code).toBe('usage');
  },
);

test.each(['email send --subject --json --nope', 'email get -- --json x'])(
  'the value of a flag and what follows -- are no such flag: "%s"',
  async (line) => {
    const { stderr } = await createWorld().run(line);
    expect(stderr).toMatch(/^Error: /);
  },
);
