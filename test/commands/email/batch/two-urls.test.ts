import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  down,
  everybody,
  impatient,
  keys,
  line,
  repeat,
  runDirectories,
  runsDirectory,
  sentTo,
  setUp,
} from '../../../support/batch-run.ts';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { type Connected, connected, errorOf, key } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

// One service under several URLs, and one URL of several accounts.

const otherKey = 'us_other_1234567890';

/** The same service under another name, which nobody can know. */
const byName = ({ service }: Pick<Connected, 'service'>) =>
  service.baseUrl.replace('127.0.0.1', 'localhost');

const at = (baseUrl: string, apiKey = key) => ({
  env: { MAILER_BASE_URL: baseUrl, MAILER_API_KEY: apiKey },
});

/** A run that stopped after 100 of 250 emails; the service has recovered since. */
async function stopped(words: readonly string[] = impatient): Promise<Connected> {
  const setup = await setUp(250, accept, down, ...repeat(9, accept));
  expect((await setup.run(words)).exitCode).toBe(7);
  return setup;
}

/** The command line in a hint that resumes a run. */
function resumeIn(hint: string | undefined): string[] {
  return (/mailer (run resume [^\n]*)/.exec(hint ?? '')?.[1] ?? '').split(' ');
}

/** Expects that a line is declined without sending anything, and returns its error. */
async function declined(
  { run, service }: Connected,
  words: readonly string[],
  options: Parameters<Connected['run']>[1],
) {
  const before = service.requests.length;
  const outcome = await run([...words, '--json'], options);
  expect(outcome.exitCode).toBe(2);
  expect(service.requests).toHaveLength(before);
  return errorOf(outcome);
}

describe('the same line and key at another URL', () => {
  test('sends nothing, and names the line that sends the rest', async () => {
    const setup = await stopped();
    const { message, hint } = await declined(setup, line, at(byName(setup)));
    const [name = ''] = readdirSync(runsDirectory(setup.world));
    expect(message).toBe(
      `This run was started with this API key at ${setup.service.baseUrl}; the base URL in use is ${byName(setup)}. Both may lead to the same account.`,
    );
    expect(hint).toBe(
      [
        'Nothing was sent this time; 100 of 250 emails are accepted so far, 100 have no response yet.',
        'If it is the same account, this sends the rest:',
        `mailer run resume ${name.slice(0, 8)} --base-url ${byName(setup)}`,
        'If it is another account, email batch with --again=2 sends to everybody, also to those who have the email.',
      ].join('\n'),
    );
    const resumed = await setup.run([...resumeIn(hint), '--yes']);
    expect(resumed).toMatchObject({ exitCode: 0 });
    expect([...new Set(sentTo(setup))]).toEqual(everybody(250));
    // The request without a response is repeated under its own key.
    expect(keys(setup)[2]).toBe(keys(setup)[1]);
    const hosts = setup.service.requests.map(({ headers }) => headers.host?.split(':')[0]);
    expect(hosts).toEqual(['127.0.0.1', '127.0.0.1', 'localhost', 'localhost']);
  });

  test('is known to be the same account once it was resumed there', async () => {
    const setup = await stopped();
    const { hint } = await declined(setup, line, at(byName(setup)));
    await setup.run([...resumeIn(hint), '--yes']);
    for (const url of [setup.service.baseUrl, byName(setup)]) {
      const { exitCode, stderr } = await setup.run(line, at(url));
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('This run is already complete'),
      });
    }
    expect(setup.service.requests).toHaveLength(4);
  });

  test.each<[string, (url: string) => string]>([
    ['doubled slashes', (url) => url.replace('/api', '//api//')],
    ['escapes', (url) => url.replace('/api', '/%61p%69')],
    ['/v1', (url) => `${url}/v1/`],
    ['another case', (url) => url.replace('http', 'HTTP')],
    ['another form of the address', (url) => url.replace('127.0.0.1', '127.1')],
  ])('resumes if the URL differs only in %s', async (_, spelled) => {
    const setup = await stopped();
    expect(await setup.run(line, at(spelled(setup.service.baseUrl)))).toMatchObject({
      exitCode: 0,
    });
    expect(keys(setup)[2]).toBe(keys(setup)[1]);
    expect([...new Set(sentTo(setup))]).toEqual(everybody(250));
  });

  test('sends nothing after a complete run, either; --again=2 does, to everybody', async () => {
    const setup = await setUp(3, ...repeat(3, accept));
    await setup.run(line);
    const { hint } = await declined(setup, line, at(byName(setup)));
    expect(hint).toBe(
      'Nothing was sent this time; 3 of 3 emails are accepted so far. If it is the same account, nothing is left to send. If it is another account, email batch with --again=2 sends to everybody, also to those who have the email.',
    );
    const again = [...line, '--again=2'];
    expect(await setup.run(again, at(byName(setup)))).toMatchObject({ exitCode: 0 });
    expect(await setup.run(again, at(byName(setup)))).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup)).toEqual([...everybody(3), ...everybody(3)]);
    expect(new Set(keys(setup)).size).toBe(2);
    expect((await declined(setup, again, at(setup.service.baseUrl))).hint).toContain('--again=3');
  });

  test('resumes with --same-account', async () => {
    const setup = await stopped();
    const words = [...line, '--same-account'];
    expect(await setup.run(words, at(byName(setup)))).toMatchObject({ exitCode: 0 });
    expect([...new Set(sentTo(setup))]).toEqual(everybody(250));
  });

  test('resumes if nothing of the run was sent', async () => {
    const setup = await setUp(3, { status: 403, body: { error: 'no' } }, { body: [] }, accept);
    expect((await setup.run(line)).exitCode).toBe(3);
    expect(await setup.run(line, at(byName(setup)))).toMatchObject({ exitCode: 0 });
    expect(runDirectories(setup)).toHaveLength(1);
    // From now on it is a run at that URL.
    await declined(setup, line, at(setup.service.baseUrl));
  });

  test('sends nothing of standard input', async () => {
    const setup = await connected(accept, down);
    const stdin = peopleCsv(150);
    const words = impatient.with(2, '-');
    await setup.run(words, { stdin });
    const { message } = await declined(setup, words, { ...at(byName(setup)), stdin });
    expect(message).toContain('Both may lead to the same account.');
    // What was prepared for the comparison is removed.
    expect(runDirectories(setup)).toHaveLength(1);
  });

  test('sends nothing of a shard', async () => {
    const setup = await stopped([...impatient, '--shard', '1/2']);
    const { hint } = await declined(setup, [...line, '--shard', '1/2'], at(byName(setup)));
    expect(hint).toMatch(/mailer run resume [0-9a-f]{8}-1of2 --base-url /);
    const other = await declined(setup, [...line, '--shard', '1/3'], at(byName(setup)));
    expect(other.message).toContain('This run was started with --shard 1/2.');
    expect(await setup.run([...resumeIn(hint), '--yes'])).toMatchObject({ exitCode: 0 });
    await setup.run([...line, '--shard', '2/2']);
    const got = setup.service.requests.filter((_, index) => index !== 1).flatMap(emailsIn);
    expect(got.map(({ to }) => to).toSorted()).toEqual(everybody(250).toSorted());
  });

  test('sends nothing of a redirected run', async () => {
    let made = 0;
    const numbered: Answer = (response, request) => {
      const data = emailsIn(request).map(() => ({ emailId: `em_${++made}` }));
      response.end(JSON.stringify({ data }));
    };
    const setup = await setUp(150, numbered, down, numbered);
    const redirect = { MAILER_REDIRECT_TO: 'me@example.com' };
    expect((await setup.run(impatient, { env: redirect })).exitCode).toBe(7);
    const env = { ...at(byName(setup)).env, ...redirect };
    const { hint } = await declined(setup, line, { env });
    expect(hint).toContain('100 of 150 emails are accepted so far (redirected to me@example.com)');
    expect(await setup.run([...resumeIn(hint), '--yes'], { env })).toMatchObject({ exitCode: 0 });
    expect(made).toBe(150);
    expect(keys(setup)[2]).toBe(keys(setup)[1]);
  });

  test('with other flags is the same error as at the same URL', async () => {
    const setup = await stopped();
    const { message, hint } = await declined(setup, [...line, '--unique'], at(byName(setup)));
    expect(message).toContain('people.csv has an incomplete run: 100 of 250 emails');
    expect(hint).toContain('To resume it: mailer run resume');
  });
});

describe('another key at the same URL', () => {
  test('sends nothing, and names the line that sends the rest', async () => {
    const setup = await stopped();
    const other = at(setup.service.baseUrl, otherKey);
    const { hint } = await declined(setup, line, other);
    const words = resumeIn(hint);
    expect(words.slice(3)).toEqual(['--base-url', setup.service.baseUrl, '--same-account']);
    expect(await setup.run([...words, '--yes'], other)).toMatchObject({ exitCode: 0 });
    expect([...new Set(sentTo(setup))]).toEqual(everybody(250));
  });

  test('sends to everybody with --again=2', async () => {
    const setup = await stopped();
    const other = at(setup.service.baseUrl, otherKey);
    expect(await setup.run([...line, '--again=2'], other)).toMatchObject({ exitCode: 0 });
    expect(sentTo(setup).slice(200)).toEqual(everybody(250));
    expect(new Set(keys(setup)).size).toBe(5);
  });
});

describe('another key at another URL', () => {
  /** The run of `stopped`, and another account at another service. */
  async function twoAccounts() {
    const setup = await stopped();
    const there = await connected(...repeat(9, accept));
    return { setup, there, other: at(there.service.baseUrl, otherKey) };
  }

  test('is another account: everybody gets the email, and a warning tells of the first run', async () => {
    const { setup, there, other } = await twoAccounts();
    const { exitCode, stderr } = await setup.run(line, other);
    const [name = ''] = readdirSync(runsDirectory(setup.world)).toSorted();
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      [
        `Warning: people.csv was sent before by another account, with another API key at ${setup.service.baseUrl}, at 2026-01-15T10:00:00.000Z: 100 of 250 emails are accepted, 100 have no response yet. This new run sends every email from ${there.service.baseUrl}.`,
        `To resume that run instead, if it is the same account: mailer run resume ${name.slice(0, 8)} --base-url ${there.service.baseUrl} --same-account`,
      ].join('\n'),
    );
    expect(sentTo(there)).toEqual(everybody(250));
    // The service keeps idempotency keys for each account, so they can be the same.
    expect(keys(there)).toEqual([...new Set(keys(setup)), expect.any(String)]);
  });

  test('and each account resumes its own run', async () => {
    const { setup, there, other } = await twoAccounts();
    await setup.run(line, other);
    const { stderr } = await setup.run(line, other);
    expect(stderr).toContain('This run is already complete');
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect([...new Set(sentTo(setup))]).toEqual(everybody(250));
    expect(there.service.requests).toHaveLength(3);
    const again = [...line, '--again=2'];
    for (const options of [other, {}]) {
      expect(await setup.run(again, options)).toMatchObject({ exitCode: 0 });
    }
    expect(sentTo(there).slice(250)).toEqual(everybody(250));
    expect(sentTo(setup).slice(350)).toEqual(everybody(250));
  });

  test('their runs have names of their own', async () => {
    const { setup, other } = await twoAccounts();
    await setup.run(line, other);
    const { stdout } = await setup.run('run list --all --json');
    const shown: { run: string; state: string; baseUrl: string }[] = JSON.parse(stdout);
    const [first = '', second = ''] = shown.map(({ run }) => run).toSorted();
    expect(second).toBe(`${first}-a2`);
    for (const [named, run] of [
      [first.slice(0, 8), first],
      [`${first.slice(0, 8)}-a2`, second],
      [first, first],
      [second, second],
    ]) {
      expect((await setup.run(`run get ${named} -q`)).stdout).toBe(`${run}\n`);
    }
    expect(await setup.run(`run delete ${first} --yes`)).toMatchObject({ exitCode: 0 });
    // The other account is still known.
    expect((await setup.run(line, other)).stderr).toContain('This run is already complete');
    expect((await setup.run(`run get ${first.slice(0, 8)} -q`)).stdout).toBe(`${second}\n`);
  });

  test('a third account is one more; a key of one at the URL of another is no account', async () => {
    const { setup, there, other } = await twoAccounts();
    await setup.run(line, other);
    const third = await connected(...repeat(9, accept));
    const options = at(third.service.baseUrl, 'us_third_1234567890');
    expect(await setup.run(line, options)).toMatchObject({ exitCode: 0 });
    expect(sentTo(third)).toEqual(everybody(250));
    const { message } = await declined(setup, line, at(there.service.baseUrl));
    expect(message).toContain(`with this API key at ${setup.service.baseUrl}`);
    expect(there.service.requests).toHaveLength(3);
  });

  test('is the same account if --same-account says so, and if there is only one', async () => {
    const { setup, there, other } = await twoAccounts();
    const words = [...line, '--same-account'];
    expect(await setup.run(words, other)).toMatchObject({ exitCode: 0 });
    expect(sentTo(there)).toEqual(everybody(250).slice(100));
    const more = await twoAccounts();
    await more.setup.run(line, more.other);
    const third = await connected();
    const options = at(third.service.baseUrl, 'us_third_1234567890');
    const { message } = await declined(more.setup, words, options);
    expect(message).toContain('--same-account: 2 accounts have sent this');
    expect(third.service.requests).toEqual([]);
  });

  test('an account whose only run sent nothing does not matter', async () => {
    const setup = await setUp(3, { status: 403, body: { error: 'no' } });
    await setup.run(line);
    const there = await connected(accept);
    const { exitCode, stderr } = await setup.run(line, at(there.service.baseUrl, otherKey));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Accepted 3 of 3 emails.\n' });
  });
});
