import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { connected, errorOf, failureOf, fileIn } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const line = 'contact export --book Customers';

/** A contact as a service returns it. */
function contact(email: string, fields: object = {}) {
  const names = { firstName: null, lastName: null };
  const subscription = { subscribed: true, unsubscribeReason: null };
  return { id: `c_${email}`, email, ...names, ...subscription, properties: {}, ...fields };
}

/** A service with one book of `count` contacts, of which its list returns these. */
async function serviceWith(
  contacts: readonly object[],
  count = contacts.length,
  book: object = {},
) {
  const shown = {
    id: 'b1',
    name: 'Customers',
    variables: [],
    ...book,
    _count: { contacts: count },
  };
  const all = new Map(contacts.map((one) => ['email' in one ? one.email : '', one]));
  const answer: Answer = (response, { path }) => {
    const url = new URL(path, 'http://localhost');
    const emails = url.searchParams.get('emails');
    const found =
      emails === null ? contacts.slice(0, 5000) : emails.split(',').map((one) => all.get(one));
    const isList = url.pathname === '/api/v1/contactBooks';
    const isBook = url.pathname === '/api/v1/contactBooks/b1';
    const body = isList ? [shown] : isBook ? shown : found.filter(Boolean);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  return await connected(...Array<Answer>(100).fill(answer));
}

function people(count: number) {
  return Array.from({ length: count }, (_, index) =>
    contact(`p${String(index).padStart(5, '0')}@example.org`),
  );
}

describe('a book', () => {
  test('is CSV by default, by address, with a column for each property', async () => {
    const { exitCode, stdout, stderr } = await createWorld().run(`${line} --sandbox`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'email,firstName,lastName,subscribed,plan',
      'bounced+dmitri@example.com,Dmitri,Ivanov,true,free',
      'clicked+chloe@example.com,Chloe,Martin,true,pro',
    ]);
    expect(lines).toContain('delivered+liam@example.com,Liam,Walsh,false,free');
    expect(lines).toHaveLength(14);
    expect(lines.slice(1)).toEqual(lines.slice(1, -1).toSorted().concat(''));
  });

  test('is the same to the byte whatever the order in which a service lists it', async () => {
    const properties = [
      { b: '1', a: '2' },
      { a: '2', b: '1' },
    ];
    const [one, other] = await Promise.all(
      [0, 1].map(async (order) => {
        const contacts = ['é@x.example', 'Z@x.example', 'a@x.example'].map((email) =>
          contact(email, { properties: properties[order] }),
        );
        const { run } = await serviceWith(order === 0 ? contacts : contacts.reverse());
        return [(await run(line)).stdout, (await run(`${line} --jsonl`)).stdout];
      }),
    );
    expect(other).toEqual(one);
    expect(one?.[0]).toBe(
      'email,firstName,lastName,subscribed,a,b\nZ@x.example,,,true,2,1\na@x.example,,,true,2,1\né@x.example,,,true,2,1\n',
    );
  });

  test('has names and values of any kind', async () => {
    const { run } = await serviceWith([
      contact('a@x.example', {
        firstName: 'Ana "B"',
        lastName: 'two\nlines',
        properties: { note: '=1+1', emoji: '🙂, ü', __proto__x: 'y', constructor: 'z', blank: ' ' },
      }),
    ]);
    expect((await run(line)).stdout).toBe(
      'email,firstName,lastName,subscribed,__proto__x,constructor,emoji,note\na@x.example,"Ana ""B""","two\nlines",true,y,z,"🙂, ü",=1+1\n',
    );
    expect((await run(`${line} --csv-safe`)).stdout).toContain(",'=1+1\r\n");
  });

  test('has no value for the subscription of unconfirmed contacts', async () => {
    const { run } = await serviceWith([
      contact('gone@x.example', { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' }),
      contact('in@x.example'),
      contact('pending@x.example', { subscribed: false }),
    ]);
    expect((await run(`${line} --fields email,subscribed --no-header`)).stdout).toBe(
      'gone@x.example,false\nin@x.example,true\npending@x.example,\n',
    );
    const { stdout } = await run(`${line} --jsonl`);
    expect(JSON.parse(stdout.split('\n')[2] ?? '')).toEqual({
      email: 'pending@x.example',
      firstName: null,
      lastName: null,
      subscribed: null,
      properties: {},
    });
  });

  test('spells properties as its variables do, and has a column for each variable', async () => {
    const contacts = [
      contact('a@x.example', {
        properties: { Plan: 'old', plan: 'new', city: 'Rio', CITY: 'Bonn' },
      }),
      contact('b@x.example', { properties: { PLAN: 'pro' } }),
    ];
    const { run } = await serviceWith(contacts, 2, { variables: ['plan', 'unused'] });
    expect((await run(line)).stdout).toBe(
      'email,firstName,lastName,subscribed,CITY,city,plan,unused\na@x.example,,,true,Bonn,Rio,new,\nb@x.example,,,true,,,pro,\n',
    );
  });

  test('has columns of their own for properties with the names of fields', async () => {
    const names = { 'First Name': 'x', EMAIL: 'y', 'properties.a': 'z', subscribed: 'w' };
    const properties = { ...names, 'Correo electrónico': 'v' };
    const { run } = await serviceWith([contact('a@x.example', { properties })]);
    expect((await run(line)).stdout).toBe(
      'email,firstName,lastName,subscribed,properties.Correo electrónico,properties.EMAIL,properties.First Name,properties.properties.a,properties.subscribed\na@x.example,,,true,v,y,x,z,w\n',
    );
  });

  test('that is empty is a header', async () => {
    const { run } = await serviceWith([]);
    expect(await run(line)).toEqual({
      exitCode: 0,
      stdout: 'email,firstName,lastName,subscribed\n',
      stderr: 'The contact book is empty.\n',
    });
  });

  test('is JSON, addresses or some fields, as in any list', async () => {
    const { run } = await serviceWith([contact('a@x.example', { properties: { plan: 'pro' } })]);
    expect(JSON.parse((await run(`${line} --json`)).stdout)).toMatchObject([
      { email: 'a@x.example', properties: { plan: 'pro' } },
    ]);
    expect((await run([...line.split(' '), '--jq', '.[].email'])).stdout).toBe('a@x.example\n');
    expect((await run(`${line} -q`)).stdout).toBe('a@x.example\n');
    expect((await run(`${line} --fields plan,email`)).stdout).toBe('plan,email\npro,a@x.example\n');
    expect((await run(`${line} --jsonl --fields plan`)).stdout).toBe('{"plan":"pro"}\n');
    expect(await run(`${line} --fields plam`)).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('does nothing to a terminal', async () => {
    const { run } = await serviceWith([contact('a@x.example', { firstName: '\x1b[2J' })]);
    const { stdout } = await run(line, { terminal: 80 });
    expect(stdout).not.toContain('\x1b[2J');
    expect(stdout).toContain('email,firstName');
  });

  test('must be named', async () => {
    expect(await createWorld().run('contact export --sandbox')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Missing --book'),
    });
    expect(await createWorld().run('contact export --book Nobody --sandbox')).toMatchObject({
      exitCode: 4,
    });
  });

  test('of a service without contact books is not offered', async () => {
    // It has domains.
    const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome).code).toBe('not_offered');
  });
});

test('a shell reads addresses line by line: LF in a pipe, CRLF with --csv and in a file', async () => {
  const { run } = createWorld();
  const line = 'contact export --book Customers --sandbox';
  const { stdout } = await run(`${line} --fields email --no-header`);
  const addresses = stdout.trimEnd().split('\n');
  expect(addresses).toContain('delivered+ana@example.com');
  expect(stdout).not.toContain('\r');
  const asked = await run(`${line} --fields email --no-header --csv`);
  expect(asked.stdout).toBe(addresses.map((one) => `${one}\r\n`).join(''));
});

describe('a file', () => {
  test('is private, and has the same content as stdout', async () => {
    const world = createWorld();
    expect(await world.run(`${line} --sandbox --output out.csv`)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Exported 12 contacts to out.csv.\n',
    });
    const path = join(world.home, 'out.csv');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { stdout } = await world.run(`${line} --sandbox --csv --output -`);
    expect(readFileSync(path, 'utf8')).toBe(stdout);
  });

  test.each([
    ['out.jsonl', '--jsonl'],
    ['out.NDJSON', '--jsonl'],
    ['out.json', '--json'],
    ['out.txt', '--csv'],
  ])('%s is as with %s, unless flags say otherwise', async (name, flag) => {
    const world = createWorld();
    await world.run(`${line} --sandbox --output ${name}`);
    const content = () => readFileSync(join(world.home, name), 'utf8');
    expect(content()).toBe((await world.run(`${line} --sandbox ${flag}`)).stdout);
    await world.run(`${line} --sandbox --csv-safe --yes --output ${name}`);
    expect(content()).toBe((await world.run(`${line} --sandbox --csv-safe`)).stdout);
  });

  test('that exists is replaced only after confirmation, and before that nothing is asked for', async () => {
    const { run, world, file, requests } = await serviceWith(people(2));
    const path = join(world.home, file('out.csv', 'mine'));
    chmodSync(path, 0o644);
    const refused = await run(`${line} --output out.csv`);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'Nothing was written, because this needs confirmation: Replace out.csv?',
    );
    expect([readFileSync(path, 'utf8'), requests()]).toEqual(['mine', []]);
    expect(await run(`${line} --output out.csv --yes`)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path, 'utf8')).toContain('p00001@example.org');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('stays as it was if the book cannot be read', async () => {
    const { run, world, file } = await connected({
      status: 400,
      body: { error: { message: 'no' } },
    });
    file('out.csv', 'mine');
    expect(await run(`${line} --output out.csv --yes`)).toMatchObject({ exitCode: 1 });
    expect(readFileSync(join(world.home, 'out.csv'), 'utf8')).toBe('mine');
  });

  test('that cannot be written is a usage error', async () => {
    const world = createWorld();
    expect(await world.run(`${line} --sandbox --output no/out.csv`)).toMatchObject({
      exitCode: 2,
      stderr: 'Error: --output: no/out.csv cannot be written: its directory does not exist\n',
    });
    expect(existsSync(join(world.home, 'no'))).toBe(false);
  });

  test('is not filtered', async () => {
    const words = [...line.split(' '), '--sandbox', '--output', 'out.json', '--jq', '.'];
    expect(await createWorld().run(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--jq and --output cannot be used together'),
    });
  });
});

describe('a book of more contacts than the service lists', () => {
  const everyone = people(5600);
  const addresses = everyone.map(({ email }) => email);

  test('is incomplete: 11, with the contacts it got', async () => {
    const { run } = await serviceWith(everyone);
    const { exitCode, stdout, stderr } = await run(line);
    expect(exitCode).toBe(11);
    expect(stdout.split('\n')).toHaveLength(5002);
    expect(stderr).toBe(
      'Error: The export has 5,000 of 5,600 contacts. The service lists at most 5,000 contacts of a book.\nHint: To add those whose addresses you have in a file: mailer contact export --book Customers --emails-from FILE\n',
    );
    const asJson = await run(`${line} --json`);
    expect(failureOf(asJson).code).toBe('partial');
  });

  test('does not replace a file, which may be whole', async () => {
    const { run, world, file } = await serviceWith(everyone);
    file('all.csv', 'mine');
    const outcome = await run(`${line} --output all.csv --yes`);
    expect(outcome).toMatchObject({ exitCode: 11, stdout: '' });
    expect(outcome.stderr).toContain('of a book. all.csv was not changed.\n');
    expect(outcome.stderr).toContain(
      'To save the contacts that were found, name another file with --output.\n',
    );
    expect(readFileSync(join(world.home, 'all.csv'), 'utf8')).toBe('mine');
    expect(await run(`${line} --output new.csv`)).toMatchObject({ exitCode: 11 });
    expect(readFileSync(join(world.home, 'new.csv'), 'utf8').split('\r\n')).toHaveLength(5002);
  });

  test('is complete with the addresses of the others, which take few requests', async () => {
    const { run, file, service } = await serviceWith(everyone);
    file('all.csv', `name,E-Mail\n${addresses.map((one) => `x,${one}`).join('\n')}\n`);
    const { exitCode, stdout, stderr } = await run(`${line} --emails-from all.csv`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(5602);
    const asked = service.requests.slice(3).map(({ path }) => path);
    // 600 addresses of 20 characters each.
    expect(asked).toHaveLength(2);
    expect(asked.every((path) => path.length < 8000)).toBe(true);
  });

  test('is incomplete if addresses of some are not in the file', async () => {
    const { run, file } = await serviceWith(everyone);
    file('some.txt', `${addresses.slice(0, 5200).join('\n')}\n`);
    expect(await run(`${line} --emails-from some.txt --output out.csv`)).toMatchObject({
      exitCode: 11,
      stdout: '',
      stderr: expect.stringContaining(
        'The export has 5,200 of 5,600 contacts. The service lists at most 5,000 contacts of a book, and some.txt does not have the addresses of all others.',
      ),
    });
  });

  test('is whole if contacts were deleted since they were counted', async () => {
    const shown = (contacts: number) => ({ id: 'b1', name: 'Customers', _count: { contacts } });
    const { run, requests } = await connected(
      { body: [shown(3)] },
      { body: people(2) },
      { body: shown(2) },
    );
    expect(await run(line)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests()).toHaveLength(3);
  });

  test('is whole if a service does not count, and lists fewer', async () => {
    const book = { id: 'b1', name: 'Customers' };
    const { run } = await connected({ body: [book] }, { body: people(2) });
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    const full = await connected({ body: [book] }, { body: people(5000) }, { body: book });
    const { exitCode, stderr } = await full.run(line);
    expect(exitCode).toBe(11);
    expect(stderr).toContain('The export has 5,000 contacts.');
  });
});

describe('the addresses to ask for', () => {
  const wanted = ['a@x.example', 'b@x.example'];

  test.each([
    ['lines', 'list', 'a@x.example\nb@x.example\n'],
    ['lines without an end', 'list', 'a@x.example\n\n b@x.example'],
    ['CSV', 'csv', 'Email Address;plan\na@x.example;"x;y"\nb@x.example;\n;z\n'],
    ['CSV with a second column', 'csv', 'Email,Secondary Email\na@x.example,b@x.example\n'],
    ['JSON', 'json', '[{"email":"a@x.example"},{"email":"b@x.example","properties":{}}]'],
    [
      'JSON Lines, compressed',
      'gz',
      gzipSync('{"email":"a@x.example"}\n{"email":"b@x.example"}\n'),
    ],
  ])('are read from %s', async (_, name, content) => {
    const { run, file, service } = await serviceWith(
      wanted.map((one) => contact(one)),
      9000,
    );
    file(name, content);
    await run(`${line} --emails-from ${name}`);
    // The list had all of them, so none needs a request of its own.
    expect(service.requests).toHaveLength(3);
    const other = await serviceWith([], 2);
    fileIn(other.world, name, content);
    await other.run(`${line} --emails-from ${name}`);
    const asked = new URL(other.service.requests[3]?.path ?? '', 'http://x').searchParams;
    expect(asked.get('emails')).toBe(wanted.join(','));
  });

  test('come from stdin, and one with a comma is left out', async () => {
    const { run, service } = await serviceWith([], 2);
    await run(`${line} --emails-from -`, { stdin: 'email\n"""a,b""@x.example"\nb@x.example\n' });
    expect(service.requests.at(-1)?.path).toContain('?emails=b@x.example');
  });

  test.each([
    ['without the column', 'name,city\nAna,Rio\n', 'row 1 has no column "email", but name, city'],
    ['that is empty', '', 'is empty'],
    ['that is no JSON', '{"email":\n', 'row 1 is not JSON'],
  ])('in a file %s: 2, and nothing is sent', async (_, content, message) => {
    const { run, file, requests } = await serviceWith([]);
    file('people', content);
    const { exitCode, stderr } = await run(`${line} --emails-from people`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});
