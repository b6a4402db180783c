import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import {
  down,
  everybody,
  onlyRun,
  repeat,
  rowsIn,
  runDirectory,
  runs,
  sentTo,
} from '../../../support/batch-run.ts';
import { accept, acceptAny, refuseNamed } from '../../../support/batch-service.ts';
import { type Connected, connected } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

const line = [
  ...['email', 'batch', 'people.csv', '--from', 'hello@example.com', '--subject', 'Hi'],
  ...['--text', 'Hello', '--yes', '--json'],
];
const people = 'to,cc\nana@example.com,\nben@example.org,\ncy@example.com,di@example.org\n';

type Env = Readonly<Record<string, string>>;

async function setUp(content = people, answer: Answer = accept): Promise<Connected> {
  const setup = await connected(answer);
  setup.file('people.csv', content);
  return setup;
}

function errorIn(stderr: string): Record<string, unknown> {
  return JSON.parse(stderr).error;
}

describe('a batch is refused whole, before anything leaves', () => {
  test.each<[rule: string, env: Env, message: string, addresses: readonly string[]]>([
    [
      'allow-to',
      { MAILER_ALLOW_TO: '*@example.com' },
      '2 rows of 3 cannot be sent:\nrow 2: ben@example.org: allow-to in MAILER_ALLOW_TO does not allow this\nrow 3: di@example.org: allow-to',
      ['ben@example.org', 'di@example.org'],
    ],
    [
      'deny-to',
      { MAILER_DENY_TO: 'di@example.org' },
      '1 row of 3 cannot be sent:\nrow 3: di@example.org: deny-to',
      ['di@example.org'],
    ],
    [
      'allow-from',
      { MAILER_ALLOW_FROM: '*@mail.example.com' },
      '3 rows of 3 cannot be sent:\nevery row: hello@example.com: allow-from',
      ['hello@example.com'],
    ],
    [
      'max-recipients',
      { MAILER_MAX_RECIPIENTS: '3' },
      'allows 3 recipients per command, not 4.',
      [],
    ],
    [
      'max-per-day',
      { MAILER_MAX_PER_DAY: '3' },
      'allows 3 recipients per day (UTC); 0 were mailed today, so 4 more are too many.',
      [],
    ],
    [
      'allow-to',
      { MAILER_REDIRECT_TO: 'me@example.net', MAILER_ALLOW_TO: '*@example.com' },
      'every row: me@example.net: allow-to',
      ['me@example.net'],
    ],
  ])('%s: %o', async (rule, env, message, addresses) => {
    const setup = await setUp();
    const outcome = await setup.run(line, { env });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(errorIn(outcome.stderr)).toMatchObject({
      code: 'policy',
      rule,
      message: expect.stringContaining(message),
      addresses,
    });
    expect(setup.service.requests).toEqual([]);
    expect(runs(setup.world)).toEqual([]);
    const dry = await setup.run([...line, '--dry-run'], { env });
    expect(errorIn(dry.stderr)).toEqual(errorIn(outcome.stderr));
  });
});

describe('--skip-invalid', () => {
  const env = { MAILER_ALLOW_TO: '*@example.com' };
  const error = {
    code: 'policy',
    message: 'ben@example.org: allow-to in MAILER_ALLOW_TO does not allow this',
    rule: 'allow-to',
    place: 'MAILER_ALLOW_TO',
  };
  const expected = [
    { row: 1, to: 'ana@example.com', emailId: 'em_ana@example.com' },
    { row: 2, to: 'ben@example.org', error },
    {
      row: 3,
      to: 'cy@example.com',
      error: { ...error, message: error.message.replace('ben', 'di') },
    },
    { row: 4, to: 'nobody', error: { code: 'invalid', message: expect.stringMatching(/^to: /) } },
  ];

  test('sends the rows that are allowed; the results name the rule of the others, and its place', async () => {
    const setup = await setUp(`${people}nobody,\n`);
    const words = [...line, '--skip-invalid', '--results', 'out.jsonl'];
    const outcome = await setup.run(words, { env });
    expect(outcome.exitCode).toBe(11);
    expect(sentTo(setup)).toEqual(['ana@example.com']);
    expect(JSON.parse(outcome.stdout).data).toEqual(expected);
    const read = (name: string) => readFileSync(join(setup.world.home, name), 'utf8');
    expect(rowsIn(read('out.jsonl'))).toEqual(expected);
    await setup.run(words.with(-1, 'out.csv'), { env });
    expect(read('out.csv').split('\r\n')[2]).toBe(`2,ben@example.org,,policy,${error.message}`);
  });

  test('counts only the rows that it sends', async () => {
    const setup = await setUp();
    const limits = { MAILER_MAX_RECIPIENTS: '1', MAILER_MAX_PER_DAY: '1' };
    const outcome = await setup.run([...line, '--skip-invalid'], { env: { ...env, ...limits } });
    expect(outcome.exitCode).toBe(11);
    expect(sentTo(setup)).toEqual(['ana@example.com']);
  });
});

test('redirect-to: every email goes to that address alone, each for whom it was', async () => {
  const setup = await setUp(people, {
    body: { data: ['a', 'b', 'c'].map((emailId) => ({ emailId })) },
  });
  const outcome = await setup.run(line, { env: { MAILER_REDIRECT_TO: 'me@example.net' } });
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout).data[0]).toEqual({
    ...{ row: 1, to: 'ana@example.com', redirectedTo: 'me@example.net', emailId: 'a' },
  });
  const sent = setup.service.requests.flatMap(({ body }) => JSON.parse(body));
  expect(sent).toMatchObject([
    { to: 'me@example.net', headers: { 'X-Mailer-Redirected-For': 'ana@example.com' } },
    { to: 'me@example.net', headers: { 'X-Mailer-Redirected-For': 'ben@example.org' } },
    {
      to: 'me@example.net',
      headers: { 'X-Mailer-Redirected-For': 'cy@example.com, di@example.org' },
    },
  ]);
  expect(sent.some((email) => 'cc' in email)).toBe(false);
});

test.each<[rule: string, env: Env]>([
  ['allow-to', { MAILER_ALLOW_TO: '' }],
  ['deny-to', { MAILER_DENY_TO: '*@*' }],
  ['allow-from', { MAILER_ALLOW_FROM: '' }],
  ['max-recipients', { MAILER_MAX_RECIPIENTS: '0' }],
  ['max-per-day', { MAILER_MAX_PER_DAY: '0' }],
])('a run that was stopped does not go past %s that was set since', async (rule, env) => {
  const setup = await connected({ status: 503 });
  setup.file('people.csv', people);
  expect((await setup.run([...line, '--retries', '0'])).exitCode).toBe(7);
  const sent = setup.service.requests.length;
  for (const words of [line, ['run', 'resume', onlyRun(setup.world), '--yes', '--json']]) {
    const outcome = await setup.run(words, { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorIn(outcome.stderr)).toMatchObject({ code: 'policy', rule });
  }
  expect(setup.service.requests.slice(sent).filter(({ method }) => method === 'POST')).toEqual([]);
});

test.each<[rule: string, env: Env]>([
  ['deny-to', { MAILER_DENY_TO: 'p300@example.org' }],
  ['allow-to', { MAILER_ALLOW_TO: everybody(299).join(' ') }],
])('a rule that was set since, about the last email: nothing is sent by %s', async (rule, env) => {
  const setup = await connected(accept, down);
  setup.file('people.csv', ['to', ...everybody(300), ''].join('\n'));
  const words = [...line, '--concurrency', '1', '--retries', '0'];
  expect((await setup.run(words)).exitCode).toBe(7);
  const sent = sentTo(setup).length;
  const resume = ['run', 'resume', onlyRun(setup.world), '--yes', '--json'];
  for (const again of [words, resume]) {
    const outcome = await setup.run(again, { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorIn(outcome.stderr)).toMatchObject({ rule, addresses: everybody(300).slice(-1) });
  }
  expect(sentTo(setup)).toHaveLength(sent);
});

test('a run that was stopped is not resumed under another redirect', async () => {
  const setup = await connected({ status: 503 });
  setup.file('people.csv', people);
  const redirected = { MAILER_REDIRECT_TO: 'me@example.net' };
  expect((await setup.run([...line, '--retries', '0'], { env: redirected })).exitCode).toBe(7);
  const run = onlyRun(setup.world);
  const sent = setup.service.requests.length;
  const resume = async (env: Env) =>
    errorIn((await setup.run(['run', 'resume', run, '--yes', '--json'], { env })).stderr);
  expect(await resume({})).toMatchObject({
    ...{ code: 'policy', rule: 'redirect-to', place: `run ${run}`, addresses: [] },
    message: 'This run was prepared with redirect-to me@example.net, which is no longer set.',
  });
  expect(await resume({ MAILER_REDIRECT_TO: 'di@example.net' })).toMatchObject({
    ...{ code: 'policy', rule: 'redirect-to', place: 'MAILER_REDIRECT_TO' },
    message:
      'This run was prepared with redirect-to me@example.net, which is now di@example.net in MAILER_REDIRECT_TO.',
  });
  const shown = await setup.run(['run', 'resume', run, '--dry-run']);
  expect(shown).toMatchObject({ exitCode: 2, stdout: '' });
  expect(shown.stderr).toContain('redirect-to me@example.net, which is no longer set.');
  expect(shown.stderr).toContain('or start another run from the file, with --again=2.');
  expect(setup.service.requests).toHaveLength(sent);
});

test('a run that was stopped is not resumed under a redirect that was set since', async () => {
  const setup = await connected({ status: 503 });
  setup.file('people.csv', people);
  await setup.run([...line, '--retries', '0']);
  const words = ['run', 'resume', onlyRun(setup.world), '--yes', '--json'];
  const outcome = await setup.run(words, { env: { MAILER_REDIRECT_TO: 'me@example.net' } });
  expect(errorIn(outcome.stderr).message).toBe(
    'This run was prepared without redirect-to, which is now me@example.net in MAILER_REDIRECT_TO.',
  );
});

describe('a limit counts recipients, each once', () => {
  const copied = (rows: number) =>
    ['to,cc', ...everybody(rows).map((to) => `${to},copy@example.org`), ''].join('\n');
  const oneByOne = [...line, '--concurrency', '1', '--retries', '0'];
  const resume = async ({ world, run }: Connected, env: Env) =>
    await run(['run', 'resume', onlyRun(world), '--concurrency', '8', '--yes', '--json'], { env });
  const served = async (rows: string, ...answers: readonly Answer[]) => {
    const setup = await connected(...answers);
    setup.file('people.csv', rows);
    return setup;
  };

  test.each([
    ['max-recipients', 'MAILER_MAX_RECIPIENTS', 'allows 1,000 recipients per command, not 1,600.'],
    [
      'max-per-day',
      'MAILER_MAX_PER_DAY',
      'allows 1,000 recipients per day (UTC); 0 were mailed today, so 1,400 more are too many.',
    ],
  ])('copies included, before a run is resumed: %s', async (rule, name, message) => {
    const setup = await served(copied(900), accept, down);
    expect((await setup.run(oneByOne)).exitCode).toBe(7);
    const outcome = await resume(setup, { [name]: '1000' });
    expect(outcome.exitCode).toBe(2);
    expect(errorIn(outcome.stderr)).toMatchObject({
      rule,
      message: expect.stringContaining(message),
    });
    expect(setup.service.requests).toHaveLength(2);
  });

  test('of requests at the same time, too', async () => {
    const rejected = refuseNamed(...everybody(300));
    const setup = await served(copied(400), ...repeat(3, rejected), down, ...repeat(4, accept));
    expect((await setup.run([...oneByOne, '--keep-going'])).exitCode).toBe(7);
    const before = setup.service.requests.length;
    // Rejected emails are sent again, although they may be rejected again.
    const outcome = await resume(setup, { MAILER_MAX_RECIPIENTS: '500' });
    expect(outcome.exitCode).toBe(11);
    expect(errorIn(outcome.stderr)).toMatchObject({ rule: 'max-recipients' });
    expect(setup.service.requests.slice(before)).toHaveLength(2);
    // Those over the limit were certainly not sent.
    const { stdout } = await setup.run('run list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ unanswered: 0 }]);
  });

  test.each(['MAILER_MAX_RECIPIENTS', 'MAILER_MAX_PER_DAY'])(
    'also if one is rejected, and the others are sent without it: %s',
    async (name) => {
      const setup = await served(
        ['to', ...everybody(500), ''].join('\n'),
        ...repeat(6, refuseNamed('p151@example.org')),
      );
      const outcome = await setup.run(oneByOne, { env: { [name]: '500' } });
      expect(outcome.exitCode).toBe(11);
      expect(sentTo(setup)).toHaveLength(100 + 100 + 300 + 99);
    },
  );

  test('for a day, which another command may reach meanwhile: some emails are sent by then', async () => {
    const env = { MAILER_MAX_PER_DAY: '200' };
    const one = [
      ...['email', 'send', '--from', 'hello@example.com', '--to', 'other@example.org'],
      ...['--subject', 'Hi', '--text', 'Hello', '--yes'],
    ];
    const setup = await served(
      ['to', ...everybody(200), ''].join('\n'),
      (response, request) => {
        void setup.run(one, { env }).then(() => accept(response, request));
      },
      acceptAny,
      accept,
    );
    const outcome = await setup.run(oneByOne, { env });
    expect(outcome.exitCode).toBe(11);
    expect(errorIn(outcome.stderr)).toMatchObject({ code: 'partial', rule: 'max-per-day' });
    expect(errorIn(outcome.stderr).hint).toContain('100 of 200 emails are accepted so far');
    expect(setup.requests()).toEqual(['POST /api/v1/emails/batch', 'POST /api/v1/emails']);
    expect((await resume(setup, {})).exitCode).toBe(0);
    expect(setup.requests()).toHaveLength(3);
  });

  test('for a day, without a request that the journal could not record', async () => {
    const setup = await served(['to', ...everybody(200), ''].join('\n'), (response, request) => {
      const journal = new DatabaseSync(join(runDirectory(setup), 'journal.sqlite'));
      journal.exec(`CREATE TRIGGER fail BEFORE UPDATE ON part WHEN new.state = 'begun'
        BEGIN SELECT RAISE(ABORT, 'no room'); END`);
      journal.close();
      accept(response, request);
    });
    const env = { MAILER_MAX_PER_DAY: '200' };
    const outcome = await setup.run(oneByOne, { env });
    expect(outcome.exitCode).not.toBe(0);
    expect(setup.service.requests).toHaveLength(1);
    const { stdout } = await setup.run('policy show --json', { env });
    expect(JSON.parse(stdout)).toMatchObject({ mailedToday: [{ mailed: 100 }] });
  });

  test('for a day, of each shard by itself; for a command, of the whole file', async () => {
    const setup = await served(copied(200), accept, accept);
    for (const shard of ['1/2', '2/2']) {
      const words = [...line, '--shard', shard];
      const whole = await setup.run(words, { env: { MAILER_MAX_RECIPIENTS: '399' } });
      expect(errorIn(whole.stderr).message).toContain(
        'allows 399 recipients per command, not 400.',
      );
      const few = await setup.run(words, { env: { MAILER_MAX_PER_DAY: '199' } });
      expect(errorIn(few.stderr).message).toContain('so 200 more are too many');
      expect((await setup.run(words, { env: { MAILER_MAX_PER_DAY: '400' } })).exitCode).toBe(0);
    }
    expect(sentTo(setup)).toHaveLength(200);
  });
});

describe('--preview', () => {
  const preview = [...line.filter((word) => word !== '--yes'), '--preview', '9'];

  test('shows what a redirect makes of the emails', async () => {
    const setup = await setUp();
    const outcome = await setup.run(preview, { env: { MAILER_REDIRECT_TO: 'me@example.net' } });
    expect(JSON.parse(outcome.stdout)).toMatchObject([
      { row: 1, to: 'me@example.net', subject: '[to ana@example.com] Hi' },
      { row: 2, to: 'me@example.net', subject: '[to ben@example.org] Hi' },
      { row: 3, to: 'me@example.net', subject: '[to cy@example.com, di@example.org] Hi' },
    ]);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('refuses a row as sending does, or leaves it out', async () => {
    const setup = await setUp();
    const env = { MAILER_ALLOW_TO: '*@example.com' };
    expect(errorIn((await setup.run(preview, { env })).stderr)).toMatchObject({
      ...{ code: 'policy', rule: 'allow-to', place: 'MAILER_ALLOW_TO' },
      message: 'row 2: ben@example.org: allow-to in MAILER_ALLOW_TO does not allow this',
      addresses: ['ben@example.org'],
    });
    const { stdout } = await setup.run([...preview, '--skip-invalid'], { env });
    expect(JSON.parse(stdout)).toMatchObject([{ row: 1, to: 'ana@example.com' }]);
  });
});
