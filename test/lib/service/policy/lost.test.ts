import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf } from '../../../support/connected.ts';
import { needing, notWindows } from '../../../support/needs.ts';

const line = 'email send --from hello@example.com --subject Hi --text Hi --json --to';

/** A machine whose profile allows only some recipients, and its configuration. */
async function withPolicy() {
  const connection = await connected({ body: [] });
  await connection.run('policy set --allow-to *@ok.example');
  const directory = join(connection.world.home, '.config', 'mailer');
  return { ...connection, directory, path: join(directory, 'config.json') };
}

function damagedIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.includes('.damaged-'))
    .map((name) => join(directory, name));
}

/** Expects that nobody is mailed, for this reason, but that other commands work. */
async function expectNothingSent({ run, service }: Connected, reason: string) {
  for (const words of [`${line} a@bad.example`, `${line} a@ok.example --sandbox`]) {
    const outcome = await run(words);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(reason),
    });
  }
  expect(service.requests).toEqual([]);
  expect((await run('policy show')).stderr).toContain(reason);
  const { checks } = JSON.parse((await run('doctor --json')).stdout);
  const detail = expect.stringContaining(reason.replace(/\.$/, ''));
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'policy', state: 'FAILED', detail }),
  );
  const { policy } = JSON.parse((await run('whoami --json')).stdout);
  expect(policy.problem).toContain(reason);
}

describe('while a damaged configuration lies beside it, nobody is mailed', () => {
  test.each<[string, (text: string) => string]>([
    ['empty', () => ''],
    ['cut off', (text) => text.slice(0, 40)],
    ['of a wrong form', () => '{"profiles":[],"version":1}'],
  ])('%s', async (_, damage) => {
    const machine = await withPolicy();
    const { run, path, directory } = machine;
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    await run(`${line} a@bad.example`);
    const [damaged = ''] = damagedIn(directory);
    const reason = `damaged and set aside as ${damaged}. It may have had a policy, so nothing is sent.`;
    await expectNothingSent(machine, reason);

    await run('policy set --allow-to *@ok.example');
    expect(errorOf(await run(`${line} a@ok.example`)).hint).toBe(
      'Look for a policy in that file, set it again with mailer policy set, then delete the file.',
    );
    rmSync(damaged);
    expect(errorOf(await run(`${line} a@bad.example`)).code).toBe('policy');
    expect(await run(`${line} a@ok.example --sandbox`)).toMatchObject({ exitCode: 0 });
  });

  test('also in the run that sets it aside', async () => {
    const { run, path, service } = await withPolicy();
    writeFileSync(path, '');
    const outcome = await run(`${line} a@bad.example`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('so nothing is sent');
    expect(service.requests).toEqual([]);
  });

  test('also behind a link', async () => {
    const { run, world, path, service } = await withPolicy();
    const dotfiles = join(world.home, 'dotfiles');
    mkdirSync(dotfiles);
    renameSync(path, join(dotfiles, 'mailer.json'));
    symlinkSync(join(dotfiles, 'mailer.json'), path);
    writeFileSync(path, '');
    for (const _ of ['first', 'second']) {
      const { message } = errorOf(await run(`${line} a@bad.example`));
      expect(message).toContain(`set aside as ${damagedIn(dotfiles)[0]}.`);
    }
    expect(service.requests).toEqual([]);
  });
});

describe('while a link to the configuration leads nowhere, nobody is mailed', () => {
  test.each([
    ['of the file', 'config.json'],
    ['of the directory', ''],
  ])('%s', async (_, name) => {
    const machine = await withPolicy();
    const link = join(machine.directory, name);
    const target = join(machine.world.home, 'dotfiles');
    renameSync(link, target);
    symlinkSync(target, link);
    expect(errorOf(await machine.run(`${line} a@bad.example`)).code).toBe('policy');

    renameSync(target, `${target}.moved`);
    await expectNothingSent(
      machine,
      `${link} is a link whose target is missing. The configuration there may have a policy, so nothing is sent.`,
    );
    await machine.run('policy set --allow-to *@ok.example');
    expect(errorOf(await machine.run(`${line} a@bad.example`)).code).toBe('policy');
  });
});

test('while a configuration has a policy twice, nobody is mailed, and it stays as it is', async () => {
  const { run, path, directory, service } = await withPolicy();
  const before = readFileSync(path, 'utf8');
  const twice = before.replace('"policy":', '"policy": {}, "policy":');
  writeFileSync(path, twice);
  const lines = [`${line} a@bad.example`, `${line} a@ok.example --sandbox`];
  for (const words of [...lines, 'policy set --max-per-day 5 --json']) {
    expect(errorOf(await run(words))).toMatchObject({
      code: 'usage',
      message: `${path}: "profiles.default.policy" occurs twice in the file.`,
    });
  }
  expect(service.requests).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(twice);
  expect(damagedIn(directory)).toEqual([]);
  writeFileSync(path, before);
  expect(errorOf(await run(`${line} a@bad.example`)).code).toBe('policy');
});

describe('while rules are where they do not apply, nobody is mailed', () => {
  test.each([
    [
      { currentProfile: 'work' },
      'The current profile "work" does not exist. It may have had a policy, so nothing is sent.',
    ],
    [{ policy: { maxPerDay: 5 } }, 'rules outside the policy of a profile (policy)'],
    [{ 'deny-to': ['*@*'] }, 'rules outside the policy of a profile (deny-to)'],
    [{ profiles: { policy: { denyTo: ['*@*'] } } }, 'of a profile (profiles.policy.denyTo)'],
    [{ profiles: { default: { Policy: {} } } }, 'of a profile (profiles.default.Policy)'],
    [{ profiles: { default: { maxPerDay: 5 } } }, 'of a profile (profiles.default.maxPerDay)'],
    [{ profiles: { default: { polcy: { denyTo: ['*@*'] } } } }, '(profiles.default.polcy)'],
    [{ rules: { maxPerDay: 5 } }, 'rules outside the policy of a profile (rules)'],
    [{ profile: { default: { policy: { maxPerDay: 5 } } } }, 'of a profile (profile)'],
    [{ Profiles: [{ rules: { maxPerDay: 5 } }] }, 'of a profile (Profiles)'],
  ])('%o', async (change, reason) => {
    const machine = await withPolicy();
    const { run, path } = machine;
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(before), ...change }));
    await expectNothingSent(machine, reason);
    writeFileSync(path, before);
    expect(errorOf(await run(`${line} a@bad.example`)).code).toBe('policy');
    expect(await run(`${line} a@ok.example --sandbox`)).toMatchObject({ exitCode: 0 });
  });

  test('but a missing current profile is none where no profile has rules', async () => {
    const { run, path } = await withPolicy();
    writeFileSync(path, '{"currentProfile":"work","profiles":{"default":{}}}');
    expect(await run(`${line} a@ok.example --sandbox`)).toMatchObject({ exitCode: 0 });
  });
});

test('a place that cannot have a configuration has no policy', async () => {
  const { run, world } = await connected({ body: { emailId: 'email_1' } });
  const file = join(world.home, 'null');
  writeFileSync(file, '');
  const env = { MAILER_CONFIG_DIR: join(file, '.config') };
  expect(await run(`${line} a@ok.example`, { env })).toMatchObject({ exitCode: 0 });
});

test(
  'while others can change the configuration, nobody is mailed',
  needing(notWindows),
  async () => {
    const machine = await withPolicy();
    chmodSync(machine.path, 0o666);
    const reason =
      'could make mailer run commands or send keys elsewhere. It may have a policy, so nothing is sent.';
    await expectNothingSent(machine, reason);
    expect(errorOf(await machine.run(`${line} a@bad.example`)).hint).toContain(
      `chmod go-w ${machine.path}`,
    );
  },
);

test('a name without a profile is an error with --sandbox, too', async () => {
  const { run } = await withPolicy();
  const env = { MAILER_PROFILE: 'nope' };
  const outcome = await run(`${line} a@bad.example --sandbox`, { env });
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome)).toMatchObject({
    code: 'not_found',
    message: 'There is no profile "nope".',
    hint: 'Profiles: default',
  });
  expect(await run('domain list --sandbox', { env })).toMatchObject({ exitCode: 0 });
});
