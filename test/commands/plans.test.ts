import { describe, expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import { manifest } from '../../src/commands/manifest.ts';
import { EffectTally } from '../../src/lib/service/http/plan.ts';
import { changingLines as lines, prepared } from '../support/changing-lines.ts';
import { connected, errorOf, fileIn } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';
import { writesTo } from '../support/writes.ts';

const commands: string[] = [];
for (const { words, load } of manifest) {
  const { command } = await load();
  const { changes, deletes } = command.effects;
  // The others change files, keys or settings of this machine.
  if ((changes || deletes) && command.takes?.includes('service')) commands.push(words.join(' '));
}

test('each command that changes or deletes something has a line here', () => {
  expect(Object.keys(lines).sort()).toEqual(commands.sort());
});

describe.each(Object.entries(lines))('a dry run of %s', (_, [line, effect, stdin = '']) => {
  test('is a plan with requests, effect and a digest, which --expect takes, and nothing else', async () => {
    const { world, filled } = await prepared();
    const words = `${filled(line)} --sandbox --json`;
    const shown = await world.run(`${words} --dry-run`, { stdin });
    expect({ stderr: shown.stderr, exitCode: shown.exitCode }).toMatchObject({ exitCode: 0 });
    const plan = JSON.parse(shown.stdout);
    expect(plan).toMatchObject({ effect, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(plan.requests.length).toBeGreaterThan(0);
    if (plan.data === undefined) {
      expect(plan.requests[0]).toMatchObject({ method: plan.method, url: plan.url });
    }
    expect(Object.values(plan.counts).every((count) => count === null || Number(count) > 0)).toBe(
      true,
    );
    const before = await writesTo(world);
    const other = await world.run(`${words} --yes --expect ${'0'.repeat(64)}`, { stdin });
    expect(other.exitCode).toBe(2);
    expect(await writesTo(world)).toEqual(before);
    expect(errorOf(other)).toMatchObject({
      code: 'policy',
      message: expect.stringContaining(plan.digest),
    });
    const wanted = await world.run(`${words} --yes --expect ${plan.digest}`, { stdin });
    expect({ exitCode: wanted.exitCode, stderr: wanted.stderr }).toMatchObject({ exitCode: 0 });
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

describe('a plan of several requests that the sandbox carries out', () => {
  const rows = (count: number, first = 0) =>
    ['email', ...Array.from({ length: count }, (_, row) => `p${first + row}@new.example`), ''].join(
      '\n',
    );

  test('is of the whole file: contact import', async () => {
    const { world } = await prepared();
    fileIn(world, 'people.csv', rows(1500));
    const line = 'contact import people.csv --book book_customers --sandbox --json';
    const shown = await world.run(`${line} --dry-run`);
    const plan = JSON.parse(shown.stdout);
    expect(shown.stderr).toContain('This is the first of 2 requests that send contacts.');
    expect(plan).toMatchObject({ counts: { contacts: 1500 } });
    expect(plan.requests).toHaveLength(1);
    // Only the last request would differ.
    fileIn(world, 'people.csv', rows(1499));
    const other = await world.run(`${line} --yes --expect ${plan.digest}`);
    expect(other.exitCode).toBe(2);
    const found = 'contact list --book book_customers --email p0@new.example --sandbox --json';
    expect(JSON.parse((await world.run(found)).stdout)).toEqual([]);
    fileIn(world, 'people.csv', rows(1500));
    expect(await world.run(`${line} --yes --expect ${plan.digest}`)).toMatchObject({ exitCode: 0 });
    expect(JSON.parse((await world.run(found)).stdout)).toHaveLength(1);
    const logged = JSON.parse((await world.run('log list --sandbox --json')).stdout);
    expect(logged[0]).toMatchObject({ command: 'contact import', digest: plan.digest });
  });

  test('no longer fits once the book has changed: contact sync', async () => {
    const { world, filled } = await prepared();
    const line = `${filled(lines['contact sync']?.[0] ?? '')} --sandbox --json`;
    const plan = JSON.parse((await world.run(`${line} --dry-run`)).stdout);
    expect(plan.requests).toHaveLength(12);
    const add = 'contact add --book book_customers --email a@new.example --sandbox';
    expect((await world.run(add)).exitCode).toBe(0);
    const late = await world.run(`${line} --yes --expect ${plan.digest}`);
    expect(errorOf(late).message).toContain('--expect');
    const list = 'contact list --book book_customers --sandbox --json --fields email,subscribed';
    expect((await world.run(list)).stdout).toContain(
      '"delivered+ana@example.com","subscribed":true',
    );
  });

  test('pauses, creates, deletes and starts: campaign replace', async () => {
    const { world, filled } = await prepared();
    const words = 'campaign replace SCHEDULED --subject Other --scheduled-at 2027-01-31T09:00:00Z';
    const line = `${filled(words)} --sandbox --json`;
    const plan = JSON.parse((await world.run(`${line} --dry-run`)).stdout);
    expect(plan.effect).toBe(
      'pauses 1 campaign; creates 1 campaign; deletes 1 campaign, with its unsent emails; starts 1 campaign, to its contacts',
    );
    expect(plan.counts).toMatchObject({ campaigns: 2 });
    const another = `${line.replace('09:00', '10:00')} --yes --expect ${plan.digest}`;
    expect((await world.run(another)).exitCode).toBe(2);
    const get = filled('campaign get SCHEDULED --sandbox --json --fields status');
    expect((await world.run(get)).stdout).toContain('SCHEDULED');
    const done = await world.run(`${line} --yes --expect ${plan.digest}`);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(done.stdout)).toMatchObject({ subject: 'Other', status: 'SCHEDULED' });
  });
});

describe('a plan says and covers whom the service mails to confirm', () => {
  const lines = [
    'contact import people.csv --book Asking',
    'contact sync people.csv --book Asking',
  ];

  test.each(lines)('%s', async (line) => {
    const { world } = await prepared();
    await world.run('contact book create --name Asking --double-opt-in off --sandbox');
    const planOf = async () =>
      JSON.parse((await world.run(`${line} --sandbox --json --dry-run`)).stdout);
    const before = await planOf();
    expect(before).toMatchObject({ effect: 'adds or changes 2 contacts', counts: { contacts: 2 } });
    await world.run('contact book update Asking --double-opt-in on --sandbox');
    const late = await world.run(`${line} --sandbox --yes --expect ${before.digest}`);
    expect(late).toMatchObject({ exitCode: 2 });
    const now = await planOf();
    expect(now).toMatchObject({
      effect: 'adds or changes 2 contacts; mails 2 people to confirm',
      counts: { contacts: 2, 'confirmation emails': 2 },
    });
    const done = await world.run(`${line} --sandbox --yes --expect ${now.digest}`);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  });
});

test('a plan of an import has the variables that it adds, and the contacts', async () => {
  const { world } = await prepared();
  fileIn(world, 'people.csv', 'email,city\na@new.example,Rome\nb@new.example,Oslo\n');
  const line = 'contact import people.csv --book book_customers --add-variables --sandbox --json';
  const plan = JSON.parse((await world.run(`${line} --dry-run`)).stdout);
  expect(plan).toMatchObject({
    effect: 'changes 1 contact book; adds or changes 2 contacts',
    requests: [{ method: 'PATCH' }, { method: 'POST' }],
  });
  expect(await world.run(`${line} --yes --expect ${plan.digest}`)).toMatchObject({ exitCode: 0 });
});

test.each(['contact import', 'contact sync'])(
  '%s adds no variables where a person has to approve it',
  async (command) => {
    const { world } = await prepared();
    await world.run('contact book create --name Asking --double-opt-in on --sandbox');
    fileIn(world, 'people.csv', 'email,city\na@new.example,Rome\n');
    const before = await writesTo(world);
    const line = `${command} people.csv --book Asking --add-variables --sandbox --yes --json`;
    const refused = await world.run(line, { env: { MAILER_APPROVAL: 'always' } });
    expect(errorOf(refused)).toMatchObject({ code: 'approval_needed' });
    expect(await writesTo(world)).toEqual(before);
  },
);

test('a plan says how many an import unsubscribes', async () => {
  const { world } = await prepared();
  fileIn(world, 'people.csv', 'email,subscribed\na@new.example,yes\nb@new.example,no\n');
  const line = 'contact import people.csv --book book_customers --sandbox --dry-run --json';
  expect(JSON.parse((await world.run(line)).stdout)).toMatchObject({
    effect: 'adds or changes 2 contacts, 1 of them as unsubscribed',
    counts: { contacts: 2, unsubscribed: 1 },
  });
});

test('another digest is answered with the one of the dry run', async () => {
  const { world } = await prepared();
  const line = 'contact import people.csv --book Customers --sandbox --json';
  const { digest } = JSON.parse((await world.run(`${line} --dry-run`)).stdout);
  const other = await world.run(`${line} --yes --expect ${'0'.repeat(64)}`);
  expect(errorOf(other).message).toContain(digest);
});

test.each(['', 'null', 'abc'])('%j is no digest', async (text) => {
  const { world } = await prepared();
  const words = ['contact', 'import', 'people.csv', '--book', 'Customers', '--sandbox', '--json'];
  const refused = await world.run([...words, '--yes', '--expect', text]);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(errorOf(refused)).toMatchObject({ code: 'usage' });
});

test('a plan of nothing says so', async () => {
  const { world } = await prepared();
  fileIn(world, 'people.csv', 'email\ndelivered+ana@example.com\n');
  const line = 'contact import people.csv --book book_customers --sandbox --dry-run --json';
  expect(JSON.parse((await world.run(line)).stdout)).toMatchObject({
    requests: [],
    effect: 'changes nothing',
  });
});

describe('a plan of several that are found by their names', () => {
  const unsubscribe = 'contact update - --book Customers --unsubscribed --sandbox --json';
  const ana = 'delivered+ana@example.com';
  const both = `${ana}\nopened+ben@example.com\n`;

  test('has all of them, and nothing is done for another: contact update -', async () => {
    const { world } = await prepared();
    const planOf = async (stdin: string) =>
      JSON.parse((await world.run(`${unsubscribe} --dry-run`, { stdin })).stdout);
    const [one, two] = [await planOf(`${ana}\n`), await planOf(both)];
    expect(two).toMatchObject({ effect: 'unsubscribes 2 contacts', requests: [{}, {}] });
    expect(two.digest).not.toBe(one.digest);
    for (const digest of [one.digest, '0'.repeat(64)]) {
      const refused = await world.run(`${unsubscribe} --expect ${digest}`, { stdin: both });
      expect(refused).toMatchObject({ exitCode: 2 });
      const shown = await world.run(`contact get ${ana} --book Customers --sandbox --json`);
      expect(JSON.parse(shown.stdout)).toMatchObject({ subscribed: true });
    }
    const done = await world.run(`${unsubscribe} --expect ${two.digest}`, { stdin: both });
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  });

  test('has who is added first: event send --create', async () => {
    const { world } = await prepared();
    const line =
      'event send upgraded --contact new@example.org --book Customers --create --sandbox --json';
    const plan = JSON.parse((await world.run(`${line} --dry-run`)).stdout);
    expect(plan.effect).toBe(
      'adds or changes 1 contact, who may be mailed to confirm; sends 1 event',
    );
    const other = await world.run(`${line} --yes --expect ${'0'.repeat(64)}`);
    expect(other.exitCode).toBe(2);
    const get = 'contact get new@example.org --book Customers --sandbox';
    expect((await world.run(get)).exitCode).toBe(4);
    const done = await world.run(`${line} --yes --expect ${plan.digest}`);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  });

  test('keeps what the dry run found in the book: contact book update --add-variable', async () => {
    const { world } = await prepared();
    const line = 'contact book update Customers --add-variable city --sandbox --json';
    const plan = JSON.parse((await world.run(`${line} --dry-run`)).stdout);
    expect(plan.body.variables.length).toBeGreaterThan(1);
    expect(await world.run(`${line} --expect ${plan.digest}`)).toMatchObject({ exitCode: 0 });
  });
});

describe('a plan of what is given by name, which a dry run does not look up', () => {
  const byName: readonly (readonly [line: string, other: string])[] = [
    ['domain verify Example.com', 'domain verify send.example.com'],
    [
      'contact delete delivered+ana@example.com --book Customers',
      'contact delete contact_ben --book Customers',
    ],
    ['contact book update Customers --name Buyers', 'contact book update Customers --name People'],
    ['campaign delete Draft', 'campaign delete Scheduled'],
    ['segment delete Some', 'segment delete SEGMENT2'],
    [
      'email send --template Welcome --text t --to a@example.org --from hello@example.com',
      'email send --template Welcome --text t --to b@example.org --from hello@example.com',
    ],
  ];

  test.each(byName)('%s has a digest, which --expect takes, and no other', async (line, other) => {
    const { world } = await prepared();
    await world.run('template create --name Welcome --subject S --html-file t.html --sandbox');
    const plan = JSON.parse((await world.run(`${line} --sandbox --dry-run --json`)).stdout);
    const expected = `--sandbox --yes --expect ${plan.digest}`;
    expect((await world.run(`${other} ${expected}`)).exitCode).not.toBe(0);
    const done = await world.run(`${line} ${expected}`);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  });

  test('has the digest of the id, too', async () => {
    const { world } = await prepared();
    const ofId = 'contact book update book_customers --name Buyers --sandbox';
    const plan = JSON.parse((await world.run(`${ofId} --dry-run --json`)).stdout);
    const named = ofId.replace('book_customers', 'Customers');
    expect(await world.run(`${named} --expect ${plan.digest}`)).toMatchObject({ exitCode: 0 });
  });
});

test('every operation that does more than read has words for its effect', () => {
  const writing = Object.values(operations).filter(({ effect }) => effect !== 'reads');
  for (const { id } of writing) {
    const tally = new EffectTally();
    tally.add({ operation: id, url: '', body: undefined });
    expect([id, tally.end().words]).not.toEqual([id, 'sends a request whose effect is not known']);
  }
});
