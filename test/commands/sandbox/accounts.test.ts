import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

const one = { MAILER_API_KEY: 'us_sandbox_test_one' };
const mail = '--from hello@example.com --to ana@example.org --text t --sandbox';

test('with --sandbox, the key of a test account in the environment selects it', async () => {
  const world = createWorld();
  expect(await world.run(`email send --subject One ${mail}`, { env: one })).toMatchObject({
    exitCode: 0,
  });
  const subjects = async (env: Record<string, string>) => {
    const { stdout } = await world.run('email list --sandbox --fields subject', { env });
    return stdout.split('\n');
  };
  expect(await subjects(one)).toContain('One');
  expect(await subjects({ MAILER_API_KEY: 'us_sandbox_test_other' })).not.toContain('One');
  for (const key of ['us_sandbox_local', 'us_12345678_0123456789abcdef', '']) {
    expect(await subjects({ MAILER_API_KEY: key })).not.toContain('One');
  }
});

test('sandbox commands are about that account, too, and say so', async () => {
  const world = createWorld();
  const both = async (words: string, stdin = '') => {
    const input = stdin === '' ? {} : { stdin };
    const own = await world.run(words, input);
    const test = await world.run(words, { env: one, ...input });
    expect([own.exitCode, test.exitCode], words).toEqual([0, 0]);
    expect(own.stderr).not.toContain('Account');
    expect(test.stderr).toContain('Account: us_sandbox_test_one, from MAILER_API_KEY.\n');
    return [own.stdout, test.stdout] as const;
  };
  const seeds = {
    books: [{ id: 'book_one', name: 'One' }],
    dnsRecords: [{ name: 'mail.example.com', type: 'MX', values: ['10 elsewhere.test'] }],
  };
  const seed = { env: one, stdin: JSON.stringify(seeds) };
  expect(await world.run('sandbox seed -', seed)).toMatchObject({ exitCode: 0 });
  const [ownData, testData] = await both('sandbox export');
  expect(ownData).not.toContain('book_one');
  expect(testData).toContain('book_one');
  const check = 'domain check example.com --sandbox';
  expect(await world.run(check, { env: one })).toMatchObject({ exitCode: 9 });
  expect(await world.run(check)).toMatchObject({ exitCode: 0 });

  await world.run('template list --sandbox', { env: one });
  const [ownLog, testLog] = await both('sandbox logs');
  expect(ownLog).not.toContain('/v1/templates');
  expect(testLog).toContain('/v1/templates');

  await world.run('sandbox webhook add localhost:1/one', { env: one });
  const [ownHooks, testHooks] = await both('sandbox webhook list');
  expect(ownHooks).not.toContain('/one');
  expect(testHooks).toContain('/one');
  await both('sandbox webhook log');

  const advance = await world.run('sandbox advance 1d', { env: one });
  expect(advance).toMatchObject({ exitCode: 0 });
  const status = JSON.parse((await world.run('sandbox status --json')).stdout);
  expect(status).toMatchObject({ aheadMs: 0, accounts: ['one'] });
  expect((await world.run('sandbox status')).stdout).toContain('accounts\tone\n');

  expect(await world.run('sandbox reset --yes', { env: one })).toMatchObject({ exitCode: 0 });
  const { stdout } = await world.run('sandbox status --json');
  expect(JSON.parse(stdout)).toMatchObject({ accounts: [] });
  expect((await world.run('sandbox status')).stdout).not.toContain('accounts');
});

test('@last and runs are those of the account', async () => {
  const world = createWorld();
  const send = `email send --subject One ${mail}`;
  expect(await world.run(send, { env: one })).toMatchObject({ exitCode: 0 });
  const last = 'email get @last --sandbox --fields subject';
  expect((await world.run(last, { env: one })).stdout).toContain('One');
  expect(await world.run(last)).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('@last: no email of this account'),
  });
  const people = join(world.home, 'people.csv');
  writeFileSync(people, 'email\nana@example.org\n');
  const batch = ['email', 'batch', people, '--sandbox', '--yes', '--from', 'hello@example.com'];
  const subject = ['--subject', 'Hi', '--text', 't'];
  for (const env of [one, {}]) {
    const { exitCode, stderr } = await world.run([...batch, ...subject], { env });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Accepted 1 of 1')]);
  }
  for (const env of [one, {}]) {
    const { stdout } = await world.run('email list --sandbox --fields subject', { env });
    expect(stdout.match(/^Hi$/gm)).toHaveLength(1);
  }
});
