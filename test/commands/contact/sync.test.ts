import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { connected, errorOf, fileIn, key } from '../../support/connected.ts';
import { startContactService } from '../../support/contact-service.ts';
import { enter } from '../../support/keys.ts';
import type { Answer, Recorded } from '../../support/recorder.ts';
import { createWorld, type World } from '../../support/run.ts';
import { writesTo } from '../../support/writes.ts';

const people = ['ana', 'ben', 'cleo', 'dora'];
const line = 'contact sync people.csv --book People --sandbox';

/** A sandbox with four contacts in the book People, the last of whom is unsubscribed. */
async function worldWith(file: string, doubleOptInEnabled = false): Promise<World> {
  const world = createWorld();
  fileIn(world, 'people.csv', file);
  fileIn(world, 'seeds.json', {
    books: [{ id: 'book_people', name: 'People', variables: ['plan'], doubleOptInEnabled }],
    contacts: people.map((name) => ({
      book: 'People',
      email: `${name}@x.example`,
      firstName: name,
      subscribed: name !== 'dora',
      properties: { plan: 'free' },
    })),
  });
  await world.run('sandbox seed seeds.json --empty');
  return world;
}

/** The book, exported. */
async function bookOf(world: World): Promise<string[]> {
  world.clock.advance(5000);
  const { stdout } = await world.run('contact export --book People --sandbox');
  return stdout.trimEnd().split('\n').slice(1);
}

const file =
  'email,first name,plan\nana@x.example,ana,pro\nBEN@x.example,,\nemil@x.example,Emil,free\n';

test('kept contacts are only counted, except in documents', async () => {
  const world = await worldWith(file);
  const dry = `${line} --dry-run`;
  expect((await world.run(`${dry} --quiet`)).stdout).toBe('ana@x.example\nemil@x.example\n');
  const all = ['change', 'add', 'keep', 'keep'];
  expect((await world.run(`${dry} --json --jq .data[].action`)).stdout.trim().split('\n')).toEqual(
    all,
  );
  for (const flags of ['--jsonl --jq .action', '--csv --no-header --fields action']) {
    expect((await world.run(`${dry} ${flags}`)).stdout.trim().split(/\r?\n/)).toEqual(all);
  }
});

test('adds and changes contacts; contacts missing from the file are unchanged, and counted', async () => {
  const world = await worldWith(file);
  const { exitCode, stdout, stderr } = await world.run(`${line} --yes`);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: [
      'email\taction\tchanges',
      'ana@x.example\tchange\tproperties.plan: free → pro',
      'emil@x.example\tadd\t',
      '',
    ].join('\n'),
  });
  expect(stderr).toContain(
    'Contacts: 1 added; 1 changed; 1 unchanged; 2 not in the file, and kept.\n',
  );
  expect(await bookOf(world)).toEqual([
    'ana@x.example,ana,,true,pro',
    'ben@x.example,ben,,true,free',
    'cleo@x.example,cleo,,true,free',
    'dora@x.example,dora,,false,free',
    'emil@x.example,Emil,,true,free',
  ]);
});

test('a second time there is nothing to do, and nothing to confirm', async () => {
  const world = await worldWith(file);
  await world.run(`${line} --yes --unsubscribe-missing --max-missing 2`);
  const before = await writesTo(world);
  const again = await world.run(`${line} --unsubscribe-missing`);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).toContain(
    'Contacts: 0 added; 0 changed; 3 unchanged; 2 not in the file, and kept.',
  );
  expect(await writesTo(world)).toEqual(before);
});

test('--dry-run shows the same, and changes nothing', async () => {
  const world = await worldWith(file);
  const before = await bookOf(world);
  const { exitCode, stdout, stderr } = await world.run(`${line} --dry-run --delete-missing --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    effect: 'adds or changes 2 contacts; deletes 1 contact',
    added: 1,
    changed: 1,
    unchanged: 1,
    missing: 2,
    unsubscribed: 0,
    deleted: 1,
    stayUnsubscribed: 0,
    columnsToCheck: [],
    data: [
      {
        email: 'ana@x.example',
        action: 'change',
        changes: [{ field: 'properties.plan', from: 'free', to: 'pro' }],
      },
      { email: 'emil@x.example', action: 'add', changes: [] },
      { email: 'cleo@x.example', action: 'delete', changes: [] },
      { email: 'dora@x.example', action: 'keep', changes: [] },
    ],
  });
  expect(stderr).toContain('Dry run: nothing was sent.');
  expect(await bookOf(world)).toEqual(before);
  expect(await writesTo(world)).toEqual([]);
});

describe('a contact missing from the file', () => {
  test('is unsubscribed on request', async () => {
    const world = await worldWith(file);
    const { stdout, stderr } = await world.run(`${line} --yes --unsubscribe-missing`);
    expect(stdout).toContain('cleo@x.example\tunsubscribe\tsubscribed: true → false\n');
    expect(stderr).toContain('1 unsubscribed; 1 not in the file, and kept.');
    expect(await bookOf(world)).toContain('cleo@x.example,cleo,,false,free');
  });

  test('is deleted on request, unless unsubscribed', async () => {
    const world = await worldWith(file);
    const { stdout } = await world.run(`${line} --yes --delete-missing`);
    expect(stdout).toContain('cleo@x.example\tdelete\t\n');
    expect((await bookOf(world)).map((one) => one.split('@', 1)[0])).toEqual([
      'ana',
      'ben',
      'dora',
      'emil',
    ]);
  });

  test('is not somebody whose address differs in case, in the file or in the book', async () => {
    const world = await worldWith(
      'email\nANA@x.example\nBen@X.example\nCLEO@X.EXAMPLE\nzoe@x.example\n',
    );
    fileIn(world, 'zoe.json', { contacts: [{ book: 'People', email: 'Zoe@X.example' }] });
    await world.run('sandbox seed zoe.json');
    await world.run(`${line} --yes --delete-missing`);
    expect((await bookOf(world)).map((one) => one.split(',', 1)[0])).toEqual([
      'Zoe@X.example',
      ...people.map((name) => `${name}@x.example`),
    ]);
  });

  test('may be most of the book only if that is meant', async () => {
    const world = await worldWith('email\nemil@x.example\n');
    const before = await bookOf(world);
    for (const flag of ['--delete-missing', '--unsubscribe-missing']) {
      const { exitCode, stderr } = await world.run(`${line} --yes ${flag}`);
      expect(exitCode).toBe(2);
      expect(stderr).toBe(
        'Error: 3 contacts of 3 who have not unsubscribed are not in the file: more than --max-missing 50%. Nothing was sent.\nHint: Check that the file is complete. If it is: --max-missing 100%\n',
      );
    }
    expect(await world.run(`${line} --yes --delete-missing --max-missing 2`)).toMatchObject({
      exitCode: 2,
    });
    expect(await bookOf(world)).toEqual(before);
    expect(await writesTo(world)).toEqual([]);
    const meant = await world.run(`${line} --yes --delete-missing --max-missing 100%`);
    expect(meant).toMatchObject({ exitCode: 0 });
    expect(await bookOf(world)).toEqual([
      'dora@x.example,dora,,false,free',
      'emil@x.example,,,true,',
    ]);
  });

  test('is limited among those who have not unsubscribed: the others do not make a book larger', async () => {
    const world = await worldWith('email\nana@x.example\n');
    const { exitCode, stderr } = await world.run(`${line} --yes --delete-missing`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('2 contacts of 3 who have not unsubscribed are not in the file');
    expect(stderr).toContain('--max-missing 67%');
    expect(await writesTo(world)).toEqual([]);
    const meant = await world.run(`${line} --yes --delete-missing --max-missing 67%`);
    expect(meant).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['', 'people.csv is empty'],
    ['email,first name\n', 'people.csv contains no contacts'],
  ])('is nobody for a file without contacts: 2 (%j)', async (empty, message) => {
    const world = await worldWith(empty);
    const all = `${line} --yes --delete-missing --max-missing 100%`;
    const { exitCode, stderr } = await world.run(all);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(await bookOf(world)).toHaveLength(4);
  });
});

describe('an unsubscribed contact', () => {
  test('stays unsubscribed whatever the file has, and other fields may change', async () => {
    const world = await worldWith(
      `email,subscribed,plan\ndora@x.example,true,pro\n${['ana', 'ben', 'cleo'].map((one) => `${one}@x.example,true,\n`).join('')}`,
    );
    const { exitCode, stdout, stderr } = await world.run(`${line} --yes --unsubscribe-missing`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('1 unsubscribed before, and not subscribed again');
    expect(stdout).toContain('dora@x.example\tchange\tproperties.plan: free → pro\n');
    expect(await bookOf(world)).toContain('dora@x.example,dora,,false,pro');
  });
});

test('in a book with double opt-in, nobody is asked twice', async () => {
  const world = await worldWith('email,plan\nemil@x.example,a\n', true);
  const confirmations = async () => {
    world.clock.advance(10_000);
    const { stdout } = await world.run('email list --sandbox --json');
    return JSON.parse(stdout).data.filter(({ to }: { to: string[] }) =>
      to.includes('emil@x.example'),
    );
  };
  await world.run(`${line} --yes`);
  const first = (await confirmations()).length;
  fileIn(world, 'people.csv', 'email,plan\nemil@x.example,b\n');
  expect(await world.run(`${line} --yes`)).toMatchObject({ exitCode: 0 });
  expect(await bookOf(world)).toContain('emil@x.example,,,,b');
  expect((await confirmations()).length).toBe(first);
});

test.each([
  [
    '--delete-missing --unsubscribe-missing',
    '--unsubscribe-missing and --delete-missing cannot be used together',
  ],
  [
    '--delete-missing --skip-invalid',
    '--skip-invalid and --delete-missing cannot be used together',
  ],
  ['--max-missing 101%', '--max-missing: "101%" is neither a number nor a part such as 10%'],
  ['--max-missing -1', '--max-missing'],
  ['--max-missing 1.5', '--max-missing: "1.5" is neither'],
])('%s: 2, and nothing is sent', async (flags, message) => {
  const world = await worldWith(file);
  const { exitCode, stderr } = await world.run(`${line} --yes ${flags}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(await writesTo(world)).toEqual([]);
});

test('that was stopped is continued by the same command', async () => {
  const { baseUrl, state, contacts, add, posted } = await startContactService({
    doubleOptIn: true,
  });
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl });
  fileIn(world, 'people.csv', 'email\nana@x.example\n');
  add('ben@x.example');
  state.stuck = true;
  const sync =
    'contact sync people.csv --book Customers --yes --unsubscribe-missing --max-missing 100%';
  const begun = await world.run(sync);
  expect(begun.exitCode).toBe(10);
  state.stuck = false;
  expect(await world.run(sync)).toMatchObject({ exitCode: 0 });
  expect(posted()).toHaveLength(1);
  expect(contacts.get('ben@x.example')).toMatchObject({ subscribed: false });
});

test('an invalid row: 2, and nothing is sent', async () => {
  const world = await worldWith('email\nana@x.example\nno address\n');
  expect(await world.run(`${line} --yes --delete-missing`)).toMatchObject({ exitCode: 2 });
  expect(await bookOf(world)).toHaveLength(4);
});

test('without a terminal it needs --yes, and nothing is sent', async () => {
  const world = await worldWith(file);
  const { exitCode, stdout, stderr } = await world.run(`${line} --delete-missing`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(
    'Nothing was changed, because this needs confirmation: The book has 4 contacts. Add 1, change 1 and delete 1?',
  );
  expect(await writesTo(world)).toEqual([]);
});

test('a dry run without a key says that it needs one', async () => {
  const world = createWorld();
  fileIn(world, 'people.csv', file);
  const { exitCode } = await world.run('contact sync people.csv --book People --dry-run');
  expect(exitCode).toBe(3);
});

/** A service with these contacts in a book. `respond` may handle a request instead. */
async function serviceWith(
  emails: readonly string[],
  respond: (request: Recorded) => { status: number; body: unknown } | undefined = () => undefined,
) {
  const contacts = new Map(
    emails.map((email) => [
      `c_${email}`,
      { id: `c_${email}`, email, subscribed: true, properties: {} },
    ]),
  );
  const answer: Answer = (response, request) => {
    const { pathname } = new URL(request.path, 'http://x');
    const [, id = ''] = /contacts\/(.+)$/.exec(decodeURIComponent(pathname)) ?? [];
    const shown = { id: 'b1', name: 'People', _count: { contacts: contacts.size } };
    const own = respond(request);
    const isDeleted = own === undefined && request.method === 'DELETE' && contacts.delete(id);
    const body = pathname.endsWith('/contactBooks')
      ? [shown]
      : pathname.endsWith('/b1')
        ? shown
        : isDeleted
          ? { success: true }
          : [...contacts.values()].slice(0, 5000);
    const { status, body: told } = own ?? { status: 200, body };
    const text = typeof told === 'string' ? told : JSON.stringify(told);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const service = await connected(...Array<Answer>(200).fill(answer));
  return { ...service, left: () => [...contacts.values()].map(({ email }) => email) };
}

const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.example`);
const half = 'contact sync half.csv --book People --yes --delete-missing';

test('contacts are deleted one by one; after a failure, the same command continues', async () => {
  let deletes = 0;
  const { run, file, requests, left } = await serviceWith(all, ({ method }) => {
    if (method !== 'DELETE' || ++deletes !== 2) return undefined;
    return { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'not now' } } };
  });
  file('half.csv', `email\n${all.slice(3).join('\n')}\n`);
  const { exitCode, stderr } = await run(half);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    '1 of 3 missing contacts done. To continue, run the same command again.',
  );
  expect(left()).toEqual(all.slice(1));
  expect(await run(half)).toMatchObject({ exitCode: 0 });
  expect(left()).toEqual(all.slice(3));
  const deleted = requests().filter((one) => one.startsWith('DELETE'));
  expect(deleted).toHaveLength(4);
  expect(deleted[0]).toBe('DELETE /api/v1/contactBooks/b1/contacts/c_a%40x.example');
});

test('a contact deleted in the meantime counts as done', async () => {
  const { run, file } = await serviceWith(all, ({ method }) =>
    method === 'DELETE'
      ? { status: 404, body: { error: { code: 'NOT_FOUND', message: 'gone' } } }
      : undefined,
  );
  file('half.csv', `email\n${all.slice(3).join('\n')}\n`);
  expect(await run(half)).toMatchObject({ exitCode: 0 });
});

test("but a 404 that is not the service's own does not say that a contact is gone", async () => {
  const { run, file, left } = await serviceWith(all, ({ method }) =>
    method === 'DELETE' ? { status: 404, body: 'Not Found' } : undefined,
  );
  file('half.csv', `email\n${all.slice(3).join('\n')}\n`);
  const { exitCode, stderr } = await run(half);
  expect(exitCode).toBe(4);
  expect(stderr).toContain('This service does not have this operation for contacts.');
  expect(left()).toEqual(all);
});

test('a book of more contacts than the service lists cannot be compared', async () => {
  const many = Array.from({ length: 5001 }, (_, index) => `p${index}@x.example`);
  const { run, world, requests } = await serviceWith(many);
  writeFileSync(join(world.home, 'half.csv'), 'email\np1@x.example\n');
  const outcome = await run(`${half} --json`);
  expect(outcome.exitCode).toBe(2);
  const { message, hint } = errorOf(outcome);
  expect(message).toContain(
    'The book has 5,001 contacts, and the service lists at most 5,000 of them.',
  );
  expect(hint).toContain('mailer contact export --book People --emails-from half.csv');
  expect(requests().filter((one) => !one.startsWith('GET'))).toEqual([]);
});

test('the difference is shown above the question, once', async () => {
  const service = await startContactService();
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: service.baseUrl });
  for (const email of ['a@x.example', 'b@x.example', 'c@x.example']) service.add(email);
  service.add('d@x.example', { firstName: '\x1b[2J' });
  const others = `${'e'.repeat(60)}@x.example`;
  fileIn(world, 'people.csv', `email,first name\nd@x.example,Dora\n${others},\n`);
  const words = 'contact sync people.csv --book Customers --delete-missing --allow-http';
  const { exitCode, text } = await atTerminal(world.run, words, [
    [
      'Add 1, change 1 and delete 3? (y/N)',
      (_, screen) => {
        const shown = screen.rows.join('\n');
        expect(shown).toContain('~ d@x.example  firstName: \\x1b[2J → Dora');
        expect(shown).toMatch(/^\+ e{60}@x\.example +add$/m);
        expect(shown).toMatch(/^- c@x\.example +delete$/m);
        expect(shown).toMatch(
          /^Warning: 3 contacts of 4 who have not unsubscribed are not in the file: more\n +than --max-missing 50%\.$/m,
        );
        expect(service.contacts.size).toBe(4);
        return `y${enter}`;
      },
    ],
  ]);
  expect(exitCode).toBe(0);
  expect([...service.contacts.keys()].sort()).toEqual(['d@x.example', others]);
  expect(service.contacts.get('d@x.example')?.firstName).toBe('Dora');
  expect(text.match(/c@x\.example/g)).toHaveLength(1);
});

test('texts that programs write for no value are said', async () => {
  const world = await worldWith('email,first name\nana@x.example,None\n');
  const { exitCode, stderr } = await world.run(`${line} --yes`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stderr).toContain('"firstName" is a text such as "None" in row 1.');
});
