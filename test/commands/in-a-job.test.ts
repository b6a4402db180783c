import { describe, expect, test } from 'vitest';
import { fileIn, key } from '../support/connected.ts';
import { type Answer, startRecorder } from '../support/recorder.ts';
import { createWorld, type World } from '../support/run.ts';

const ofJob = 'Set MAILER_API_KEY and MAILER_BASE_URL from the secrets of this job';

/** Nobody can log in from a job, and a job that turns to a sandbox does nothing. */
describe('with CI set, no hint says mailer login or --sandbox', () => {
  const job = (env: Readonly<Record<string, string>> = {}) => createWorld({ CI: 'true', ...env });

  async function said(world: World, words: string, ...answers: readonly Answer[]) {
    const url = answers.length === 0 ? {} : { MAILER_BASE_URL: await serve(answers) };
    const outcomes = await Promise.all(
      ['', ' --json'].map((json) => world.run(`${words}${json}`, { env: url })),
    );
    for (const { stdout, stderr } of outcomes) {
      expect(`${stdout}${stderr}`).not.toMatch(/mailer login|--sandbox/);
    }
    return outcomes.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('');
  }

  async function serve(answers: readonly Answer[]) {
    return (await startRecorder(...answers, ...answers, ...answers, ...answers)).baseUrl;
  }

  test.each([
    ['no key', {}, 'domain list'],
    ['no URL', { MAILER_API_KEY: key }, 'domain list'],
    ['no profile', {}, 'domain list --profile nope'],
    ['no profile of MAILER_PROFILE', { MAILER_PROFILE: 'nope' }, 'domain list'],
    ['a profile to choose', {}, 'profile use nope'],
    ['a profile to delete', {}, 'profile delete nope --yes'],
    ['a list of profiles', {}, 'profile list'],
    ['doctor without an account', {}, 'doctor'],
    ['doctor without a URL', { MAILER_API_KEY: key }, 'doctor'],
    ['a key on the line', {}, `profile use ${key}`],
    ['a send', {}, 'email send --from a@example.com --to b@example.com --subject S --text T'],
    ['sendmail', {}, 'sendmail -f a@example.com b@example.com'],
    ['a batch without rows', {}, 'email batch none.csv --yes'],
  ])('%s', async (_, env, words) => {
    expect(await said(job(env), words)).toMatch(/MAILER_|none\.csv|no profile|No profiles/);
  });

  test.each([
    ['a key that is rejected', 401],
    ['a key that is forbidden', 403],
  ])('%s', async (_, status) => {
    for (const words of ['domain list', 'whoami', 'doctor']) {
      const answer = { status, body: { error: { code: 'UNAUTHORIZED', message: 'No' } } };
      await said(job({ MAILER_API_KEY: key }), words, answer);
    }
  });

  test('a key of a profile, a command for it, and a configuration that are wrong', async () => {
    const config = (profile: object) =>
      JSON.stringify({ currentProfile: 'default', profiles: { default: profile } });
    const world = job({ MAILER_CONFIG_DIR: '/nonexistent' });
    for (const content of [
      config({ baseUrl: 'http://127.0.0.1:1/api', keyCommand: 'false' }),
      config({ baseUrl: 'http://127.0.0.1:1/api', keyCommand: 'true' }),
      config({ apiKey: key }),
      '{"profiles":',
    ]) {
      const own = job({ MAILER_CONFIG_DIR: `${world.home}/config` });
      fileIn(world, 'config/config.json', content);
      for (const words of ['domain list', 'whoami', 'doctor']) await said(own, words);
    }
  });

  test('says what to set instead, also beside other sentences', async () => {
    const none = await job().run('profile use nope');
    expect(none.stderr).toContain(`Hint: There are no profiles yet. ${ofJob}.\n`);
    const { stdout } = await job().run('doctor --jsonl');
    expect(stdout).toContain(`"remedy":"${ofJob}"`);
  });

  test('a sandbox that was asked for stays one', async () => {
    const { stderr } = await job().run('email get nope --sandbox');
    expect(stderr).toContain('mailer email list --sandbox');
  });
});

describe('where stdout is no terminal, no character of a key is shown by', () => {
  test('login, profile list, whoami and doctor', async () => {
    const service = await startRecorder(...Array.from({ length: 20 }, () => ({ body: [] })));
    const world = createWorld();
    const login = `login --base-url ${service.baseUrl} --with-token`;
    const outputs = [];
    for (const words of [login, 'profile list', 'whoami', 'doctor']) {
      for (const format of ['', ' --json']) {
        outputs.push(await world.run(`${words}${format}`, { stdin: key }));
      }
    }
    for (const { stdout, stderr } of outputs) {
      expect(`${stdout}${stderr}`).not.toContain('us_');
      expect(`${stdout}${stderr}`).not.toContain(key.slice(-4));
    }
    const shown = await world.run('profile list', { terminal: 100 });
    expect(shown.stdout).toContain(`us_…${key.slice(-4)}`);
  });
});
