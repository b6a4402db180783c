import { describe, expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';

const hintOf = async (line: string) => {
  const { exitCode, stderr } = await createWorld().run(line);
  expect(exitCode).toBe(2);
  return /^Hint: (.*)$/m.exec(stderr)?.[1];
};

describe('words that simply work', () => {
  test.each([
    ['emails ls --sandbox', 'email list --sandbox'],
    ['domains list --sandbox', 'domain list --sandbox'],
    ['contact books ls --sandbox', 'contact book list --sandbox'],
    ['profiles --help', 'profile --help'],
    ['api v1/contactBooks --sandbox', 'api /v1/contactBooks --sandbox'],
  ])('%s is %s', async (line, meant) => {
    const world = createWorld();
    const outcome = await world.run(line);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome).toEqual(await world.run(meant));
  });

  test.each([
    ['contact create', 'contact add'],
    ['contact book add', 'contact book create'],
    ['domain create', 'domain add'],
    ['template add', 'template create'],
  ])('%s is %s', async (line, same) => {
    const helpOf = async (words: string) => (await createWorld().run(`${words} --help`)).stdout;
    expect(await helpOf(line)).toBe(await helpOf(same));
  });

  test('rm deletes, and asks as delete does', async () => {
    const world = createWorld();
    const line = 'contact book rm book_customers --sandbox';
    expect(await world.run(line)).toMatchObject({ exitCode: 2 });
    expect(await world.run(`${line} --yes`)).toMatchObject({ exitCode: 0 });
  });
});

describe('a word of another tool gets the command that it means', () => {
  test.each([
    ['email show x', 'email get'],
    ['email search invoice', 'email list'],
    ['email logs', 'email list'],
    ['campaign start News', 'campaign schedule'],
    ['campaign send News', 'campaign schedule'],
    ['campaign cancel News', 'campaign pause'],
    ['domain new example.com', 'domain add'],
    ['template view Welcome', 'template get'],
    ['contact book remove x', 'contact book delete'],
    ['auth login', 'login'],
    ['auth status', 'whoami'],
  ])('%s: mailer %s', async (line, meant) => {
    expect(await hintOf(line)).toBe(`Did you mean mailer ${meant}?`);
  });

  test.each(['show', 'search', 'find', 'list-all', 'view', 'info', 'logs', 'see', 'sent', 'read'])(
    'but the harmless word %s never one that mails',
    async (word) => {
      expect(await hintOf(`email ${word}`)).not.toMatch(/\b(send|batch)\b/);
    },
  );
});

test.each([
  ['email sned', 'send'],
  ['email sendd', 'send'],
  ['email bach', 'batch'],
])('a slip of the finger is seen: %s', async (line, meant) => {
  expect(await hintOf(line)).toBe(`Did you mean ${meant}?`);
});

describe('a flag of another tool gets the one that it means', () => {
  test.each([
    ['email send --at tomorrow', 'Did you mean --scheduled-at?'],
    ['email send --attachment a.pdf', 'Did you mean --attach?'],
    ['email send --body Hi', 'Did you mean --text?'],
    ['email list -L 5', 'Did you mean --limit?'],
    ['email list --template x', 'Did you mean --jq?'],
    ['api /v1/x --slurp', 'Did you mean --paginate?'],
    ['api -X POST /v1/emails', 'Write mailer api POST PATH'],
    ['email list -q .[].id', "Write --jq '.[].id'"],
  ])('%s: %s', async (line, hint) => {
    expect(await hintOf(line)).toBe(hint);
  });

  test('also the fields after --json', async () => {
    const { exitCode, stderr } = await createWorld().run('email list --json id,subject');
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error.hint).toBe('Write --json --fields id,subject');
  });
});
