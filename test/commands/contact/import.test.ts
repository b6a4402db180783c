import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { errorOf, failureOf, fileIn, key } from '../../support/connected.ts';
import {
  type ContactService,
  startContactService,
  type Treatment,
} from '../../support/contact-service.ts';
import { createWorld } from '../../support/run.ts';

type Options = Parameters<typeof startContactService>[0];

/** A world whose account is a service with one contact book. */
async function setUp(options?: Options) {
  const service = await startContactService(options);
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  const results = (name = 'results.jsonl') =>
    readFileSync(join(world.home, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    service,
    world,
    file: (name: string, content: string | Uint8Array | object) => fileIn(world, name, content),
    results,
    run: (words: string) => world.run(words),
    /** Imports a file without asking for confirmation. */
    import: (file: string, more = '') =>
      world.run(`contact import ${file} --book Customers --yes ${more}`),
  };
}

const three =
  'email,first name,plan\nana@example.org,Ana,pro\nben@example.org,,free\ncy@example.org,Cy,\n';

/** The service's contacts, by address. */
function stored({ contacts }: ContactService) {
  return [...contacts.values()].map(({ email, firstName, subscribed, properties }) => [
    email,
    firstName,
    subscribed,
    properties,
  ]);
}

describe('a file', () => {
  test.each(['E-Mail-Adresse', 'Adresse e-mail', 'Correo electrónico', 'Endereço de e-mail'])(
    'has its addresses in "%s"',
    async (column) => {
      const at = await setUp();
      at.file('people.csv', `Name,${column}\nAna,ana@x.example\n`);
      expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
      expect(stored(at.service)).toEqual([['ana@x.example', null, true, { Name: 'Ana' }]]);
    },
  );

  test.each(['import', 'sync'])(
    'may have empty columns without a name, as spreadsheets write: %s',
    async (command) => {
      const at = await setUp();
      at.file('people.csv', 'Email,Name,,,\na@x.example,Ana,,,\nb@x.example,Ben,,,\n,,,,\n');
      const line = `contact ${command} people.csv --book Customers --yes`;
      expect(await at.run(line)).toMatchObject({ exitCode: 0 });
      expect(stored(at.service)).toEqual([
        ['a@x.example', null, true, { Name: 'Ana' }],
        ['b@x.example', null, true, { Name: 'Ben' }],
      ]);
    },
  );

  test('is brought into the book in one request, read back, and counted', async () => {
    const at = await setUp({ variables: ['plan'] });
    at.file('people.csv', three);
    const outcome = await at.import('people.csv', '--json --results results.jsonl');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ rows: 3, new: 3, changed: 0, missing: 0 });
    expect(stored(at.service)).toEqual([
      ['ana@example.org', 'Ana', true, { plan: 'pro' }],
      ['ben@example.org', null, true, { plan: 'free' }],
      ['cy@example.org', 'Cy', true, {}],
    ]);
    expect(at.service.seen()).toEqual([
      'GET ',
      'POST /book_1/contacts/bulk',
      'GET /book_1/contacts?emails=ana@example.org,ben@example.org,cy@example.org',
    ]);
    expect(at.results()).toEqual([
      { row: 1, email: 'ana@example.org', outcome: 'new', id: 'ct_1' },
      { row: 2, email: 'ben@example.org', outcome: 'new', id: 'ct_2' },
      { row: 3, email: 'cy@example.org', outcome: 'new', id: 'ct_3' },
    ]);
  });

  test.each(['csv', 'jsonl'])('that contact list wrote as %s changes nothing', async (format) => {
    const at = await setUp({ variables: ['plan'], doubleOptIn: true });
    at.service.add('ana@example.org', { firstName: 'Ana', properties: { plan: 'pro' } });
    at.service.add('ben@example.org', { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
    at.service.add('cy@example.org', { subscribed: false });
    const before = stored(at.service);
    at.file(`list.${format}`, (await at.run(`contact list --book Customers --${format}`)).stdout);
    const outcome = await at.import(`list.${format}`);
    const names = format === 'csv' ? 'id' : 'id, contactBookId, unsubscribeReason';
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toContain(`Not imported, because the service sets them: ${names}.\n`);
    expect(outcome.stderr).toContain('0 new contacts in Customers, 0 changed;');
    const note =
      '1 pending contact not unsubscribed: contact list --csv writes "false" in subscribed for';
    expect(outcome.stderr.includes(note)).toBe(format === 'csv');
    expect(stored(at.service)).toEqual(before);
    expect(at.service.posted()).toEqual([]);
  });

  test('with columns of its own unsubscribes pending contacts, too', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.add('cy@example.org', { subscribed: false });
    at.file('people.csv', 'email,subscribed\ncy@example.org,false\n');
    const { stderr } = await at.import('people.csv');
    expect(stderr).toContain('1 changed');
  });

  test('may have ids of its own, as a property', async () => {
    const at = await setUp();
    at.file('people.csv', 'id,email\n17,ana@example.org\n');
    await at.import('people.csv');
    expect(stored(at.service)).toEqual([['ana@example.org', null, true, { id: '17' }]]);
  });

  test.each([
    ['JSON', JSON.stringify([{ Email: 'ana@example.org', first_name: 'Ana', plan: 5 }])],
    ['JSON Lines', '{"email":"ana@example.org","firstName":"Ana","properties":{"plan":"5"}}\n'],
    ['semicolons', 'E-mail;First Name;plan\nana@example.org;Ana;5\n'],
    ['gzip', gzipSync('email,FIRSTNAME,properties.plan\nana@example.org,Ana,5\n')],
  ])('may be %s', async (_, content) => {
    const at = await setUp();
    at.file('people', content);
    expect(await at.import('people')).toMatchObject({ exitCode: 0 });
    expect(stored(at.service)).toEqual([['ana@example.org', 'Ana', true, { plan: '5' }]]);
  });

  test('may be standard input', async () => {
    const at = await setUp();
    const words = 'contact import - --book book_1 --yes';
    expect(await at.world.run(words, { stdin: three })).toMatchObject({ exitCode: 0 });
    expect(at.service.contacts.size).toBe(3);
  });

  test('of 2,500 people takes three requests, and their reading back few more', async () => {
    const at = await setUp({ perRead: 700 });
    const rows = Array.from({ length: 2500 }, (_, index) => `p${index}@example.org`);
    at.file('people.csv', ['email', ...rows].join('\n'));
    const outcome = await at.import('people.csv', '--json');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(at.service.contacts.size).toBe(2500);
    expect(at.service.posted().map(({ length }) => length)).toEqual([1000, 1000, 500]);
    expect(at.service.requests.length).toBeLessThan(40);
  });
});

describe('only what is new or changed', () => {
  test('is sent, and empty cells change nothing', async () => {
    const at = await setUp({ variables: ['plan'] });
    at.service.add('ana@example.org', {
      firstName: 'Ana',
      properties: { plan: 'pro', city: 'Rome' },
    });
    at.service.add('Ben@example.org', { firstName: 'Ben', properties: { plan: 'pro' } });
    at.file('people.csv', three.replace(',plan', ',PLAN'));
    const outcome = await at.import('people.csv', '--results results.jsonl');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(at.service.posted()).toEqual([
      [
        { email: 'Ben@example.org', properties: { plan: 'free' } },
        { email: 'cy@example.org', firstName: 'Cy', properties: {} },
      ],
    ]);
    expect(at.results().map(({ outcome, id }) => [outcome, id])).toEqual([
      ['unchanged', 'ct_1'],
      ['changed', 'ct_2'],
      ['new', 'ct_3'],
    ]);
  });

  test('unsubscribed contacts stay so and are named, whatever else changes', async () => {
    const at = await setUp();
    const gone = { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' };
    at.service.add('ana@example.org', gone);
    at.service.add('ben@example.org', gone);
    at.file(
      'people.csv',
      'email,subscribed,first name\nana@example.org,yes,\nben@example.org,true,Ben\n',
    );
    const outcome = await at.import('people.csv', '--results results.jsonl');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stderr).toContain('2 stay unsubscribed.');
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['unsubscribed', 'unsubscribed']);
    expect(at.service.posted()).toEqual([[{ email: 'ben@example.org', firstName: 'Ben' }]]);
    expect(at.service.contacts.get('ben@example.org')).toMatchObject({
      firstName: 'Ben',
      subscribed: false,
    });
  });

  test('the same file again sends nothing', async () => {
    const at = await setUp();
    at.file('people.csv', three);
    await at.import('people.csv');
    const again = await at.import('people.csv', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, unchanged: 3 });
    expect(at.service.posted()).toHaveLength(1);
  });

  test('is no run, and leaves nothing on the disk but its line in the log', async () => {
    const at = await setUp();
    await at.run('config set log off');
    at.file('people.csv', three);
    const before = readdirSync(at.world.home);
    await at.import('people.csv');
    expect(JSON.parse((await at.run('run list --json')).stdout)).toEqual([]);
    expect(readdirSync(at.world.home)).toEqual(before);
  });

  test('a book of more than 5,000 contacts is asked for the addresses of the file', async () => {
    const at = await setUp();
    for (let index = 0; index < 5001; index++) at.service.add(`p${index}@example.org`);
    at.file('people.csv', 'email\np5000@example.org\nnew@example.org\n');
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.service.posted()).toEqual([[{ email: 'new@example.org', properties: {} }]]);
  });
});

describe('an address with other capitals', () => {
  /** A book whose first 5,000 contacts are listed; others can only be looked up. */
  async function largeBook(first: string, later: string) {
    const at = await setUp({ doubleOptIn: true });
    at.service.add(first);
    for (let index = 0; index < 5005; index++) at.service.add(`p${index}@example.org`);
    at.service.add(later);
    return at;
  }

  test.each([
    ['that the service lists', 'Ana.Silva@Example.org', 'ANA.Silva@example.org'],
    ['that begins with a capital', 'p@example.org', 'BEN@EXAMPLE.ORG'],
    ['that begins with a capital', 'p@example.org', 'ben@example.org'],
  ])('belongs to the contact %s, in a large book, too', async (_, first, written) => {
    const at = await largeBook(first, 'Ben@example.org');
    at.file('people.csv', `email,first name\n${written},New\n`);
    const outcome = await at.import('people.csv', '--json');
    expect(JSON.parse(outcome.stdout)).toMatchObject({ new: 0, changed: 1 });
    expect(outcome.stderr).not.toContain('capitals');
    expect([...at.service.confirmations]).toEqual([]);
    expect(at.service.contacts.size).toBe(5007);
  });

  test('may count as new in a large book, which is said before anything is sent', async () => {
    const at = await largeBook('p@example.org', 'bEN@example.org');
    at.file('people.csv', 'email\nben@example.org\n');
    const { stderr } = await at.run('contact import people.csv --book Customers');
    expect(stderr).toContain(
      'The service does not list the whole book, so an address that it has in different capitals may count as new.\n',
    );
    expect(stderr).toContain(
      '1 person will get an email, even if the book has their address in different capitals.',
    );
    expect(at.service.posted()).toEqual([]);
  });
});

describe('rows that are wrong', () => {
  test('are all named, and nothing is sent', async () => {
    const at = await setUp();
    at.file(
      'people.csv',
      'email,subscribed\nana,yes\nben@example.org,perhaps\ncy@example.org,\n,no\n',
    );
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(2);
    const { message, hint } = errorOf(outcome);
    expect(message).toBe(
      [
        '3 rows of 4 cannot be imported:',
        'row 1: "ana" is not an email address',
        'row 2: subscribed: "perhaps" is neither true nor false',
        'row 4: there is no email address',
      ].join('\n'),
    );
    expect(hint).toBe('Nothing was sent. To import the others, add --skip-invalid.');
    expect(at.service.posted()).toEqual([]);
  });

  test('are skipped with --skip-invalid, which is exit code 11', async () => {
    const at = await setUp();
    at.file(
      'people.jsonl',
      '{"email":"ana"}\n{"email":"b@example.org","properties":{"a":{}}}\n{"email":"cy@example.org"}\n',
    );
    const outcome = await at.import('people.jsonl', '--skip-invalid --json --results results.csv');
    expect(outcome.exitCode).toBe(11);
    expect(failureOf(outcome).message).toContain(
      '1 new contact in Customers, 0 changed; 2 invalid.',
    );
    expect(readFileSync(join(at.world.home, 'results.csv'), 'utf8')).toBe(
      'row,email,outcome,id,message\r\n1,ana,invalid,,"""ana"" is not an email address"\r\n2,b@example.org,invalid,,a: must be text\r\n3,cy@example.org,new,ct_1,\r\n',
    );
  });

  test('for one reason are counted once', async () => {
    const at = await setUp();
    const rows = Array.from({ length: 12 }, (_, row) => `p${row}@x.org,maybe`);
    at.file('people.csv', ['email,subscribed', 'ana@x.org,', ...rows].join('\n'));
    const outcome = await at.import('people.csv', '--json');
    expect(errorOf(outcome).message).toBe(
      '12 rows of 13 cannot be imported:\nrows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 2 more: subscribed: "maybe" is neither true nor false',
    );
  });

  test('and the same address twice is an error, unless the last one counts', async () => {
    const at = await setUp();
    at.file(
      'people.csv',
      'email,first name\nana@example.org,Ana\nben@example.org,Ben\nAna@Example.org,Anna\n',
    );
    const outcome = await at.import('people.csv', '--json');
    expect(errorOf(outcome)).toMatchObject({
      code: 'usage',
      message: '1 row with the address of an earlier row:\nrow 3: Ana@Example.org is also in row 1',
      hint: 'Nothing was sent. To take the last row of each address, add --last-wins.',
    });
    const last = await at.import('people.csv', '--last-wins --json --results results.jsonl');
    expect(last.exitCode).toBe(0);
    expect(at.results().map(({ email, outcome }) => [email, outcome])).toEqual([
      ['ana@example.org', 'duplicate'],
      ['ben@example.org', 'new'],
      ['Ana@Example.org', 'new'],
    ]);
    expect(at.service.posted()[0]?.map(({ firstName }) => firstName)).toEqual(['Ben', 'Anna']);
  });

  test('a file without addresses is an error that names its columns', async () => {
    const at = await setUp();
    at.file('people.csv', 'name,mail of work\nAna,ana@example.org\n');
    const { message, hint } = errorOf(await at.import('people.csv', '--json'));
    expect(message).toBe(
      'people.csv: there is no column "email" in the header: name, mail of work',
    );
    expect(hint).toContain('mail of work');
  });
});

describe('properties that campaigns cannot use', () => {
  test('are reported, and with --add-variables become variables besides the existing ones', async () => {
    const at = await setUp({ variables: ['city'] });
    at.file('people.csv', three);
    const { stderr } = await at.import('people.csv');
    expect(stderr).toContain('so campaigns cannot use them: "plan"');
    await at.import('people.csv', '--add-variables');
    expect(at.service.state.book.variables).toEqual(['city', 'plan']);
  });

  test('have the spelling of the book, also if they become its variables now', async () => {
    const at = await setUp();
    at.file(
      'people.jsonl',
      '{"email":"ana@x.org","Plan":"pro"}\n{"email":"ben@x.org","plan":"free"}\n',
    );
    const outcome = await at.import('people.jsonl', '--add-variables');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(at.service.state.book.variables).toEqual(['Plan']);
    expect(stored(at.service).map(([, , , properties]) => properties)).toEqual([
      { Plan: 'pro' },
      { Plan: 'free' },
    ]);
  });

  test('are an error where two of a row are the same to the book', async () => {
    const at = await setUp({ variables: ['plan'] });
    at.file('people.csv', 'email,Plan,PLAN\nana@x.org,pro,free\n');
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('row 1: PLAN: the property plan occurs twice');
    expect(at.service.posted()).toEqual([]);
  });

  test('whose names no variable can have are an error with --add-variables, which names --map', async () => {
    const at = await setUp({ variables: ['city'] });
    at.file('people.csv', 'email,Company Name,City\nana@x.org,Ana Ltd,Rome\n');
    const refused = await at.import('people.csv', '--add-variables');
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr:
        'Error: --add-variables: "Company Name" cannot be the name of a variable; use letters, digits and _, such as company_name\n' +
        "Hint: Nothing was sent. To import it under another name: --map 'company_name=Company Name'\n",
    });
    expect(at.service.posted()).toEqual([]);
    expect(at.service.state.book.variables).toEqual(['city']);
    const line = 'contact import people.csv --book Customers --yes --add-variables --map';
    await at.world.run([...line.split(' '), 'company_name=Company Name']);
    expect(at.service.state.book.variables).toEqual(['city', 'company_name']);
  });

  test('that become variables of the book in the meantime arrive with their new names', async () => {
    const at = await setUp();
    at.file('people.csv', 'email,plan\nana@x.org,pro\n');
    at.service.state.stuck = true;
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 10 });
    at.service.state.book.variables.push('Plan');
    at.service.add('ana@x.org', { properties: { Plan: 'pro' } });
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.service.posted()).toHaveLength(1);
  });
});

describe('a book with double opt-in', () => {
  test('reports how many people get an email, and asks each once', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    const outcome = await at.run('contact import people.csv --book Customers');
    expect(outcome).toMatchObject({ exitCode: 2 });
    expect(outcome.stderr).toContain('3 people will get an email');
    expect(at.service.posted()).toEqual([]);
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('changes pending contacts one by one, which mails nobody', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.add('ana@example.org', { subscribed: false });
    at.file(
      'people.csv',
      'email,first name,subscribed\nana@example.org,Ana,true\nben@example.org,Ben,\n',
    );
    const outcome = await at.import('people.csv', '--results results.jsonl');
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(at.service.seen()).toContain('PATCH /book_1/contacts/ct_1');
    expect(at.service.contacts.get('ana@example.org')).toMatchObject({
      firstName: 'Ana',
      subscribed: false,
    });
    expect([...at.service.confirmations]).toEqual([['ben@example.org', 1]]);
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['changed', 'new']);
  });

  test('a request without a response is not repeated; what does not arrive is unknown, and waits for a yes', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) => (method === 'POST' ? 'never arrived' : 'answered');
    const outcome = await at.import('people.csv', '--json --results results.jsonl');
    expect(outcome.exitCode).toBe(10);
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    at.service.state.treat = () => 'answered';
    const { elapsed } = at.world.clock;
    const again = await at.import('people.csv', '--json');
    expect(again.exitCode).toBe(10);
    // It was waited for once.
    expect(at.world.clock.elapsed - elapsed).toBeLessThan(1000);
    expect(at.service.posted()).toEqual([]);
    expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, unknown: 3 });
    expect(failureOf(again).hint).toMatch(/To send them again: mailer .* --resend-unknown$/);
    const resent = await at.import('people.csv', '--json --resend-unknown');
    expect(resent.exitCode).toBe(0);
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('a lost response to a request that was carried out is no loss', async () => {
    const at = await setUp({ doubleOptIn: true, perRead: 1 });
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) => (method === 'POST' ? 'answer lost' : 'answered');
    expect(await at.import('people.csv', '--json')).toMatchObject({ exitCode: 0 });
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('counts as one if the service does not report it, so a request without a response is not repeated', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    const count = () => ({ contacts: at.service.contacts.size });
    const book = () => ({ id: 'book_1', name: 'Customers', _count: count() });
    at.service.state.treat = ({ method, path }) => {
      if (method === 'POST') return 'answer lost';
      if (path.endsWith('/contactBooks')) return { status: 200, body: [book()] };
      return path.endsWith('/book_1') ? { status: 200, body: book() } : 'answered';
    };
    const asked = await at.run('contact import people.csv --book Customers');
    expect(asked.stderr).toContain(
      'The service does not report whether the book has double opt-in: 3 people may get an email that asks for confirmation.',
    );
    const sync = await at.run('contact sync people.csv --book Customers');
    expect(sync.stderr).toContain('3 people may get an email that asks for confirmation. Add 3?');
    await at.import('people.csv');
    at.service.drain();
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('a 503 is reported at once, with the reason for not retrying', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 503, body: { error: { message: 'away' } } } : 'answered';
    const { exitCode, stderr } = await at.import('people.csv');
    expect(exitCode).toBe(10);
    expect(stderr).toContain(
      'Warning: The service responded with 503: away\n3 contacts of this request may still arrive. They are not retried, because the service could ask them twice to confirm.\n',
    );
    expect(at.service.posted()).toHaveLength(1);
  });

  test('another file asks nobody again whose contact may still arrive, and changes it once it is there', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.state.stuck = true;
    at.file('people.csv', three);
    at.file(
      'others.csv',
      `${three.replace('pro', 'team').replace('ana@', 'ANA@')}dora@example.org,,\n`,
    );
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 10 });
    const other = await at.import('others.csv', '--json');
    expect(failureOf(other).message).toContain('4 missing');
    at.service.state.stuck = false;
    expect(await at.import('others.csv')).toMatchObject({ exitCode: 0 });
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1, 1]);
    expect(at.service.contacts.get('ana@example.org')?.properties).toEqual({ plan: 'team' });
  });

  test('a sync that resumes its import compares with the book after that', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    const sync = 'contact sync people.csv --book Customers --yes';
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 401, body: {} } : 'answered';
    expect(await at.run(sync)).toMatchObject({ exitCode: 3 });
    at.service.state.treat = () => 'answered';
    expect(await at.run(sync)).toMatchObject({ exitCode: 0 });
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('--resend-unknown waits for what may still arrive, and sends only the rest again', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.state.stuck = true;
    at.service.state.dropped.add('cy@example.org');
    at.file('people.csv', three);
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(10);
    expect(failureOf(outcome).hint).toContain('--resend-unknown');
    let reads = 0;
    at.service.state.treat = ({ path }) => {
      if (path.includes('emails=')) at.service.state.stuck = ++reads < 3;
      if (reads > 5) at.service.state.dropped.clear();
      return 'answered';
    };
    expect(await at.import('people.csv', '--resend-unknown')).toMatchObject({ exitCode: 0 });
    expect(at.service.posted().map(({ length }) => length)).toEqual([3, 1]);
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('a change without a response is repeated, which mails nobody', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.add('ana@example.org', { subscribed: false });
    at.file('people.csv', 'email,first name\nana@example.org,Ana\n');
    at.service.state.treat = ({ method }) => (method === 'PATCH' ? 'never arrived' : 'answered');
    expect(await at.import('people.csv', '--retries 0')).toMatchObject({ exitCode: 7 });
    at.service.state.treat = () => 'answered';
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.service.contacts.get('ana@example.org')?.firstName).toBe('Ana');
    expect([...at.service.confirmations]).toEqual([]);
  });

  test('two imports at once are not both compared with the same book', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.file('others.csv', three.replace('pro', 'team'));
    const both = await Promise.all([at.import('people.csv'), at.import('others.csv', '--json')]);
    at.service.drain();
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 5]);
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });
});

describe('contacts that do not arrive', () => {
  test('are named when time is up, and waited for by the same command', async () => {
    const at = await setUp();
    at.service.state.dropped.add('ben@example.org');
    at.file('people.csv', three);
    const outcome = await at.import(
      'people.csv',
      '--json --wait-timeout 90s --results results.jsonl',
    );
    expect(outcome.exitCode).toBe(10);
    const { code, message, hint } = failureOf(outcome);
    expect(code).toBe('wait_timeout');
    expect(message).toContain('row 2 (ben@example.org): queued, and not in the book yet');
    expect(hint).toContain('To send the missing contacts again: mailer contact import people.csv');
    expect(at.world.clock.elapsed).toBeGreaterThan(89_000);
    expect(at.world.clock.elapsed).toBeLessThan(100_000);
    expect(at.service.requests.length).toBeLessThan(20);
    at.service.state.dropped.clear();
    expect(await at.import('people.csv', '--results results.jsonl')).toMatchObject({ exitCode: 0 });
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['unchanged', 'new', 'unchanged']);
    expect(at.service.posted().map(({ length }) => length)).toEqual([3, 1]);
  });
});

describe('contacts of an earlier import that do not arrive', () => {
  const why =
    '3 contacts of an earlier import may still arrive: waiting up to 60 s. They are not sent again, because the service could ask twice to confirm.\n';

  /** An import of three contacts into a book with double opt-in that ends early, and how to repeat it. */
  async function lost(how: 'in the queue' | 'on the way') {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.service.state.stuck = true;
    const ctrlC = new AbortController();
    at.service.state.treat = ({ method, path }) => {
      if (how === 'in the queue' && path.includes('emails=')) ctrlC.abort(new InterruptedError(''));
      if (how === 'on the way' && method === 'POST') {
        ctrlC.abort(new InterruptedError('Interrupted.'));
        return 'never arrived';
      }
      return 'answered';
    };
    const words = 'contact import people.csv --book Customers --yes';
    expect((await at.world.run(words, { signal: ctrlC.signal })).exitCode).toBe(130);
    at.service.state.treat = () => 'answered';
    const posted = at.service.posted().length;
    const repeat = async (line: string) => {
      const before = at.world.clock.elapsed;
      const outcome = await at.run(line);
      return { ...outcome, seconds: (at.world.clock.elapsed - before) / 1000 };
    };
    return { ...at, posted, words, repeat };
  }

  test.each(['in the queue', 'on the way'] as const)(
    '%s are waited for a minute, and named; they are not sent again',
    async (how) => {
      const { service, posted, words, repeat } = await lost(how);
      for (const line of [words, words.replace('import', 'sync'), words]) {
        const { exitCode, stderr, seconds } = await repeat(line);
        expect(exitCode).toBe(10);
        expect(seconds).toBeLessThan(62);
        if (seconds > 1) expect(stderr).toContain(why);
        expect(stderr).toMatch(/ana@example\.org.*ben@example\.org.*cy@example\.org/s);
        expect(stderr).toContain('--resend-unknown');
      }
      expect(service.posted()).toHaveLength(posted);
      const patient = await repeat(`${words} --wait-timeout 5s`);
      expect(patient.seconds).toBeLessThan(6);
    },
  );

  test('are asked for once more when the minute is over', async () => {
    const { service, words, repeat, world } = await lost('in the queue');
    const started = world.clock.elapsed;
    service.state.treat = () => {
      service.state.stuck = world.clock.elapsed - started < 60_000;
      return 'answered';
    };
    const { exitCode, seconds } = await repeat(words);
    expect({ exitCode, seconds }).toEqual({ exitCode: 0, seconds: 60 });
    expect([...service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('do not shorten the time that new contacts have', async () => {
    const { words, repeat, file, service } = await lost('in the queue');
    file('people.csv', `${three}dora@example.org,,\n`);
    const { exitCode, seconds } = await repeat(words);
    expect(exitCode).toBe(10);
    expect(seconds).toBeGreaterThan(290);
    expect(service.posted().map(({ length }) => length)).toEqual([3, 1]);
  });
});

describe('a run that stops', () => {
  /** An import of three contacts, interrupted by Ctrl-C while it waits for them to appear. */
  async function interrupted(options?: Options) {
    const at = await setUp(options);
    at.file('people.csv', three);
    at.service.state.stuck = options?.perRead === undefined;
    const ctrlC = new AbortController();
    let reads = 0;
    at.service.state.treat = ({ path }) => {
      if (path.includes('emails=') && ++reads === 2) {
        ctrlC.abort(new InterruptedError('Interrupted.'));
      }
      return 'answered';
    };
    const words = 'contact import people.csv --book Customers --yes';
    const outcome = await at.world.run(words, { signal: ctrlC.signal });
    at.service.state.treat = () => 'answered';
    at.service.state.stuck = false;
    return { ...at, outcome };
  }

  test('by Ctrl-C reports its progress, and the same command asks nobody again', async () => {
    const { outcome, service, import: again } = await interrupted({ doubleOptIn: true });
    expect(outcome.exitCode).toBe(130);
    expect(outcome.stderr).toContain(
      '0 of 3 contacts are known to be in the book so far, 3 may still arrive. To continue, run the same command again:\nmailer contact import people.csv --book Customers --yes\n',
    );
    const asked = await again('people.csv', '--json --results results.jsonl');
    expect(JSON.parse(asked.stdout)).toMatchObject({ new: 3, missing: 0 });
    expect(service.posted()).toHaveLength(1);
    expect([...service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('counts what has arrived of a request', async () => {
    const {
      outcome,
      service,
      import: again,
    } = await interrupted({ doubleOptIn: true, perRead: 1 });
    expect(outcome.stderr).toContain('1 of 3 contacts are known to be in the book so far, 2 may');
    const resumed = await again('people.csv', '--json');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ missing: 0 });
    expect([...service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('and starts with other content brings that into the book', async () => {
    const { file, import: importFile, service } = await interrupted();
    file('people.csv', three.replace('Ana', 'Anna'));
    expect(await importFile('people.csv')).toMatchObject({ exitCode: 0 });
    expect(service.contacts.get('ana@example.org')?.firstName).toBe('Anna');
  });

  test('of standard input is resumed by the same input', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.state.stuck = true;
    const words = 'contact import - --book book_1 --yes --wait-timeout 3s';
    expect(await at.world.run(words, { stdin: three })).toMatchObject({ exitCode: 10 });
    at.service.state.stuck = false;
    expect(await at.world.run(words, { stdin: three })).toMatchObject({ exitCode: 0 });
    expect(at.service.posted()).toHaveLength(1);
  });

  test('before it has sent anything compares with the book again when it is resumed', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) =>
      method === 'POST'
        ? { status: 403, body: { error: { code: 'FORBIDDEN', message: 'no' } } }
        : 'answered';
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 3 });
    at.service.state.treat = () => 'answered';
    at.service.add('ana@example.org', { subscribed: false });
    at.service.add('ben@example.org', { properties: { plan: 'free' } });
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(
      at.service
        .posted()
        .at(-1)
        ?.map(({ email }) => email),
    ).toEqual(['cy@example.org']);
    expect(at.service.contacts.get('ana@example.org')).toMatchObject({
      firstName: 'Ana',
      subscribed: false,
    });
    expect([...at.service.confirmations]).toEqual([['cy@example.org', 1]]);
  });

  test('that takes more than a minute looks again before it sends: who has signed up meanwhile is not asked', async () => {
    const at = await setUp({ doubleOptIn: true });
    const rows = Array.from({ length: 1500 }, (_, index) => `p${index}@example.org,Pat`);
    at.file('people.csv', ['email,first name', ...rows].join('\n'));
    let isFirst = true;
    at.service.state.treat = ({ method }) => {
      if (method === 'POST' && isFirst) {
        isFirst = false;
        at.world.clock.advance(61_000);
        at.service.add('p1400@example.org', { subscribed: false });
      }
      return 'answered';
    };
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    const posted = at.service.posted().flat();
    expect(posted.map(({ email }) => email)).not.toContain('p1400@example.org');
    expect(posted).toHaveLength(1499);
    expect(at.service.confirmations.get('p1400@example.org')).toBeUndefined();
    expect(at.service.contacts.get('p1400@example.org')).toMatchObject({ firstName: 'Pat' });
  });

  test('at a service that is away leaves the others unsent', async () => {
    const at = await setUp({ doubleOptIn: true });
    const rows = Array.from({ length: 4000 }, (_, index) => `p${index}@example.org`);
    at.file('people.csv', ['email', ...rows].join('\n'));
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 502, body: 'Bad Gateway' } : 'answered';
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 7 });
    expect(at.service.posted()).toHaveLength(2);
    at.service.state.treat = () => 'answered';
    const rest = await at.import('people.csv', '--json');
    expect(JSON.parse(rest.stdout)).toMatchObject({ new: 2000, unknown: 2000 });
  });
});

describe('concurrent requests', () => {
  /** An account and a file of 3,000 contacts. `treat` gets the number of bulk requests so far. */
  async function setUpMany(treat: (come: number) => Promise<Treatment>, options?: Options) {
    const at = await setUp(options);
    const rows = Array.from({ length: 3000 }, (_, index) => `p${index}@example.org`);
    at.file('people.csv', ['email', ...rows].join('\n'));
    let come = 0;
    at.service.state.treat = async ({ path }) =>
      path.endsWith('/bulk') ? await treat(++come) : 'answered';
    return at;
  }

  test('are two if nobody is mailed', async () => {
    const second = Promise.withResolvers<void>();
    const at = await setUpMany(async (come) => {
      if (come === 2) second.resolve();
      await second.promise;
      return 'answered';
    });
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.service.contacts.size).toBe(3000);
  });

  test('is one in a book with double opt-in', async () => {
    let [underWay, most] = [0, 0];
    const at = await setUpMany(
      async () => {
        most = Math.max(most, ++underWay);
        // Waits for as long as another request would take to arrive.
        await fetch(at.service.baseUrl);
        underWay--;
        return 'answered';
      },
      { doubleOptIn: true },
    );
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(most).toBe(1);
  });

  test('all end before the error of one is thrown, and what they sent is not sent again', async () => {
    const second = Promise.withResolvers<void>();
    const at = await setUpMany(async (come) => {
      if (come === 2) await second.promise;
      if (come !== 1) return 'answered';
      second.resolve();
      return { status: 403, body: { error: { code: 'FORBIDDEN', message: 'no' } } };
    });
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 3 });
    expect(at.service.posted().map(({ length }) => length)).toEqual([1000, 1000]);
    at.service.drain();
    const resumed = await at.import('people.csv', '--json');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ new: 2000, unchanged: 1000, missing: 0 });
    expect(at.service.posted().map(({ length }) => length)).toEqual([1000, 1000, 1000, 1000]);
    expect(at.service.contacts.size).toBe(3000);
  });
});

describe('a dry run', () => {
  test('compares with the book, and shows the first request', async () => {
    const at = await setUp();
    at.service.add('ana@example.org', { firstName: 'Ana', properties: { plan: 'pro' } });
    at.file('people.csv', three);
    const { exitCode, stdout, stderr } = await at.import('people.csv', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('2 new contacts, 0 changed, 1 unchanged.');
    expect(stdout).toMatch(/^POST .*\/v1\/contactBooks\/book_1\/contacts\/bulk\n/);
    expect(stdout).not.toContain('ana@example.org');
    expect(at.service.posted()).toEqual([]);
    expect(JSON.parse((await at.run('run list --json')).stdout)).toEqual([]);
  });

  test('needs no key', async () => {
    const at = await setUp();
    at.file('people.csv', three);
    const words = 'contact import people.csv --book Customers --dry-run --json';
    const { exitCode, stdout } = await at.world.run(words, { env: { MAILER_API_KEY: '' } });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).body).toHaveLength(3);
    expect(at.service.requests).toEqual([]);
  });
});

describe('contacts that the service rejects', () => {
  test('stop the import if it rejects all, unless with --keep-going', async () => {
    const at = await setUp();
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) =>
      method === 'POST'
        ? { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'closed' } } }
        : 'answered';
    const stopped = await at.import('people.csv', '--json');
    expect(stopped.exitCode).toBe(1);
    expect(errorOf(stopped)).toMatchObject({
      code: 'rejected',
      message: expect.stringMatching(/^row \d \(\w+@example\.org\): closed$/),
    });
    expect(errorOf(stopped).hint).toContain('--keep-going');
    const going = await at.import('people.csv', '--json --keep-going');
    expect(JSON.parse(going.stdout)).toMatchObject({ new: 0, rejected: 3 });
    at.service.state.treat = () => 'answered';
  });

  test('are taken out, and the others are sent', async () => {
    const at = await setUp();
    at.file('people.csv', three);
    at.service.state.treat = ({ method, body }) =>
      method === 'POST' && body.includes('ben@example.org')
        ? { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'no' } } }
        : 'answered';
    const outcome = await at.import('people.csv', '--json --results results.jsonl');
    expect(outcome.exitCode).toBe(11);
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['new', 'rejected', 'new']);
  });

  test('a service without bulk requests is reported', async () => {
    const at = await setUp();
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 404, body: '404 Not Found' } : 'answered';
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome).code).toBe('not_offered');
  });
});

test('a file is imported into a book of the sandbox, which asks everybody once', async () => {
  const world = createWorld();
  fileIn(world, 'people.csv', three);
  const inSandbox = (words: string) => world.run(`${words} --sandbox --yes`);
  await world.run('contact book create --name News --double-opt-in on --sandbox');
  const outcome = await inSandbox('contact import people.csv --book News --add-variables --json');
  expect(JSON.parse(outcome.stdout)).toMatchObject({ new: 3, missing: 0 });
  const again = await inSandbox('contact import people.csv --book News --json');
  expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, unchanged: 3 });
  await world.run('sandbox advance 1h');
  const emails = await world.run('email list --sandbox --all --jsonl --fields to');
  const asked = emails.stdout.match(/(ana|ben|cy)@example\.org/g);
  expect(asked?.sort()).toEqual(['ana@example.org', 'ben@example.org', 'cy@example.org']);
  const book = await world.run('contact book get News --sandbox --json');
  expect(JSON.parse(book.stdout)).toMatchObject({ variables: ['plan'] });
});

test('a service that is unavailable while contacts arrive is waited for, too', async () => {
  const at = await setUp({ perRead: 400 });
  const rows = Array.from({ length: 3000 }, (_, index) => `p${index}@example.org`);
  at.file('people.csv', ['email', ...rows].join('\n'));
  let reads = 0;
  at.service.state.treat = ({ path }) =>
    path.includes('emails=') && ++reads % 3 === 0 ? { status: 503, body: 'away' } : 'answered';
  const outcome = await at.import('people.csv', '--json --retries 0 --results results.jsonl');
  expect(outcome).toMatchObject({ exitCode: 0 });
  const ids = at.results().map(({ id }) => id);
  expect(new Set(ids).size).toBe(3000);
  for (const { email, id } of at.results()) expect(at.service.contacts.get(email)?.id).toBe(id);
});

describe('a policy', () => {
  const env = { MAILER_ALLOW_TO: '*@example.com' };
  const mixed = 'email\nana@example.com\nben@example.org\ncy@example.org\n';
  const importing = 'contact import p.csv --book Customers --yes --json';

  test('is compared with all rows before people are asked to confirm', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('p.csv', mixed);
    const outcome = await at.world.run(importing, { env });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(outcome.stderr).error).toMatchObject({
      code: 'policy',
      message: expect.stringContaining('2 rows of 3 cannot be imported:\nrow 2: ben@example.org:'),
      addresses: ['ben@example.org', 'cy@example.org'],
      hint: 'Nothing was sent. To import the others, add --skip-invalid.',
    });
    expect(at.service.contacts.size).toBe(0);
  });

  test('leaves out contacts that are not allowed, with --skip-invalid', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('p.csv', mixed);
    const line = `${importing} --skip-invalid --results results.jsonl`;
    expect(await at.world.run(line, { env })).toMatchObject({ exitCode: 11 });
    expect([...at.service.contacts.values()].map(({ email }) => email)).toEqual([
      'ana@example.com',
    ]);
    expect(at.results()).toContainEqual(
      expect.objectContaining({
        row: 2,
        outcome: 'policy',
        email: 'ben@example.org',
        rule: 'allow-to',
        place: 'MAILER_ALLOW_TO',
      }),
    );
  });

  test.each(['MAILER_MAX_RECIPIENTS', 'MAILER_MAX_PER_DAY'])(
    'counts all contacts at once: %s',
    async (name) => {
      const at = await setUp({ doubleOptIn: true });
      const emails = Array.from({ length: 1001 }, (_, index) => `p${index}@example.org`);
      at.file('p.csv', ['email', ...emails, ''].join('\n'));
      // The first of the two requests would be allowed if it were the only one.
      const outcome = await at.world.run(importing, { env: { [name]: '1000' } });
      expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
      expect(JSON.parse(outcome.stderr).error).toMatchObject({ code: 'policy', place: name });
      expect(at.service.contacts.size).toBe(0);
    },
  );

  test.each([
    ['MAILER_MAX_RECIPIENTS', '1000'],
    ['MAILER_MAX_PER_DAY', '1000'],
    ['MAILER_REDIRECT_TO', 'me@example.org'],
    ['MAILER_DENY_TO', 'p1000@example.org'],
  ])('that became stricter allows nothing of the rest: %s', async (name, value) => {
    const at = await setUp({ doubleOptIn: true });
    const emails = Array.from({ length: 1001 }, (_, index) => `p${index}@example.org`);
    at.file('p.csv', ['email', ...emails, ''].join('\n'));
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 401, body: {} } : 'answered';
    expect(await at.world.run(importing)).toMatchObject({ exitCode: 3 });

    at.service.state.treat = () => 'answered';
    const outcome = await at.world.run(importing, { env: { [name]: value } });
    expect(errorOf(outcome)).toMatchObject({ code: 'policy', place: name });
    expect(at.service.contacts.size).toBe(0);
  });

  test('does not concern a book that mails nobody', async () => {
    const at = await setUp();
    at.file('p.csv', mixed);
    expect(await at.world.run(importing, { env })).toMatchObject({ exitCode: 0 });
    expect(at.service.contacts.size).toBe(3);
  });
});

test('texts that programs write for no value are stored with a warning that counts them', async () => {
  const at = await setUp();
  const rows = ['NULL,#N/A', 'Null,pro', 'undefined,-'].map((row, n) => `p${n}@x.example,${row}\n`);
  at.file('people.csv', `email,first name,plan\n${rows.join('')}`);
  const { exitCode, stderr } = await at.import('people.csv');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const stored = 'It is stored as it is, and campaigns send it.\n';
  expect(stderr).toContain(`Warning: "firstName" is a text such as "NULL" in rows 1, 3. ${stored}`);
  expect(stderr).toContain(`Warning: "plan" is a text such as "#N/A" in row 1. ${stored}`);
});
