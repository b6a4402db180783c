import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { journalVersion } from '../../../src/lib/runs/bulk/journal/journal-schema.ts';
import {
  down,
  everybody,
  impatient,
  keys,
  line,
  onlyRun,
  repeat,
  rowsIn,
  runDirectory,
  runs,
  sentTo,
  setUp,
} from '../../support/batch-run.ts';
import { accept, emailsIn, refuseNamed } from '../../support/batch-service.ts';
import { type Connected, connected, errorOf, failureOf, key } from '../../support/connected.ts';
import { peopleCsv } from '../../support/people.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';

const otherKey = 'us_other_0987654321';

/** A run of 250 rows: 100 are accepted, 100 have no response, and 50 were not sent. */
async function broken(words = impatient): Promise<Connected> {
  const setup = await setUp(250, accept, down, ...repeat(6, accept));
  expect((await setup.run(words)).exitCode).toBe(7);
  return setup;
}

const resume = ({ world }: Connected, ...words: readonly string[]) => [
  ...['run', 'resume', onlyRun(world).slice(0, 8), '--yes'],
  ...words,
];

test('sends what is left, without the file, and repeats requests without a response under the same key', async () => {
  const setup = await broken();
  rmSync(join(setup.world.home, 'people.csv'));
  const { exitCode, stdout, stderr } = await setup.run(resume(setup, '--quiet'));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.split('\n')).toHaveLength(251);
  expect(sentTo(setup).slice(100)).toEqual([
    ...everybody(250).slice(100, 200),
    ...everybody(250).slice(100),
  ]);
  expect(keys(setup)[2]).toBe(keys(setup)[1]);
  expect(setup.service.requests[2]?.body).toBe(setup.service.requests[1]?.body);
});

test('resumes from another directory with the text as it was, and the results beside those of the first command', async () => {
  const setup = await setUp(250, accept, down, accept, accept);
  setup.file('news.md', 'Hello *{{ name }}*');
  const words = [...impatient.filter((word) => !['--text', 'Hello'].includes(word)), '--results'];
  const first = await setup.run([...words, 'results.jsonl', '--markdown-file', 'news.md']);
  expect(first.exitCode).toBe(7);
  setup.file('news.md', 'Other text');
  const state = join(setup.world.home, '.local', 'state', 'mailer');
  const elsewhere = createWorld({ ...setup.world.env, MAILER_STATE_DIR: state });
  expect(await elsewhere.run('run resume @last --yes')).toMatchObject({ exitCode: 0 });
  expect(setup.service.requests[3]?.body).toContain('Hello <em>Name 250</em>');
  const results = readFileSync(join(setup.world.home, 'results.jsonl'), 'utf8');
  expect(rowsIn(results).map(({ to }) => to)).toEqual(everybody(250));
});

test('@last is the newest run, also for run get and run delete', async () => {
  const { run, world, file } = await setUp(150, accept, down, accept, down, accept);
  await run(impatient);
  const [first = ''] = runs(world);
  world.clock.advance(60_000);
  file('others.csv', peopleCsv(120).replaceAll('@example.org', '@example.net'));
  await run(impatient.with(2, 'others.csv'));
  const others = join(world.home, 'others.csv');
  expect((await run('run get @last --fields file,left --quiet')).stdout).toBe(`${others}\n20\n`);
  expect((await run('run resume @last --yes')).stderr).toBe('Accepted 120 of 120 emails.\n');
  expect((await run('run delete @last --yes')).exitCode).toBe(0);
  expect(runs(world)).toEqual([first]);
  await run('run delete @last --yes');
  expect(await run('run resume @last --yes')).toMatchObject({
    exitCode: 4,
    stderr:
      'Error: There are no runs.\nHint: To list all runs: mailer run list --all\nImports of contacts are no runs: to resume one, repeat its command.\n',
  });
});

test('resumes what came from stdin, which it does not read', async () => {
  const setup = await connected(accept, down, accept);
  const words = impatient.map((word) => (word === 'people.csv' ? '-' : word));
  expect((await setup.run(words, { stdin: peopleCsv(150) })).exitCode).toBe(7);
  const done = await setup.run(resume(setup), { stdin: peopleCsv(3) });
  expect(done).toMatchObject({ exitCode: 0, stderr: 'Accepted 150 of 150 emails.\n' });
  expect(sentTo(setup).slice(150)).toEqual(everybody(150).slice(100));
});

test('asks first, as the same command line would', async () => {
  const setup = await broken();
  const outcome = await setup.run(['run', 'resume', onlyRun(setup.world), '--json']);
  expect(outcome.exitCode).toBe(2);
  expect(errorOf(outcome).message).toContain('150 of 250 emails are left');
  expect(setup.service.requests).toHaveLength(2);
});

test.each([
  ['', []],
  ['of a second sending', ['--again=2']],
  ['of a shard', ['--shard', '1/2']],
])('is the command that the error of a broken run names: a run %s', async (_, flags) => {
  const setup = await setUp(600, accept, down, ...repeat(9, accept));
  const { stderr } = await setup.run([...impatient, ...flags]);
  const short = `${onlyRun(setup.world).slice(0, 8)}${flags[0] === '--shard' ? '-1of2' : ''}`;
  expect(stderr).toContain(
    `To resume without sending anything twice:\nmailer run resume ${short} --yes\nOr run the same command again:\nmailer email batch people.csv `,
  );
  expect(await setup.run(`run resume ${short} --yes`)).toMatchObject({ exitCode: 0 });
  expect(runs(setup.world)).toHaveLength(1);
  const [kept] = JSON.parse((await setup.run('run list --json')).stdout);
  expect(kept).toMatchObject({ state: 'complete', left: 0 });
});

test('that breaks off again names itself', async () => {
  const setup = await setUp(250, accept, down, down, accept, accept);
  await setup.run(impatient);
  const { exitCode, stderr } = await setup.run(resume(setup, '--rate', '5'));
  expect(exitCode).toBe(7);
  const [, hint = ''] = stderr.split('Hint: ');
  expect(hint).toMatch(
    /^100 of 250 emails are accepted so far, .* twice:\nmailer run resume [0-9a-f]{8} --yes\n$/,
  );
});

test('shows a run that is complete as the same command line does, and sends nothing', async () => {
  const setup = await setUp(3, accept);
  const first = await setup.run(line);
  const { exitCode, stdout, stderr } = await setup.run(resume(setup));
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: first.stdout });
  expect(stderr).toMatch(
    /^This run is already complete; nothing was sent\. .* email batch with --again=2\n/,
  );
  expect(setup.service.requests).toHaveLength(1);
});

test('sends unknown emails with --resend-unknown; get and the error name that', async () => {
  const setup = await broken();
  setup.world.clock.advance(24 * 3_600_000);
  const outcome = await setup.run(resume(setup, '--json'));
  expect(outcome.exitCode).toBe(11);
  const short = onlyRun(setup.world).slice(0, 8);
  const named = `mailer run resume ${short} --resend-unknown`;
  expect(failureOf(outcome).hint).toBe(
    `Emails whose outcome is unknown may have been sent. To send them again: ${named}`,
  );
  expect((await setup.run(`run get ${short}`)).stderr).toContain(
    `To send emails whose outcome is unknown again: ${named}\n`,
  );
  expect(await setup.run(resume(setup, '--resend-unknown'))).toMatchObject({ exitCode: 0 });
  expect(sentTo(setup).slice(-100)).toEqual(everybody(250).slice(100, 200));
  expect((await setup.run(`run get ${short}`)).stderr).toContain('This run is complete.\n');
});

test('get says how to resume a run', async () => {
  const setup = await broken();
  const { stderr } = await setup.run(`run get ${onlyRun(setup.world)}`);
  expect(stderr).toBe(`To resume it: mailer run resume ${onlyRun(setup.world).slice(0, 8)}\n`);
});

test('prints with --dry-run the request that is sent next, and needs no key', async () => {
  const setup = await broken();
  const words = ['run', 'resume', onlyRun(setup.world), '--dry-run', '--json'];
  const { exitCode, stdout } = await setup.run(words, { env: { MAILER_API_KEY: '' } });
  expect(exitCode).toBe(0);
  const { headers, body } = JSON.parse(stdout);
  expect(headers['Idempotency-Key'] ?? headers['idempotency-key']).toBe(keys(setup)[1]);
  expect(body).toEqual(JSON.parse(setup.service.requests[1]?.body ?? ''));
  expect(setup.service.requests).toHaveLength(2);
});

test('names with --dry-run the service of the run where no base URL is set', async () => {
  const setup = await broken();
  const words = ['run', 'resume', onlyRun(setup.world), '--dry-run', '--json'];
  const { stdout } = await setup.run(words, { env: { MAILER_API_KEY: '', MAILER_BASE_URL: '' } });
  expect(JSON.parse(stdout).url).toBe(`${setup.service.baseUrl}/v1/emails/batch`);
});

test('prints with --dry-run no request again that the service may have forgotten', async () => {
  const setup = await broken();
  setup.world.clock.advance(24 * 3_600_000);
  const words = ['run', 'resume', onlyRun(setup.world), '--dry-run'];
  const { stdout, stderr } = await setup.run([...words, '--json']);
  expect(JSON.parse(stdout).body).toHaveLength(50);
  expect(stdout).toContain('p201@example.org');
  expect(stderr).toContain('The outcome of 100 emails is unknown: there was no response');
  expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 11 });
  expect(sentTo(setup).slice(200)).toEqual(everybody(250).slice(200));
});

test('prints with --dry-run only what is left of a request that was rejected in part', async () => {
  const setup = await setUp(3, refuseNamed('p1@example.org'), down);
  await setup.run(impatient);
  const words = ['run', 'resume', onlyRun(setup.world), '--dry-run', '--json'];
  const { headers, body } = JSON.parse((await setup.run(words)).stdout);
  expect(headers['Idempotency-Key'] ?? headers['idempotency-key']).toBe(keys(setup)[1]);
  expect(body).toEqual(JSON.parse(setup.service.requests[1]?.body ?? ''));
});

test('prints with --dry-run no request again that was accepted for some of its emails', async () => {
  const setup = await setUp(3, { body: { data: [{ emailId: 'em_1' }] } }, down);
  expect((await setup.run(impatient)).exitCode).toBe(7);
  const { exitCode, stdout, stderr } = await setup.run([
    ...['run', 'resume', onlyRun(setup.world), '--dry-run'],
  ]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toBe('There is nothing to send.\n');
});

describe('the flags about sending', () => {
  const read = ({ world }: Connected, name: string) =>
    rowsIn(readFileSync(join(world.home, name), 'utf8'));

  test('apply as given', async () => {
    const setup = await broken([...impatient, '--results', 'sent.jsonl']);
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect(read(setup, 'sent.jsonl')).toHaveLength(250);
    // As with --concurrency 1, one request at a time, first the one without a response.
    expect(sentTo(setup).slice(200, 300)).toEqual(everybody(250).slice(100, 200));
  });

  test('change if given again, from then on', async () => {
    const setup = await setUp(250, accept, down, down, accept, accept);
    await setup.run([...impatient, '--results', 'one.jsonl']);
    await setup.run(resume(setup, '--results', 'two.jsonl'));
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect(read(setup, 'two.jsonl')).toHaveLength(250);
    expect(readdirSync(setup.world.home)).not.toContain('one.jsonl');
  });

  test('are those of the last command line that sent something', async () => {
    const setup = await setUp(250, accept, down, down, accept, accept);
    await setup.run(impatient);
    await setup.run([...impatient, '--results', 'sent.jsonl']);
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect(read(setup, 'sent.jsonl')).toHaveLength(250);
  });

  test('are unchanged without a yes', async () => {
    const setup = await broken();
    const words = ['run', 'resume', onlyRun(setup.world), '--results', 'sent.jsonl'];
    expect((await setup.run(words)).exitCode).toBe(2);
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect(readdirSync(setup.world.home)).not.toContain('sent.jsonl');
  });

  test('name no pipe, which no longer exists', async () => {
    const setup = await connected(accept, down, ...repeat(2, accept));
    execFileSync('mkfifo', [join(setup.world.home, 'pipe')]);
    setup.file('people.csv', peopleCsv(250));
    await setup.run([...impatient, '--results', 'pipe']);
    rmSync(join(setup.world.home, 'pipe'));
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect(readdirSync(setup.world.home)).not.toContain('pipe');
  });

  test('must not have the results replace the input', async () => {
    const setup = await broken();
    const outcome = await setup.run(resume(setup, '--results', 'people.csv', '--json'));
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('is the same file as FILE');
  });

  test('that say what is sent are refused', async () => {
    const setup = await broken();
    for (const flag of ['--subject', '--shard', '--idempotency-key', '--header']) {
      const outcome = await setup.run(resume(setup, flag, '1/2', '--json'));
      expect(outcome.exitCode).toBe(2);
      expect(errorOf(outcome).message).toBe(`run resume has no ${flag}`);
    }
  });
});

/** Changes the header of the only run in the journal. */
function change(setup: Connected, to: (header: Record<string, unknown>) => unknown): void {
  const database = new DatabaseSync(join(runDirectory(setup), 'journal.sqlite'));
  database.function('checksum', { varargs: true }, (...values) =>
    values.map(String).reduce((sum, text) => crc32(text, crc32(`${text.length};`, sum)), 0),
  );
  const row = database.prepare("SELECT value FROM meta WHERE name = 'run'").get();
  const value = JSON.stringify(to(JSON.parse(String(row?.value))));
  database.prepare("UPDATE meta SET value = ? WHERE name = 'run'").run(value);
  database.close();
}

describe('the account', () => {
  /** Profiles work and home of one service; home is current. */
  async function withProfiles() {
    const setup = await setUp(250, { body: [] }, { body: [] }, accept, down, ...repeat(6, accept));
    const { baseUrl } = setup.service;
    Object.assign(setup.world.env, { MAILER_API_KEY: '', MAILER_BASE_URL: '' });
    const login = (profile: string, stdin: string) =>
      setup.run(`login --with-token --base-url ${baseUrl} --profile ${profile}`, { stdin });
    await login('work', key);
    await login('home', otherKey);
    await setup.run('profile use home');
    return setup;
  }
  const keysUsed = ({ service }: Connected) =>
    new Set(service.requests.slice(2).map(({ headers }) => headers.authorization));

  /** Everybody who got an email, in order. */
  const mailed = ({ service }: Connected) => [
    ...new Set(
      service.requests
        .filter(({ method }) => method === 'POST')
        .flatMap((request) => emailsIn(request).map(({ to }) => to)),
    ),
  ];

  test('is that of the profile that a flag named', async () => {
    const setup = await withProfiles();
    expect((await setup.run([...impatient, '--profile', 'work'])).exitCode).toBe(7);
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect([...keysUsed(setup)]).toEqual([`Bearer ${key}`]);
  });

  test('is that of the profile in force then, whichever is in force now', async () => {
    const setup = await withProfiles();
    expect((await setup.run(impatient)).exitCode).toBe(7);
    await setup.run('profile use work');
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
    expect([...keysUsed(setup)]).toEqual([`Bearer ${otherKey}`]);
  });

  test('of another profile is refused, as with the same command line', async () => {
    const setup = await withProfiles();
    await setup.run([...impatient, '--profile', 'work']);
    const outcome = await setup.run(resume(setup, '--profile', 'home', '--json'));
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('started with another API key');
    expect(await setup.run(resume(setup, '--profile', 'home', '--same-account'))).toMatchObject({
      exitCode: 0,
    });
  });

  test('of the environment has to be there again', async () => {
    const setup = await broken();
    const env = { MAILER_API_KEY: '', MAILER_BASE_URL: '' };
    expect((await setup.run(resume(setup), { env })).exitCode).toBe(3);
    const other = await setup.run(resume(setup), { env: { MAILER_API_KEY: otherKey } });
    expect(other.stderr).toContain('started with another API key');
    expect(setup.service.requests).toHaveLength(2);
    const { baseUrl } = setup.service;
    const words = resume(setup, '--base-url', baseUrl);
    expect(await setup.run(words, { env: { MAILER_BASE_URL: '' } })).toMatchObject({ exitCode: 0 });
  });

  test('has the base URL of a flag, which need not be given again', async () => {
    const setup = await setUp(250, accept, down, ...repeat(6, accept));
    const { baseUrl } = setup.service;
    setup.world.env.MAILER_BASE_URL = '';
    await setup.run([...impatient, '--base-url', baseUrl]);
    expect(await setup.run(resume(setup))).toMatchObject({ exitCode: 0 });
  });

  test('of a profile at another URL is named in the line that sends the rest', async () => {
    const setup = await withProfiles();
    const { baseUrl } = setup.service;
    const byName = baseUrl.replace('127.0.0.1', 'localhost');
    expect((await setup.run([...impatient, '--profile', 'work'])).exitCode).toBe(7);
    await setup.world.run(`login --with-token --base-url ${byName} --profile moved`, {
      stdin: key,
    });
    await setup.run('profile use moved');
    const refused = await setup.run(line);
    expect(refused.exitCode).toBe(2);
    const [, words = ''] = /\nmailer (run resume .*)\n/.exec(refused.stderr) ?? [];
    expect(words).toMatch(/^run resume [0-9a-f]{8} --profile moved --base-url http:\/\/localhost:/);
    expect(await setup.run(`${words} --yes`)).toMatchObject({ exitCode: 0 });
    expect(mailed(setup)).toEqual(everybody(250));
  });

  test('of the environment at another URL is used in place of the profile of the run', async () => {
    const setup = await withProfiles();
    const { baseUrl } = setup.service;
    expect((await setup.run([...impatient, '--profile', 'work'])).exitCode).toBe(7);
    const byName = baseUrl.replace('127.0.0.1', 'localhost');
    const env = { MAILER_BASE_URL: byName, MAILER_API_KEY: key };
    const refused = await setup.run(line, { env });
    expect(refused.exitCode).toBe(2);
    const [, words = ''] = /\nmailer (run resume .*)\n/.exec(refused.stderr) ?? [];
    expect(await setup.run(`${words} --yes`, { env })).toMatchObject({
      exitCode: 0,
      stderr: 'Accepted 250 of 250 emails.\n',
    });
    expect(mailed(setup)).toEqual(everybody(250));
  });

  test('at another URL in the environment gets the rest only with --base-url', async () => {
    const setup = await broken();
    const { baseUrl } = setup.service;
    const byName = baseUrl.replace('127.0.0.1', 'localhost');
    const env = { MAILER_BASE_URL: byName };
    for (const more of [[], ['--dry-run']]) {
      const { exitCode, stderr } = await setup.run(resume(setup, ...more), { env });
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`--base-url ${byName}`);
    }
    expect(setup.service.requests).toHaveLength(2);
    const words = resume(setup, '--base-url', byName);
    const dry = await setup.run([...words, '--dry-run', '--json'], { env });
    expect(JSON.parse(dry.stdout).url).toBe(`${byName}/v1/emails/batch`);
    expect(await setup.run(words, { env })).toMatchObject({ exitCode: 0 });
  });

  test('of another service gets nothing of the run, and its key does not go to the run', async () => {
    const setup = await broken();
    const other = await startRecorder(accept);
    const env = { MAILER_BASE_URL: other.baseUrl, MAILER_API_KEY: otherKey };
    const outcome = await setup.run(resume(setup, '--same-account', '--json'), { env });
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(
      `This run was started with another API key at ${setup.service.baseUrl}; the account in use is at ${other.baseUrl}.`,
    );
    expect([...setup.service.requests.slice(2), ...other.requests]).toEqual([]);
  });

  test('is not sent where a changed journal leads', async () => {
    const setup = await broken();
    const other = await startRecorder(...repeat(6, accept));
    const results = join(setup.world.home, 'results.jsonl');
    change(setup, (header) => ({
      ...header,
      baseUrl: other.baseUrl,
      line: { common: { baseUrl: other.baseUrl }, sending: { results } },
    }));
    const refused = await setup.run(resume(setup, '--json'));
    expect(errorOf(refused).message).toContain('its base URL and its results file are not used');
    const outcome = await setup.run(resume(setup, '--same-account', '--json'));
    expect({ ...outcome, requests: other.requests }).toMatchObject({ exitCode: 2, requests: [] });
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringContaining('its base URL and its results file are not used'),
      hint: `If they are right, add: --base-url ${other.baseUrl} --results ${results}. Nothing was sent.`,
    });
    expect(existsSync(results)).toBe(false);
  });

  test("is not sent to the service in somebody else's journal without a flag", async () => {
    const setup = await setUp(250);
    const other = await startRecorder({ status: 401 }, ...repeat(6, accept));
    const env = { MAILER_API_KEY: otherKey };
    const words = ['--base-url', other.baseUrl];
    expect((await setup.run([...impatient, ...words], { env })).exitCode).toBe(3);
    expect((await setup.run(resume(setup))).exitCode).toBe(2);
    expect(other.requests).toHaveLength(1);
    expect((await setup.run(resume(setup, ...words))).exitCode).toBe(0);
    expect((await setup.run(resume(setup))).exitCode).toBe(0);
  });

  test.each([
    ['the environment', (): readonly string[] => []],
    ['a profile', (): readonly string[] => ['--profile', 'work']],
  ])('leaves no key of %s in the files of the run', async (name, flags) => {
    const setup = name === 'a profile' ? await withProfiles() : await broken();
    await setup.run([...impatient, ...flags()]);
    for (const file of readdirSync(runDirectory(setup))) {
      const content = readFileSync(join(runDirectory(setup), file), 'latin1');
      expect({ file, holdsKey: content.includes(key) }).toEqual({ file, holdsKey: false });
    }
  });
});

test('with --sandbox resumes a run of the embedded service', async () => {
  const setup = await setUp(3);
  const done = await setup.run([...line, '--sandbox']);
  expect(done.exitCode).toBe(0);
  const [name] = (await setup.run('run list --sandbox --quiet')).stdout.split('\n');
  expect((await setup.run(`run resume ${name}`)).exitCode).toBe(4);
  expect(await setup.run(`run resume ${name} --sandbox`)).toMatchObject({
    exitCode: 0,
    stdout: done.stdout,
  });
});

describe('a run that cannot be resumed so', () => {
  test('is one whose journal is of another version', async () => {
    const setup = await broken();
    const database = new DatabaseSync(join(runDirectory(setup), 'journal.sqlite'));
    database.exec(`PRAGMA user_version = ${journalVersion + 1}`);
    database.close();
    const outcome = await setup.run(resume(setup, '--json'));
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(
      `was written by a newer mailer (its format is ${journalVersion + 1}; this version reads ${journalVersion})`,
    );
  });

  test('does not exist: 4', async () => {
    const setup = await broken();
    mkdirSync(join(setup.world.home, 'elsewhere'));
    const outcome = await setup.run('run resume 0bddde44 --yes --json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome).message).toBe('There is no run "0bddde44".');
  });
});

test('the incomplete run of a file by another command is named', async () => {
  const setup = await broken();
  const other = line.map((word) => (word === 'Hello' ? 'Hullo' : word));
  const { exitCode, stderr } = await setup.run(other);
  expect(exitCode).toBe(2);
  const short = onlyRun(setup.world).slice(0, 8);
  expect(stderr).toContain(`Hint: To resume it: mailer run resume ${short}. To start a new run`);
});
