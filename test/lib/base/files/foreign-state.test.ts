import { chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accept } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';

const isRoot = process.geteuid?.() === 0;
const other = isRoot ? 54_321 : (process.geteuid?.() ?? 0);
/** Only root can make a directory of another user; anybody else plays one. */
const account = { user: isRoot ? 0 : other + 1 };
const content = ['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'];

test.each([
  ['the state directory', ''],
  ['the directory of its runs', 'runs'],
])('nothing is sent if another user owns %s', async (_, below) => {
  const { run, world, service, file } = await connected(accept);
  const state = join(world.home, 'state');
  mkdirSync(join(state, below), { recursive: true });
  if (isRoot) chownSync(join(state, below), other, other);
  file('people.csv', 'to\nana@example.org\n');
  const env = { MAILER_STATE_DIR: state };
  const words = ['email', 'batch', 'people.csv', ...content, '--yes'];
  const { exitCode, stderr } = await run(words, { env, account });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    `User ${other} owns ${join(state, below)}, and could change what mailer records there. Nothing was sent.`,
  );
  expect(stderr).toContain('Set MAILER_STATE_DIR to a directory of your own');
  expect(service.requests).toEqual([]);
});

test.each([
  ['email batch', ['email', 'batch', 'people.csv', ...content, '--yes']],
  ['email send, under a limit', ['email', 'send', '--to', 'ana@example.org', ...content]],
])('nor by %s if it is a link to itself', async (_, words) => {
  const { run, world, service, file } = await connected(accept);
  const state = join(world.home, 'state');
  symlinkSync('state', state);
  file('people.csv', 'to\nana@example.org\n');
  const { exitCode, stderr } = await run(words, {
    env: { MAILER_STATE_DIR: state, MAILER_MAX_PER_DAY: '9' },
  });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `Error: Cannot read ${state}: a symbolic link there cannot be followed. Nothing was sent.\nHint: Remove it, or set another directory in MAILER_STATE_DIR.\n`,
  });
  expect(service.requests).toEqual([]);
});

test('so is nothing if the counts of a policy are there', async () => {
  const { run, world, service } = await connected({ body: { emailId: 'em_1' } });
  const state = join(world.home, 'state');
  mkdirSync(state);
  if (isRoot) chownSync(state, other, other);
  const env = { MAILER_STATE_DIR: state, MAILER_MAX_PER_DAY: '9' };
  const words = ['email', 'send', '--to', 'ana@example.org', ...content];
  expect(await run(words, { env, account })).toMatchObject({ exitCode: 2 });
  expect(service.requests).toEqual([]);
});
