import { expect, test } from 'vitest';
import { type Answer, startRecorder } from '../support/recorder.ts';
import { createWorld, type World } from '../support/run.ts';
import { createWords } from './campaign/draft.ts';

const words = (line: string) => [...line.split(' '), '--sandbox'];

const lines: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'contact book',
    'contact book list',
    words('contact book create --name Readers --double-opt-in off'),
  ],
  [
    'segment',
    'segment list',
    words('segment create --name Free --book Customers --where plan=free'),
  ],
  ['campaign', 'campaign list', createWords('March')],
];

async function idsIn({ run }: World, list: string): Promise<string[]> {
  return (await run(`${list} --sandbox --quiet`)).stdout.split('\n').filter((id) => id !== '');
}

test.each(lines)(
  'a second %s of a name: 5, with the id and both flags',
  async (kind, list, create) => {
    const world = createWorld();
    const first = (await world.run([...create, '--quiet'])).stdout.trim();
    const before = await idsIn(world, list);
    const { exitCode, stdout, stderr } = await world.run(create);
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(`Error: The ${kind} "`);
    expect(stderr).toContain(`(${first}) exists already.`);
    expect(stderr).toContain('Nothing was created.');
    expect(stderr).toContain('add --if-missing, which prints its id');
    expect(stderr).toContain('add --allow-duplicate.');
    expect(await idsIn(world, list)).toEqual(before);
  },
);

test.each(lines)(
  'a second %s with --allow-duplicate; both stay usable by id',
  async (kind, list, create) => {
    const world = createWorld();
    const first = (await world.run([...create, '--quiet'])).stdout.trim();
    const again = await world.run([...create, '--allow-duplicate', '--quiet']);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await idsIn(world, list)).toEqual(expect.arrayContaining([first, again.stdout.trim()]));
    const third = await world.run([...create, '--json']);
    expect(third.exitCode).toBe(5);
    const { error } = JSON.parse(third.stderr);
    expect(error).toMatchObject({ code: 'conflict' });
    expect(error.message).toContain(`2 ${kind}s are named`);
    expect(error.message).toContain(first);
    expect(error.hint).not.toContain('--if-missing');
    for (const id of [first, again.stdout.trim()]) {
      const look =
        kind === 'segment' ? ['segment', 'preview', id] : [...kind.split(' '), 'get', id];
      expect((await world.run([...look, '--sandbox'])).exitCode).toBe(0);
    }
  },
);

test.each(lines)(
  'a %s: --if-missing and --allow-duplicate contradict each other',
  async (_, __, create) => {
    const { exitCode, stderr } = await createWorld().run([
      ...create,
      '--if-missing',
      '--allow-duplicate',
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'Error: --if-missing and --allow-duplicate cannot be used together\n',
    });
  },
);

test('a campaign that has been sent leaves its name; one that is not sent keeps it', async () => {
  const world = createWorld();
  const first = await world.run(createWords('Weekly', '--now', '--quiet'));
  await world.run(`campaign watch ${first.stdout.trim()} --sandbox`);
  expect((await world.run(createWords('Weekly'))).exitCode).toBe(0);
  expect((await world.run(createWords('Weekly'))).exitCode).toBe(5);
  await world.run(createWords('Later', '--scheduled-at', 'tomorrow 11am'));
  expect((await world.run(createWords('Later'))).exitCode).toBe(5);
  expect((await world.run(createWords('later'))).exitCode).toBe(0);
  const { id } = JSON.parse((await world.run(createWords('Paused', '--json'))).stdout);
  await world.run(`campaign pause ${id} --sandbox`);
  expect((await world.run(createWords('Paused', '--now'))).exitCode).toBe(5);
});

test('campaign create --if-missing prints the id of the same campaign, and makes one only once', async () => {
  const world = createWorld();
  const create = createWords('March', '--if-missing', '--quiet');
  const first = await world.run(create);
  expect(first.exitCode).toBe(0);
  expect(await world.run(create)).toEqual({ ...first, stderr: '' });
  const shown = await world.run(createWords('March', '--if-missing'));
  expect(shown.stderr).toBe('Campaign March exists already (DRAFT). Nothing was created.\n');
  const whole = await world.run(createWords('March', '--if-missing', '--json'));
  expect(JSON.parse(whole.stdout)).toMatchObject({ contactBookId: 'book_customers' });
});

test.each([
  [['--now'], 'but its status is DRAFT'],
  [['--scheduled-at', 'tomorrow 9am'], 'but its status is DRAFT'],
  [['--subject', 'Another'], 'but has another subject'],
  [['--from', 'other@example.com'], 'but has another sender'],
  [['--book', 'Leads'], 'but goes to another contact book'],
  [['--html', '<p>Other</p>{{usesend_unsubscribe_url}}'], 'but has another text'],
])('campaign create --if-missing %j for another draft: 5', async (more, how) => {
  const world = createWorld();
  await world.run('contact book create --name Leads --double-opt-in off --sandbox');
  await world.run(createWords('March'));
  const base = createWords('March', '--if-missing');
  const given = [
    ...base.filter((one, at) => !more.includes(one) && !more.includes(base[at - 1] ?? '')),
    ...more,
  ];
  const { exitCode, stdout, stderr } = await world.run(given);
  expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
  expect(stderr).toContain(how);
});

test('campaign create --if-missing takes one that is scheduled for the same time', async () => {
  const world = createWorld();
  const create = createWords('Later', '--if-missing', '--quiet', '--scheduled-at');
  const first = await world.run([...create, '2026-02-01T09:00Z']);
  expect(await world.run([...create, '2026-02-01T10:00+01:00'])).toEqual({ ...first, stderr: '' });
  const other = await world.run([...create, '2026-02-02T09:00Z']);
  expect(other.exitCode).toBe(5);
  expect(other.stderr).toContain('but its status is SCHEDULED');
});

test('campaign create --now of a campaign that was sent in the last day: 5, unless it differs', async () => {
  const world = createWorld();
  const create = createWords('March', '--now');
  const first = (await world.run([...create, '--quiet'])).stdout.trim();
  await world.run(`campaign watch ${first} --sandbox`);
  const again = await world.run(create);
  expect(again).toMatchObject({ exitCode: 5, stdout: '' });
  expect(again.stderr).toContain(`(${first}) exists already.`);
  expect(again.stderr).toContain('--allow-duplicate');
  expect(await idsIn(world, 'campaign list')).toHaveLength(1);
  const html = '<p>April</p>{{usesend_unsubscribe_url}}';
  const other = createWords('March', '--now', '--subject', 'April', '--html', html);
  expect(await world.run(other)).toMatchObject({ exitCode: 0 });
  expect(await world.run([...create, '--allow-duplicate'])).toMatchObject({ exitCode: 0 });
});

test('campaign create --if-missing with a start is carried out once, also after the campaign has been sent', async () => {
  const world = createWorld();
  const create = createWords('March', '--if-missing', '--now');
  const first = await world.run([...create, '--quiet']);
  await world.run(`campaign watch ${first.stdout.trim()} --sandbox`);
  const again = await world.run(create);
  expect(again.exitCode).toBe(0);
  expect(again.stdout).toContain(first.stdout.trim());
  expect(again.stderr).toBe('Campaign March exists already (SENT). Nothing was created.\n');
  const named = await world.run('campaign list --search March --sandbox --quiet');
  expect(named.stdout).toBe(first.stdout);
});

test.each([
  [
    'another subject and text',
    ['--now'],
    ['--subject', 'Another', '--html', '<p>April</p>{{usesend_unsubscribe_url}}'],
  ],
  ['another book', ['--now'], ['--book', 'Leads']],
  ['a draft', [], []],
  ['another time', ['--scheduled-at', '2026-02-02T09:00Z'], []],
])(
  'campaign create --if-missing creates %s under the name of one that has been sent',
  async (_, start, more) => {
    const world = createWorld();
    await world.run('contact book create --name Leads --double-opt-in off --sandbox');
    await world.run('contact add --book Leads --email ana@example.org --sandbox');
    const first = await world.run(createWords('March', '--now', '--quiet'));
    await world.run(`campaign watch ${first.stdout.trim()} --sandbox`);
    const words = createWords('March', '--if-missing', '--quiet', ...start, ...more);
    const other = await world.run(words);
    expect(other.exitCode).toBe(0);
    expect(other.stdout).not.toBe(first.stdout);
  },
);

const line = 'contact book create --name Readers --double-opt-in off';

/** Runs the line with a service that responds so. */
async function runWith(more: string, ...answers: readonly Answer[]) {
  const recorder = await startRecorder(...answers);
  const env = { MAILER_API_KEY: 'us_test_key', MAILER_BASE_URL: recorder.baseUrl };
  const outcome = await createWorld(env).run(`${line} ${more}`);
  return { ...outcome, methods: recorder.requests.map(({ method }) => method) };
}

test.each<[string, Answer]>([
  ['a service without a list', { status: 404, body: '404 Not Found' }],
  [
    'a key that may not list',
    { status: 403, body: { error: { code: 'FORBIDDEN', message: 'no' } } },
  ],
])('%s: that is said, and the book is created', async (_, refusal) => {
  const made = { body: { id: 'made_1', name: 'Readers' } };
  const { exitCode, stdout, stderr, methods } = await runWith('', refusal, made);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'made_1\n' });
  expect(stderr).toContain(
    'The service does not list the contact books, so one named "Readers" may exist already.\n',
  );
  expect(methods).toEqual(['GET', 'POST']);
});

test('a key that the service rejects is the only reason given', async () => {
  const refusal = {
    status: 403,
    body: { error: { code: 'FORBIDDEN', message: 'Invalid API token' } },
  };
  const { exitCode, stderr } = await runWith('', refusal, refusal, refusal);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/^Error: Invalid API token\n/);
  expect(stderr).not.toContain('does not list');
});

test('a list that fails for the moment: 7, nothing is created, and the flag that goes on is named', async () => {
  const down = { status: 503, body: 'down' };
  const { exitCode, stderr, methods } = await runWith('--retries 0', down);
  expect(exitCode).toBe(7);
  expect(stderr).toContain('Nothing was created, because the contact books could not be listed.');
  expect(stderr).toContain('add --allow-duplicate.');
  expect(methods).toEqual(['GET']);
});

test('a request that is wrong is an error before anything is looked up', async () => {
  const { exitCode, methods } = await runWith('--double-opt-in-from nobody');
  expect({ exitCode, methods }).toEqual({ exitCode: 2, methods: [] });
});

test('a dry run needs no key, and looks nothing up', async () => {
  const { run } = createWorld();
  for (const create of [
    line,
    'segment create --name Free --book book_1 --where plan=free',
    'campaign create --name March --from news@example.com --subject Hi --book book_1 --html x{{usesend_unsubscribe_url}}',
  ]) {
    const { exitCode, stdout } = await run(`${create} --dry-run`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('POST');
  }
});
