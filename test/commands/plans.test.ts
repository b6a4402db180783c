import { describe, expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { effectOf } from '../../src/lib/service/http/plan.ts';
import { connected, errorOf, fileIn } from '../support/connected.ts';
import { createWorld, type World } from '../support/run.ts';
import { create } from './campaign/draft.ts';

/** A line of each command that changes or deletes something and has dry runs, what it says it does, and its stdin. */
const lines: Readonly<Record<string, readonly [line: string, effect: string, stdin?: string]>> = {
  'campaign create': [
    'campaign create --name N --from hello@example.com --subject S --book book_customers --html-file c.html --yes',
    'creates 1 campaign',
  ],
  'campaign delete': ['campaign delete CAMPAIGN', 'deletes 1 campaign, with its unsent emails'],
  'campaign pause': ['campaign pause SCHEDULED', 'pauses 1 campaign'],
  'contact add': [
    'contact add --book book_customers --email new@example.org',
    'adds or changes 1 contact',
  ],
  'contact delete': ['contact delete contact_ana --book book_customers', 'deletes 1 contact'],
  'contact import': [
    'contact import people.csv --book book_customers',
    'adds or changes 2 contacts',
  ],
  'contact update': [
    'contact update contact_ana --book book_customers --first-name A',
    'changes 1 contact',
  ],
  'contact book create': [
    'contact book create --name New --double-opt-in off',
    'creates 1 contact book',
  ],
  'contact book update': [
    'contact book update book_customers --name Other',
    'changes 1 contact book',
  ],
  'contact book delete': [
    'contact book delete book_customers',
    'deletes 1 contact book, with its contacts',
  ],
  'domain add': ['domain add new.example --region us-east-1', 'adds 1 domain'],
  'domain delete': [
    'domain delete 3',
    'deletes 1 domain, from which campaigns and scheduled emails may be left',
  ],
  'domain verify': ['domain verify 3', 'verifies 1 domain'],
  'email cancel': ['email cancel EMAIL', 'cancels 1 email'],
  'email reschedule': [
    'email reschedule EMAIL --scheduled-at 2027-01-31T09:00:00Z',
    'reschedules 1 email',
  ],
  'event send': ['event send upgraded --contact contact_ana', 'sends 1 event'],
  'segment create': [
    'segment create --name S --book book_customers --where firstName=Ana',
    'creates 1 segment',
  ],
  'segment delete': ['segment delete SEGMENT', 'deletes 1 segment'],
  'segment materialize': [
    'segment materialize SEGMENT --name M',
    'creates 1 contact book, with the contacts of a segment',
  ],
  'template create': [
    'template create --name T --subject S --html-file t.html',
    'creates 1 template',
  ],
  api: [
    'api DELETE /v1/domains/3',
    'deletes 1 domain, from which campaigns and scheduled emails may be left',
  ],
};

/** What its first request shows needs a whole file, so that --expect does not take its digest. */
const withoutExpect = ['contact import'];

const commands: string[] = [];
for (const { words, load } of manifest) {
  const { command } = await load();
  const { changes, deletes } = command.effects;
  if ((changes || deletes) && command.takes?.includes('dry runs')) commands.push(words.join(' '));
}

/** A machine with a sandbox in which the lines make sense, and a line with the ids there. */
async function prepared(): Promise<{ world: World; filled: (line: string) => string }> {
  const world = createWorld();
  fileIn(world, 'people.csv', 'email\na@new.example\nb@new.example\n');
  fileIn(world, 'c.html', '<a href="{{usesend_unsubscribe_url}}">x</a>');
  fileIn(world, 't.html', '<p>Hello</p>');
  const id = async (line: string) => {
    const { stdout, stderr } = await world.run(`${line} --sandbox -q`);
    if (stdout === '') throw new Error(stderr);
    return stdout.trim();
  };
  const ids = {
    CAMPAIGN: await create(world, 'Draft'),
    SCHEDULED: await create(world, 'Scheduled', '--scheduled-at', 'tomorrow 9am'),
    EMAIL: await id(
      'email send --from hello@example.com --to a@example.org --subject s --text t --scheduled-at 2027-01-01T00:00:00Z',
    ),
    SEGMENT: await id('segment create --name Some --book book_customers --where firstName=Ben'),
  };
  return {
    world,
    filled: (line) =>
      Object.entries(ids).reduce((text, [name, value]) => text.replace(name, value), line),
  };
}

test('each command that changes or deletes something has a line here', () => {
  expect(Object.keys(lines).sort()).toEqual(commands.sort());
});

describe.each(Object.entries(lines))('a dry run of %s', (name, [line, effect, stdin = '']) => {
  test('is a plan with requests, effect and a digest, which --expect takes, and nothing else', async () => {
    const { world, filled } = await prepared();
    const words = `${filled(line)} --sandbox --json`;
    const shown = await world.run(`${words} --dry-run`, { stdin });
    expect({ stderr: shown.stderr, exitCode: shown.exitCode }).toMatchObject({ exitCode: 0 });
    const plan = JSON.parse(shown.stdout);
    expect(plan).toMatchObject({ effect, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(plan.requests).toMatchObject([{ method: plan.method, url: plan.url }]);
    expect(Object.values(plan.counts).every((count) => count === null || Number(count) > 0)).toBe(
      true,
    );
    if (withoutExpect.includes(name)) return;
    const other = await world.run(`${words} --yes --expect ${'0'.repeat(64)}`, { stdin });
    expect(other.exitCode).toBe(2);
    expect(errorOf(other)).toMatchObject({
      code: 'policy',
      message: expect.stringContaining(plan.digest),
    });
    const wanted = await world.run(`${words} --yes --expect ${plan.digest}`, { stdin });
    expect({ exitCode: wanted.exitCode, stderr: wanted.stderr }).toMatchObject({ exitCode: 0 });
  });

  test('is all that an unexpected digest does: nothing leaves that changes something', async () => {
    if (withoutExpect.includes(name)) return;
    const { run, requests } = await connected();
    const words = line
      .replace('c.html', '-')
      .replace('t.html', '-')
      .replace(/[A-Z]{4,}/, 'cm3k9x2f8000008l4');
    await run(`${words} --yes --retries 0 --expect ${'0'.repeat(64)}`, {
      stdin: '<a href="{{usesend_unsubscribe_url}}">x</a>',
    });
    expect(requests().filter((request) => !/^(GET|HEAD)/.test(request))).toEqual([]);
  });
});

describe('a plan of several requests', () => {
  test('has all of them and one digest: email cancel', async () => {
    const { run, requests } = await connected(
      { body: { emailId: 'e1' } },
      { body: { emailId: 'e2' } },
    );
    const stdin = 'email_1\nemail_2\n';
    const plan = JSON.parse((await run('email cancel - --dry-run --json', { stdin })).stdout);
    expect(plan.requests).toMatchObject([
      { method: 'POST', url: expect.stringMatching(/email_1\/cancel$/) },
      { method: 'POST', url: expect.stringMatching(/email_2\/cancel$/) },
    ]);
    expect(plan).toMatchObject({ effect: 'cancels 2 emails', counts: { emails: 2 } });
    const expected = `email cancel - --expect ${plan.digest}`;
    expect((await run(expected, { stdin: 'email_1\nemail_3\n' })).exitCode).toBe(2);
    expect(requests()).toEqual([]);
    expect((await run(expected, { stdin })).exitCode).toBe(0);
    expect(requests()).toHaveLength(2);
    const logged = JSON.parse((await run('log list --json')).stdout);
    expect(logged[0].digest).toBe(plan.digest);
  });

  test('has the number of all rows, and the first request: email batch', async () => {
    const world = createWorld();
    const rows = Array.from({ length: 250 }, (_, row) => `p${row}@example.org`);
    fileIn(world, 'people.csv', ['to', ...rows, ''].join('\n'));
    const line =
      'email batch people.csv --from hello@example.com --subject s --text t --sandbox --dry-run --json';
    const plan = JSON.parse((await world.run(line)).stdout);
    expect(plan).toMatchObject({ effect: 'sends 250 emails', counts: { emails: 250 } });
    expect(plan.requests).toHaveLength(1);
  });
});

test('a plan with a name has no digest: the request has the id', async () => {
  const { stdout } = await createWorld().run('domain delete a.example --dry-run --json');
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({ effect: expect.stringMatching(/^deletes 1 domain/) });
  expect(plan).not.toHaveProperty('digest');
});

test('every operation that does more than read has words for its effect', () => {
  const writing = Object.values(operations).filter(({ effect }) => effect !== 'reads');
  for (const { id } of writing) {
    expect([id, effectOf([{ operation: id, body: undefined }]).words]).not.toEqual([
      id,
      'sends a request whose effect is not known',
    ]);
  }
});
