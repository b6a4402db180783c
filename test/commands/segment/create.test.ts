import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const words = ['segment', 'create', '--allow-duplicate', '--name', 'Pro', '--book', 'Customers'];
const book = { id: 'book_1', name: 'Customers' };
const reply = { id: 'seg_1', name: 'Pro', novel: 1 };

test('a segment by the name of its book; --json is the unmodified response', async () => {
  const { run, requests, sent } = await connected(
    { body: [{ id: 'book_1', name: 'Customers', variables: ['plan', 'city'] }] },
    { body: reply },
  );
  const conditions = ['--where', 'plan in pro,team', '--where', 'city~York', '--any'];
  const { stdout } = await run([...words, ...conditions, '--json']);
  expect(JSON.parse(stdout)).toEqual(reply);
  expect(requests()).toEqual(['GET /api/v1/contactBooks', 'POST /api/v1/segments']);
  expect(sent(1)).toEqual({
    name: 'Pro',
    contactBookId: 'book_1',
    rules: {
      match: 'any',
      conditions: [
        { field: 'properties.plan', op: 'in', value: ['pro', 'team'] },
        { field: 'properties.city', op: 'contains', value: 'York' },
      ],
    },
  });
});

test('a name that looks like an id is looked up before anything is created', async () => {
  const { run, requests, sent } = await connected(
    { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Not found' } } },
    { body: [{ id: 'book_1', name: 'customers', variables: ['plan'] }] },
    { body: reply },
  );
  const line = 'segment create --allow-duplicate --name Pro --book customers --where plan=pro';
  expect((await run(line)).stdout).toBe('seg_1\n');
  expect(requests().slice(1)).toEqual(['GET /api/v1/contactBooks', 'POST /api/v1/segments']);
  expect(sent(2)).toMatchObject({ contactBookId: 'book_1' });
});

test('prints the id, and the command that lists its contacts', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run([
    ...[...words, '--where', 'plan=pro', '--sandbox'],
  ]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    `Created segment Pro. To see who is in it: mailer segment preview ${stdout.trim()} --sandbox\n`,
  );
});

test.each([
  [['segment', 'create'], 'Missing --name, --book, --where'],
  [[...words, '--where', 'plan'], '--where: "plan" has no operator: =, !=, ~ or in'],
  [
    [...words, '--where', 'first_name=Ana'],
    '--where: "first_name=Ana" is ambiguous. Write firstName=Ana, or for a property properties.first_name=Ana',
  ],
  [[...words, '--where', 'Email in a@b.c'], 'Write email in a@b.c, or for a property'],
  [[...words, '--where', 'properties.=pro'], 'has no name of a property'],
  ...['subscribed=maybe', 'subscribed~y', 'subscribed in yes,no', 'subscribed=""'].map(
    (where): [string[], string] => [
      [...words, '--where', where],
      'must be subscribed=yes or subscribed=no',
    ],
  ),
])('%j: 2, and nothing is sent', async (line, message) => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('--dry-run prints the request and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run([
    ...[...words, '--where', 'plan!=pro', '--dry-run', '--json'],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: '{base_url}/v1/segments',
    body: {
      rules: { match: 'all', conditions: [{ field: 'properties.plan', op: 'neq', value: 'pro' }] },
    },
  });
});

test('--dry-run shows the name of a book unchanged', async () => {
  const { stdout } = await createWorld().run([
    ...['segment', 'create', '--name', 'Pro', '--book', "US$$ $& $'", '--where', 'plan=pro'],
    ...['--dry-run', '--json'],
  ]);
  expect(JSON.parse(stdout).body.contactBookId).toBe("US$$ $& $'");
});

test('a create whose response is lost is not repeated, and the error says so', async () => {
  const { run, requests } = await connected({ body: book }, (response) => response.destroy());
  const outcome = await run([
    ...[
      'segment',
      'create',
      '--allow-duplicate',
      '--name',
      'Pro',
      '--book',
      'book_1',
      '--where',
      'plan=pro',
      '--json',
    ],
  ]);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).hint).toContain('Check before you create it again:\nmailer segment list');
  expect(requests()).toHaveLength(2);
});

test('a service without segments: 4, not offered', async () => {
  const lacking = { status: 404, body: '404 Not Found' };
  const { run } = await connected(
    { body: { ...book, id: 'book_customers' } },
    lacking,
    { body: [] },
    { body: [] },
  );
  const line = [...words, '--where', 'plan=pro', '--json'];
  const outcome = await run(line.map((word) => (word === 'Customers' ? 'book_customers' : word)));
  expect([outcome.exitCode, errorOf(outcome).code]).toEqual([4, 'not_offered']);
});

test.each([
  ['plan=pro', { field: 'properties.plan', op: 'eq', value: 'pro' }],
  ['properties.plan=pro', { field: 'properties.plan', op: 'eq', value: 'pro' }],
  ['properties.email=x', { field: 'properties.email', op: 'eq', value: 'x' }],
  ['email~Example', { field: 'email', op: 'contains', value: 'Example' }],
  ['firstName!=Ana', { field: 'firstName', op: 'neq', value: 'Ana' }],
  ['lastName in Silva', { field: 'lastName', op: 'in', value: ['Silva'] }],
  ['subscribed=yes', { field: 'subscribed', op: 'eq', value: true }],
  ['subscribed=No', { field: 'subscribed', op: 'eq', value: false }],
  ['subscribed!=true', { field: 'subscribed', op: 'eq', value: false }],
  ['subscribed!=no', { field: 'subscribed', op: 'eq', value: true }],
])('%s is sent as the service names fields', async (where, condition) => {
  const { stdout } = await createWorld().run([...words, '--where', where, '--dry-run', '--json']);
  expect(JSON.parse(stdout).body.rules.conditions).toEqual([condition]);
});

test('a property is sent as the contact book spells it, and a note says so', async () => {
  const spelled = { ...book, variables: ['plan', 'City', 'city'] };
  const { run, sent } = await connected({ body: spelled }, { body: reply });
  const conditions = ['--where', 'Plan=pro', '--where', 'city~York', '--where', 'Other=x'];
  const line = [
    'segment',
    'create',
    '--allow-duplicate',
    '--name',
    'Pro',
    '--book',
    'book_1',
    ...conditions,
  ];
  const { stderr } = await run(line);
  expect(stderr).toMatch(/^--where: the contact book spells this property plan\.\nCreated segment/);
  expect(sent(1)).toMatchObject({
    rules: { conditions: ['plan', 'city', 'Other'].map((one) => ({ field: `properties.${one}` })) },
  });
});
