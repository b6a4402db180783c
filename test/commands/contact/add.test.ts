import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { enter } from '../../support/keys.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const line = 'contact add --book book_1 --email ana@example.org';
const book = { id: 'book_1', name: 'Readers', doubleOptInEnabled: false, _count: { contacts: 1 } };
const asking = { ...book, doubleOptInEnabled: true };
const ana = { id: 'contact_1', email: 'ana@example.org', subscribed: true };
const pending = { ...ana, subscribed: false, unsubscribeReason: null };
const gone = { ...ana, subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' };
const nobody = [{ body: [] }, { body: [] }];
const added = { body: { contactId: 'contact_1', novel: 1 } };
const reads = [
  'GET /api/v1/contactBooks/book_1',
  'GET /api/v1/contactBooks/book_1/contacts?emails=ana@example.org',
  'GET /api/v1/contactBooks/book_1/contacts',
];
const post = 'POST /api/v1/contactBooks/book_1/contacts';

test('the book and the address are looked up, then the contact is added', async () => {
  const { run, requests, sent } = await connected({ body: book }, ...nobody, added);
  const words = `${line} --first-name Ana --last-name Silva --property plan=pro --subscribed`;
  expect(await run(words)).toEqual({
    exitCode: 0,
    stdout: 'contact_1\n',
    stderr: 'Added contact ana@example.org.\n',
  });
  expect(requests()).toEqual([...reads, post]);
  expect(sent(3)).toEqual({
    email: 'ana@example.org',
    firstName: 'Ana',
    lastName: 'Silva',
    properties: { plan: 'pro' },
    subscribed: true,
  });
});

test('a book given by its name is not looked up twice; --json is the unmodified response', async () => {
  const { run, requests } = await connected({ body: [book] }, ...nobody, added);
  const { stdout } = await run('contact add --book Readers --email ana@example.org --json');
  expect(JSON.parse(stdout)).toEqual(added.body);
  expect(requests()).toEqual(['GET /api/v1/contactBooks', ...reads.slice(1), post]);
});

describe('a contact already in the book', () => {
  test('is updated, and this is reported', async () => {
    const { run } = await connected({ body: book }, { body: [ana] }, added);
    expect((await run(`${line} --first-name Ana`)).stderr).toBe(
      'Updated contact ana@example.org, which was already in the book.\n',
    );
  });

  test('and has unsubscribed stays unsubscribed, with --subscribe or without', async () => {
    const { run } = await connected(
      ...[{ body: asking }, { body: [gone] }, added],
      ...[{ body: asking }, { body: [gone] }, added],
    );
    const said =
      'Updated contact ana@example.org, which was already in the book. The contact has unsubscribed, and';
    expect((await run(line)).stderr).toBe(`${said} stays unsubscribed.\n`);
    expect((await run(`${line} --subscribed`)).stderr).toBe(
      `${said} stays unsubscribed. To subscribe the contact again: mailer contact update ana@example.org --book book_1 --subscribed\n`,
    );
  });

  test.each([
    ['that the service stores', 'Ana@Example.org', 'ana@example.org'],
    ['that is typed', 'ana@example.org', 'ANA@example.org'],
  ])(
    'is found whatever the capitals of the address %s, so there is no second one',
    async (_, stored, typed) => {
      const answer: Answer = (response, { method, path }) => {
        if (method === 'POST') return response.end(JSON.stringify(added.body));
        if (!path.includes('/contacts')) return response.end(JSON.stringify(book));
        const [, asked = stored] = path.split('?emails=');
        const found = asked.split(',').includes(stored) ? [{ ...ana, email: stored }] : [];
        return response.end(JSON.stringify(found));
      };
      const { run, sent, requests } = await connected(...Array<Answer>(7).fill(answer));
      const words = `contact add --book book_1 --email ${typed} --first-name Ana`;
      expect((await run(words)).stderr).toBe(
        `Updated contact ${stored}, which was already in the book.\n`,
      );
      expect(sent(requests().indexOf(post))).toEqual({ email: stored, firstName: 'Ana' });
      expect((await run(`contact get ${typed} --book book_1 -q`)).stdout).toBe('contact_1\n');
    },
  );

  test('is not guessed where several differ in capitals only', async () => {
    const others = ['Ana@example.org', 'ANA@example.org'].map((email) => ({ ...ana, email }));
    const { run, requests } = await connected({ body: book }, { body: [] }, { body: others });
    expect(await run(line)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'Error: Several contacts have the address ana@example.org in other capitals\nHint: They are: "Ana@example.org", "ANA@example.org"\n',
    });
    expect(requests()).not.toContain(post);
  });
});

describe('in a book with double opt-in', () => {
  test('a new contact gets an email, so a script needs --yes', async () => {
    const { run, requests } = await connected({ body: asking }, ...nobody);
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toEqual({
      code: 'usage',
      message:
        'Nothing was added, because this needs confirmation: Readers has double opt-in: ana@example.org will get an email that asks to confirm the subscription. Add the contact?',
      hint: 'To confirm, add --yes.',
    });
    expect(requests()).toEqual(reads);
  });

  test('so does one that has not confirmed yet, which would get another email', async () => {
    const { run, requests } = await connected({ body: asking }, { body: [pending] });
    const { exitCode, stderr } = await run(line);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'has not confirmed yet. The service will send the email again; contact update would not. Continue?',
    );
    expect(requests()).toEqual(reads.slice(0, 2));
  });

  test.each([
    ['one that has confirmed', '', [ana]],
    ['one that has unsubscribed', '', [gone]],
    ['one that is added unsubscribed', '--unsubscribed', []],
  ])('%s gets none, and nothing is asked', async (_, flags, contacts) => {
    const found = contacts.length === 0 ? nobody : [{ body: contacts }];
    const { run } = await connected({ body: asking }, ...found, added);
    expect(await run(`${line} ${flags}`)).toMatchObject({ exitCode: 0, stdout: 'contact_1\n' });
  });

  test('with --yes, the email is sent', async () => {
    const world = createWorld();
    await world.run('contact book create --name Readers --double-opt-in on --sandbox');
    const words = 'contact add --book Readers --email ana@example.org --yes --sandbox';
    expect(await world.run(words)).toMatchObject({
      exitCode: 0,
      stderr:
        'Added contact ana@example.org. The service sends an email that asks to confirm the subscription.\n',
    });
    const emails = await world.run('email list --sandbox --limit 1 --json');
    expect(JSON.parse(emails.stdout).data).toMatchObject([
      { to: ['ana@example.org'], subject: 'Please confirm your subscription' },
    ]);
    const { stdout } = await world.run('contact get @last --sandbox --json');
    expect(JSON.parse(stdout)).toMatchObject({ subscribed: false, unsubscribeReason: null });
  });
});

test('one that is added unsubscribed is reported as not subscribed', async () => {
  const world = createWorld();
  const words = 'contact add --book Customers --email eva@example.org --unsubscribed --sandbox';
  expect((await world.run(words)).stderr).toBe(
    'Added contact eva@example.org. The contact is not subscribed.\n',
  );
});

test('without a response, it is not sent again, as that could send another email', async () => {
  const { run, requests } = await connected({ body: asking }, ...nobody, (response) =>
    response.destroy(),
  );
  const outcome = await run(`${line} --yes --json`);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toBe(
    'It may have been added. Check before you add it again:\nmailer contact get ana@example.org --book book_1',
  );
  expect(requests()).toEqual([...reads, post]);
});

test('--dry-run shows the request, and needs neither key nor look-up', async () => {
  const words = 'contact add --book Readers --email ana@example.org --property a=1 --dry-run';
  const { exitCode, stdout, stderr } = await createWorld().run(`${words} --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: '{base_url}/v1/contactBooks/Readers/contacts',
    body: { email: 'ana@example.org', properties: { a: '1' } },
  });
  expect(stderr).toContain('Dry run: nothing was sent.\n');
});

test.each([
  ['', 'Missing --book, --email'],
  ['--book b', 'Missing --email'],
  ['--book b --email ana', '--email: "ana" is not an email address'],
  ['--book b --email a@b.c,d@e.f', '--email: "a@b.c,d@e.f" is not an email address'],
  ['--book b --email a@b.c --subscribed --unsubscribed', 'cannot be used together'],
  ['--book b --email a@b.c --property plan', '--property: "plan" is not name=value'],
  ['--book b --email a@b.c --properties-file none.json', 'none.json does not exist'],
])('"%s" is a usage error, and nothing is sent', async (flags, message) => {
  const { run, requests } = await connected();
  const { exitCode, stdout, stderr } = await run(`contact add ${flags}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('a display name is an error: it would be stored as part of the address', async () => {
  const { run, requests } = await connected();
  const words = ['contact', 'add', '--book', 'b', '--email', 'Ana <ana@example.org>'];
  expect((await run(words)).stderr).toBe(
    'Error: --email: "Ana <ana@example.org>" is not an email address\nHint: Give the address without a display name; --first-name and --last-name set the name.\n',
  );
  expect(requests()).toEqual([]);
});

test('properties of a file that are no strings are an error before the contact is added', async () => {
  const { world, run, requests } = await connected({ body: book }, ...nobody);
  fileIn(world, 'properties.json', { plan: 1 });
  const { exitCode, stderr } = await run(`${line} --properties-file properties.json`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--property.plan: must be a string');
  expect(requests()).toEqual(reads);
});

test('a book that does not exist: 4, with the command that lists them', async () => {
  const words = 'contact add --book Nowhere --email ana@example.org --sandbox --json';
  const outcome = await createWorld().run(words);
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome)).toMatchObject({
    code: 'not_found',
    message: 'There is no contact book "Nowhere".',
    hint: 'To list the contact books: mailer contact book list --sandbox',
  });
});

test('at a terminal, book and address are asked for, and whether an email may be sent', async () => {
  const { run, requests } = await connected(
    { body: [asking] },
    { body: [asking] },
    ...nobody,
    added,
  );
  const { exitCode } = await atTerminal(run, 'contact add', [
    ['? Contact book', enter],
    ['? Email address', `ana${enter}`],
    ['Write ana@example.com', `@example.org${enter}`],
    [
      'double opt-in: ana@example.org will get an email',
      () => {
        expect(requests()).toHaveLength(4);
        return `y${enter}`;
      },
    ],
  ]);
  expect(exitCode).toBe(0);
  expect(requests().at(-1)).toBe(post);
});
