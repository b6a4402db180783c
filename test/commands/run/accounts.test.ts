import { join } from 'node:path';
import { expect, test } from 'vitest';
import { down, impatient, line } from '../../support/batch-run.ts';
import { accept } from '../../support/batch-service.ts';
import { errorOf, fileIn } from '../../support/connected.ts';
import { peopleCsv } from '../../support/people.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';
import { worldWith } from '../../support/stored-profiles.ts';

/** A world with two accounts of one service, and one of another; each has sent a file, in this order. */
async function accounts(...answers: readonly Answer[]) {
  const service = await startRecorder(accept, accept, ...answers);
  const other = await startRecorder(accept);
  const { baseUrl } = service;
  const world = await worldWith(
    {
      work: { baseUrl, apiKey: 'us_key_work_1' },
      home: { baseUrl, apiKey: 'us_key_home_1' },
      test: { baseUrl: other.baseUrl, apiKey: 'us_key_test_1' },
      spare: { baseUrl: other.baseUrl, keyCommand: 'echo us_key_spare_1' },
    },
    'work',
  );
  for (const [index, name] of ['work', 'home', 'test'].entries()) {
    fileIn(world, `${name}.csv`, peopleCsv(10 ** index));
    const words = line.map((word) => (word === 'people.csv' ? `${name}.csv` : word));
    expect(await world.run([...words, '--profile', name])).toMatchObject({ exitCode: 0 });
    world.clock.advance(60_000);
  }
  const fileOf = async (words: string, env: Record<string, string> = {}) =>
    (await world.run(`${words} --fields file --quiet`, { env })).stdout
      .split('\n')
      .filter(Boolean)
      .map((path) => path.slice(join(world.home, '/').length));
  return { world, service, other, fileOf };
}

test('@last is the newest run of the account in use', async () => {
  const { world, service, other, fileOf } = await accounts();
  expect(await fileOf('run get @last')).toEqual(['work.csv']);
  expect(await fileOf('run get @last --profile home')).toEqual(['home.csv']);
  expect(await fileOf('run get @last', { MAILER_PROFILE: 'test' })).toEqual(['test.csv']);
  const inEnv = { MAILER_API_KEY: 'us_key_home_1', MAILER_BASE_URL: service.baseUrl };
  expect(await fileOf('run get @last', inEnv)).toEqual(['home.csv']);
  const key = { ...inEnv, MAILER_API_KEY: 'us_key_other' };
  expect(errorOf(await world.run('run get @last --json', { env: key }))).toMatchObject({
    code: 'not_found',
    message: 'There are no runs of this account, but 3 runs of others.',
    hint: expect.stringMatching(/^To list all runs: mailer run list --all\n/),
  });
  expect(errorOf(await world.run('run delete @last --yes --profile spare --json')).code).toBe(
    'not_found',
  );
  await world.run('run delete @last --yes --profile home');
  expect((await world.run('run list --quiet')).stdout.trim().split('\n')).toHaveLength(2);
  expect(await fileOf('run get @last', { MAILER_API_KEY: '', MAILER_PROFILE: 'test' })).toEqual([
    'test.csv',
  ]);
  expect([service, other].flatMap(({ requests }) => requests)).toHaveLength(3);
});

test('run list and run get show the profile, if there are several', async () => {
  const { world } = await accounts();
  const { stdout } = await world.run('run list --all --fields file,profile --no-header');
  expect(stdout.split('\n').map((line) => line.split('\t')[1])).toEqual([
    'test',
    'home',
    'work',
    undefined,
  ]);
  expect((await world.run('run list --all')).stdout).toMatch(/^run\t.*\tprofile\t/);
  const [run = ''] = (await world.run('run list --all --quiet')).stdout.split('\n');
  expect((await world.run(`run get ${run}`)).stdout).toContain('\nprofile\ttest\n');
  const line = `run get ${run} --json --jq .profile`;
  expect((await world.run(line)).stdout).toBe('test\n');
});

test('@last resumes a run of the account, and lists its emails', async () => {
  const { world, service } = await accounts(down, accept, { body: { data: [], count: 0 } });
  fileIn(world, 'more.csv', peopleCsv(5).replaceAll('@example.org', '@example.net'));
  const words = impatient.map((word) => (word === 'people.csv' ? 'more.csv' : word));
  expect((await world.run([...words, '--profile', 'home'])).exitCode).toBe(7);
  expect(await world.run('run resume @last --yes')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('already complete'),
  });
  expect(await world.run('run resume @last --yes --profile home')).toMatchObject({
    exitCode: 0,
    stderr: 'Accepted 5 of 5 emails.\n',
  });
  expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer us_key_home_1');
  const listed = await world.run('email list --run @last --profile home --json');
  expect(listed).toMatchObject({ exitCode: 0 });
});

test('a profile that got another key has the same runs', async () => {
  const { world, service } = await accounts();
  const config = { profiles: { work: { baseUrl: service.baseUrl, apiKey: 'us_key_new' } } };
  fileIn(world, '.config/mailer/config.json', { ...config, currentProfile: 'work' });
  expect((await world.run('run get @last --fields file --quiet')).stdout).toContain('work.csv');
});

test('run list has the runs of the account that a flag chooses, and tells of the others', async () => {
  const { world, service, fileOf } = await accounts();
  expect(await fileOf('run list')).toEqual(['test.csv', 'home.csv', 'work.csv']);
  expect(await fileOf('run list --profile home')).toEqual(['home.csv']);
  expect(await fileOf('run list', { MAILER_PROFILE: 'home' })).toEqual(['home.csv']);
  const env = { MAILER_API_KEY: 'us_key_work_1', MAILER_BASE_URL: service.baseUrl };
  expect(await fileOf('run list', env)).toEqual(['work.csv']);
  const elsewhere = { ...env, MAILER_BASE_URL: 'https://other-name.example/api' };
  expect(await fileOf('run list', elsewhere)).toEqual(['work.csv']);
  expect(await fileOf('run list --all', env)).toHaveLength(3);
  expect(await fileOf('run list --all --profile home')).toHaveLength(3);
  expect((await world.run('run list --profile home')).stderr).toContain(
    '\n2 runs of other accounts: mailer run list --all\n',
  );
  expect(await world.run('run list --profile spare')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^run\t.*\n$/),
    stderr: 'No runs of this account. 3 runs of other accounts: mailer run list --all\n',
  });
  expect((await world.run('run list --sandbox')).stderr).toMatch(
    /^No runs\. Their journals are in .*\. 3 runs of other accounts: mailer run list --all\n$/,
  );
  expect((await world.run('run list')).stderr).not.toContain('other accounts');
  expect(errorOf(await world.run('run list --profile nobody --json')).code).toBe('not_found');
});

test('the emails of a run of another account: the hint names that account', async () => {
  const { world, other } = await accounts();
  const name = (await world.run('run get @last --quiet --profile test')).stdout.trim();
  const outcome = await world.run(`run get ${name} --deliveries --profile home --json`);
  expect(errorOf(outcome)).toMatchObject({ code: 'usage', hint: 'Its account: --profile test' });
  const at = { MAILER_BASE_URL: 'https://elsewhere.example/api' };
  const same = await world.run(`run get ${name} --deliveries --json`, {
    env: { ...at, MAILER_API_KEY: 'us_key_other', MAILER_PROFILE: 'test' },
  });
  expect(errorOf(same).hint).toBe(
    `Its service, with the API key that it was sent with: --base-url ${other.baseUrl}`,
  );
});
