import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld, type World } from '../../support/run.ts';
import { writesTo } from '../../support/writes.ts';

const line = 'event send signed_up --contact';
const reply = { body: { contactId: 'contact_1', novel: 1 } };

test('by id: one request; --json is the unmodified response', async () => {
  const { run, requests, sent } = await connected(reply);
  const { stdout } = await run(`${line} contact_1 --payload plan=pro --payload n=7 --json`);
  expect(JSON.parse(stdout)).toEqual(reply.body);
  expect(requests()).toEqual(['POST /api/v1/events/send']);
  expect(sent()).toEqual({
    ...{ name: 'signed_up', contactId: 'contact_1', payload: { plan: 'pro', n: '7' } },
  });
});

const book = { body: { id: 'book_1', name: 'Customers', doubleOptInEnabled: false } };
const ana = { id: 'contact_1', email: 'ana@example.org' };
const found = { body: [ana] };
const looks = 'GET /api/v1/contactBooks/book_1/contacts?emails=ana@example.org';
const notFound = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not found' } } };

test('by address: the contact is looked up in its book, and its id is sent', async () => {
  const { run, requests, sent, file } = await connected({ body: [book.body] }, found, reply);
  const values = file('values.json', { total: 12.5, items: ['a'] });
  await run(`${line} ana@example.org --book Customers --payload-file ${values}`);
  expect(requests()).toEqual(['GET /api/v1/contactBooks', looks, 'POST /api/v1/events/send']);
  expect(sent(2)).toEqual({
    ...{ name: 'signed_up', contactId: 'contact_1', contactBookId: 'book_1' },
    payload: { total: 12.5, items: ['a'] },
  });
});

test('a name of a book that looks like an id is looked up before anything is sent', async () => {
  const { run, requests, sent } = await connected(
    notFound,
    { body: [{ ...book.body, name: 'customers' }] },
    found,
    reply,
  );
  expect((await run(`${line} ana@example.org --book customers`)).exitCode).toBe(0);
  expect(requests().slice(1)).toEqual([
    ...['GET /api/v1/contactBooks', looks, 'POST /api/v1/events/send'],
  ]);
  expect(sent(3)).toMatchObject({ contactId: 'contact_1', contactBookId: 'book_1' });
});

test('an id with a book is sent if the book has it', async () => {
  const { run, requests } = await connected({ body: ana }, reply, notFound, { body: [book.body] });
  expect((await run(`${line} contact_1 --book book_1`)).exitCode).toBe(0);
  const unknown = await run(`${line} contact_2 --book book_1 --json`);
  expect([unknown.exitCode, errorOf(unknown).code]).toEqual([4, 'not_found']);
  expect(requests()).toEqual([
    'GET /api/v1/contactBooks/book_1/contacts/contact_1',
    'POST /api/v1/events/send',
    'GET /api/v1/contactBooks/book_1/contacts/contact_2',
    'GET /api/v1/contactBooks',
  ]);
});

describe('on the sandbox', () => {
  const customers = '--book Customers --sandbox';
  const contactsOf = async ({ run }: World, name: string) => {
    const { stdout } = await run(
      `contact list --book ${name} --sandbox --fields email --no-header`,
    );
    return stdout.split('\n').filter(Boolean);
  };
  async function withReaders(flags: string): Promise<World> {
    const world = createWorld();
    await world.run(`contact book create --name Readers ${flags} --sandbox`);
    await world.run('contact add --book Readers --email other@example.org --sandbox --yes');
    return world;
  }

  test('the request is in its log', async () => {
    const world = createWorld();
    expect(await world.run(`${line} contact_ana --sandbox`)).toEqual({
      exitCode: 0,
      stdout: 'contact_ana\n',
      stderr: 'Sent event signed_up for contact contact_ana.\n',
    });
    const { stdout } = await world.run('sandbox logs');
    expect(stdout).toContain('/api/v1/events/send');
  });

  test('who is in another book only is unknown: 4, and nobody is added', async () => {
    const world = await withReaders('--double-opt-in off');
    const before = await contactsOf(world, 'Customers');
    const unknown = await world.run(`${line} other@example.org ${customers} --json`);
    expect(unknown.exitCode).toBe(4);
    expect(errorOf(unknown)).toMatchObject({
      code: 'not_found',
      message: 'The contact book Customers has no contact other@example.org.',
      hint: 'To list its contacts: mailer contact list --book Customers --sandbox',
    });
    expect(await contactsOf(world, 'Customers')).toEqual(before);
    expect((await world.run('sandbox logs')).stdout).not.toContain('/api/v1/events/send');
  });

  test('an id that no book has: 4', async () => {
    const unknown = await createWorld().run(`${line} nobody --sandbox --json`);
    expect(unknown.exitCode).toBe(4);
    expect(errorOf(unknown)).toMatchObject({
      code: 'not_found',
      message: 'There is no contact "nobody".',
    });
  });

  test('--create adds the contact to this book, and sends it the event', async () => {
    const world = await withReaders('--double-opt-in off');
    const words = `${line} other@example.org ${customers} --create`;
    const { exitCode, stdout, stderr } = await world.run(words);
    expect([exitCode, stderr]).toEqual([
      0,
      `Added contact other@example.org. Sent event signed_up for contact ${stdout.trim()}.\n`,
    ]);
    expect(await contactsOf(world, 'Customers')).toContain('other@example.org');
    const again = await world.run(words);
    expect([again.stdout, again.stderr]).toEqual([
      stdout,
      `Sent event signed_up for contact ${stdout.trim()}.\n`,
    ]);
    expect((await world.run(`${line} @last --sandbox`)).stdout).toBe(stdout);
  });

  test('--create asks before the service asks the contact to confirm', async () => {
    const world = await withReaders('--double-opt-in on');
    const words = `${line} new@example.org --book Readers --create --sandbox`;
    const unasked = await world.run(words);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain('Nothing was added, because this needs confirmation');
    expect(await contactsOf(world, 'Readers')).toEqual(['other@example.org']);
    const { stderr } = await world.run(`${words} --yes`);
    expect(stderr).toMatch(
      /^Added contact new@example\.org\. The service sends an email that asks to confirm the subscription\. Sent event/,
    );
  });

  test('--create adds nobody if the policy does not allow the event', async () => {
    const world = await withReaders('--double-opt-in on');
    const words = `${line} new@example.org --create --sandbox --yes --json`;
    const refused = async (book: string, env: Record<string, string>) =>
      errorOf(await world.run(`${words} --book ${book}`, { env }));
    const allow = { MAILER_ALLOW_TO: '*@example.com' };
    expect(await refused('Customers', allow)).toMatchObject({ code: 'policy', rule: 'allow-to' });
    const me = { MAILER_REDIRECT_TO: 'me@example.com' };
    expect(await refused('Customers', me)).toMatchObject({ code: 'policy', rule: 'redirect-to' });
    // The email that asks to confirm is one, the event another.
    for (const env of [{ MAILER_MAX_PER_DAY: '1' }, { MAILER_MAX_RECIPIENTS: '1' }]) {
      expect(await refused('Readers', env)).toMatchObject({ code: 'policy' });
    }
    expect(await contactsOf(world, 'Readers')).toEqual(['other@example.org']);
    expect(await contactsOf(world, 'Customers')).not.toContain('new@example.org');
    const env = { MAILER_MAX_PER_DAY: '2' };
    expect(await world.run(`${words} --book Readers`, { env })).toMatchObject({ exitCode: 0 });
  });
});

describe('--create', () => {
  const words = `${line} ana@example.org --book book_1 --create`;
  const none = [{ body: [] }, { body: [] }];

  test('adds nobody at a service without events', async () => {
    const doc = { body: { paths: { '/v1/domains': { get: {} } } } };
    const { run, requests } = await connected(...none, book, doc);
    const outcome = await run(`${words} --json`);
    expect([outcome.exitCode, errorOf(outcome).code]).toEqual([4, 'not_offered']);
    expect(requests().filter((one) => one.startsWith('POST'))).toEqual([]);
  });

  test.each([
    [{ status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } }, 1, 'rejected'],
    [{ status: 404, body: '404 Not Found' }, 4, 'not_offered'],
  ])(
    'an event that fails with %j after the contact was added: the error says so',
    async (...one) => {
      const [failure, exitCode, code] = one;
      const added = { body: { contactId: 'contact_1' } };
      const books = { body: [book.body] };
      const { run, sent } = await connected(
        ...[...none, book, notFound, added, failure, books, { body: [] }],
      );
      const outcome = await run(`${words} --json`);
      expect([outcome.exitCode, errorOf(outcome).code]).toEqual([exitCode, code]);
      expect(errorOf(outcome).hint).toContain('ana@example.org was added to Customers.');
      expect(sent(5)).toMatchObject({ contactId: 'contact_1' });
    },
  );

  test('--dry-run shows the event, and says that the contact may be added', async () => {
    const { exitCode, stdout, stderr } = await createWorld().run(`${words} --dry-run`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('POST {base_url}/v1/events/send');
    expect(stdout).toContain('"contactId": "ana@example.org"');
    expect(stderr).toContain(
      'The address ana@example.org would be looked up first, and added if the book does not have it.',
    );
  });
});

test.each([
  ['event send signed_up', 'Missing --contact'],
  [`${line} ana@example.org`, 'Missing --book'],
  [`${line} contact_1 --create`, '--create: "contact_1" is not an email address'],
  [`${line} contact_1 --payload plan`, '--payload: "plan" is not name=value'],
])('%s: 2, and nothing is sent', async (words, message) => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run(words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('--dry-run prints the request and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run(`${line} contact_1 --dry-run --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ method: 'POST', body: { name: 'signed_up', contactId: 'contact_1' } },
  });
});

test('one whose response is lost is not repeated, and the error says that it may start twice', async () => {
  const { run, requests } = await connected((response) => response.destroy());
  const outcome = await run(`${line} contact_1 --json`);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toBe(
    'The event may have been processed. Sending it again may start the same automation twice. To find the cause: mailer doctor',
  );
  expect(requests()).toHaveLength(1);
});

test('a service without events: 4, not offered', async () => {
  const lacking = { status: 404, body: '404 Not Found' };
  const byId = await connected(lacking, { body: [] });
  expect(errorOf(await byId.run(`${line} contact_1 --json`)).code).toBe('not_offered');
  for (const books of [[], [book.body]]) {
    const { run } = await connected(found, lacking, { body: books }, { body: [] });
    const outcome = await run(`${line} ana@example.org --book book_1 --json`);
    expect([outcome.exitCode, errorOf(outcome).code]).toEqual([4, 'not_offered']);
  }
});

test('what is wrong with the event is an error before its contact is added', async () => {
  const world = createWorld();
  await world.run('contact book update book_customers --double-opt-in on --sandbox');
  const before = await writesTo(world);
  const words = ['event', 'send', '', '--contact', 'new@example.org', '--book', 'book_customers'];
  const outcome = await world.run([...words, '--create', '--yes', '--sandbox']);
  expect(outcome).toMatchObject({ exitCode: 2 });
  expect(await writesTo(world)).toEqual(before);
});
