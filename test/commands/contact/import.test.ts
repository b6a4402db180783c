import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { errorOf, failureOf, fileIn, key } from '../../support/connected.ts';
import { type ContactService, startContactService } from '../../support/contact-service.ts';
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
    /** Imports a file, without questions. */
    import: (file: string, more = '') =>
      world.run(`contact import ${file} --book Customers --yes ${more}`),
  };
}

const three =
  'email,first name,plan\nana@example.org,Ana,pro\nben@example.org,,free\ncy@example.org,Cy,\n';

/** What the service has, by address. */
function stored({ contacts }: ContactService) {
  return [...contacts.values()].map(({ email, firstName, subscribed, properties }) => [
    email,
    firstName,
    subscribed,
    properties,
  ]);
}

describe('a file', () => {
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
      'GET /book_1/contacts?emails=ana%40example.org%2Cben%40example.org%2Ccy%40example.org',
    ]);
    expect(at.results()).toEqual([
      { row: 1, email: 'ana@example.org', outcome: 'new', id: 'ct_1' },
      { row: 2, email: 'ben@example.org', outcome: 'new', id: 'ct_2' },
      { row: 3, email: 'cy@example.org', outcome: 'new', id: 'ct_3' },
    ]);
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

  test('who has unsubscribed stays so and is named, whatever else changes', async () => {
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
    expect(outcome.stderr).toContain('2 are unsubscribed and will stay so.');
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
    const runs = await at.run('run list --json');
    expect(JSON.parse(runs.stdout)).toMatchObject([{ kind: 'contact import', state: 'complete' }]);
  });

  test('a book of more than 5,000 contacts is asked for the addresses of the file', async () => {
    const at = await setUp();
    for (let index = 0; index < 5001; index++) at.service.add(`p${index}@example.org`);
    at.file('people.csv', 'email\np5000@example.org\nnew@example.org\n');
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(at.service.posted()).toEqual([[{ email: 'new@example.org', properties: {} }]]);
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
    expect(hint).toBe('Nothing was sent. To import the others: --skip-invalid.');
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
      hint: 'Nothing was sent. To take the last row of each address: --last-wins.',
    });
    const last = await at.import('people.csv', '--last-wins --json --results results.jsonl');
    expect(last.exitCode).toBe(0);
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['duplicate', 'new', 'new']);
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
  test('are told, and become variables with --add-variables, beside those there are', async () => {
    const at = await setUp({ variables: ['city'] });
    at.file('people.csv', three);
    const { stderr } = await at.import('people.csv');
    expect(stderr).toContain('Campaigns cannot use "plan"');
    await at.import('people.csv', '--add-variables');
    expect(at.service.state.book.variables).toEqual(['city', 'plan']);
  });
});

describe('a book with double opt-in', () => {
  test('says how many people get an email, and asks each once', async () => {
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
    expect(outcome.exitCode).toBe(11);
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    at.service.state.treat = () => 'answered';
    const again = await at.import('people.csv', '--json');
    expect(again.exitCode).toBe(11);
    expect(at.service.posted()).toEqual([]);
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

  test('another import waits as long as contacts may still arrive', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.service.state.stuck = true;
    at.file('people.csv', three);
    at.file('others.csv', three.replace('pro', 'team'));
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 10 });
    const other = await at.import('others.csv', '--json');
    expect(errorOf(other).message).toContain('Another import into Customers is not complete');
    at.service.state.stuck = false;
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect(await at.import('others.csv')).toMatchObject({ exitCode: 0 });
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('two imports at once are not both compared with the same book', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.file('others.csv', three.replace('pro', 'team'));
    const both = await Promise.all([at.import('people.csv'), at.import('others.csv', '--json')]);
    at.service.drain();
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
  });

  test('an import that was stopped is not resumed while contacts of another may still arrive', async () => {
    const at = await setUp({ doubleOptIn: true });
    at.file('people.csv', three);
    at.file('others.csv', three.replace('pro', 'team'));
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 401, body: {} } : 'answered';
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 3 });
    at.service.state.treat = () => 'answered';
    at.service.state.stuck = true;
    expect(await at.import('others.csv')).toMatchObject({ exitCode: 10 });
    const refused = await at.import('people.csv', '--json');
    expect(errorOf(refused).message).toContain('Another import into Customers is not complete');
    at.service.state.stuck = false;
    expect(await at.import('others.csv')).toMatchObject({ exitCode: 0 });
    expect(await at.import('people.csv')).toMatchObject({ exitCode: 0 });
    expect([...at.service.confirmations.values()]).toEqual([1, 1, 1]);
    expect(at.service.contacts.get('ana@example.org')?.properties).toEqual({ plan: 'pro' });
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
    expect(hint).toContain('mailer run resume');
    expect(at.world.clock.elapsed).toBeGreaterThan(89_000);
    expect(at.world.clock.elapsed).toBeLessThan(100_000);
    expect(at.service.requests.length).toBeLessThan(20);
    at.service.state.dropped.clear();
    expect(await at.import('people.csv', '--results results.jsonl')).toMatchObject({ exitCode: 0 });
    expect(at.results().map(({ outcome }) => outcome)).toEqual(['new', 'new', 'new']);
    expect(at.service.posted().map(({ length }) => length)).toEqual([3, 1]);
  });
});

describe('contacts that the service rejects', () => {
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

  test('a service without bulk requests is said so', async () => {
    const at = await setUp();
    at.file('people.csv', three);
    at.service.state.treat = ({ method }) =>
      method === 'POST' ? { status: 404, body: '404 Not Found' } : 'answered';
    const outcome = await at.import('people.csv', '--json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome).code).toBe('not_offered');
  });
});
