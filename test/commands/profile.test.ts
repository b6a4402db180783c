import { expect, test } from 'vitest';
import { createWorld } from '../support/run.ts';
import { configOf, worldWith } from '../support/stored-profiles.ts';

const work = { baseUrl: 'https://work.example/api', apiKey: 'us_0123456789_work' };
const home = { baseUrl: 'https://home.example/api', keyCommand: 'pass show mailer' };

test('list shows all profiles by name, keys masked', async () => {
  const world = await worldWith({ work, home }, 'work');
  expect(await world.run('profile list')).toEqual({
    exitCode: 0,
    stdout: [
      'name\tcurrent\tbaseUrl\tkey\tkeyCommand',
      'home\tfalse\thttps://home.example/api\t\tpass show mailer',
      'work\ttrue\thttps://work.example/api\t****\t',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect((await world.run('profile list --quiet')).stdout).toBe('home\nwork\n');
  expect(JSON.parse((await world.run('profile list --json')).stdout)).toEqual([
    {
      name: 'home',
      current: false,
      baseUrl: home.baseUrl,
      key: null,
      keyCommand: 'pass show mailer',
    },
    { name: 'work', current: true, baseUrl: work.baseUrl, key: '****', keyCommand: null },
  ]);
});

test('an empty list prints how to create a profile', async () => {
  const outcome = await createWorld().run('profile list');
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stderr).toContain('mailer login');
});

test('use makes a profile current', async () => {
  const world = await worldWith({ work, home }, 'work');
  expect(await world.run('profile use home')).toEqual({
    exitCode: 0,
    stdout: 'home\n',
    stderr: 'The current profile is home.\n',
  });
  expect((await configOf(world).read()).currentProfile).toBe('home');
  const overridden = await world.run('profile use work', { env: { MAILER_PROFILE: 'home' } });
  expect(overridden.stderr).toContain('MAILER_PROFILE is set to home, which takes precedence.');
});

test('an invalid MAILER_PROFILE does not prevent choosing another', async () => {
  const world = await worldWith({ work }, 'gone');
  const outcome = await world.run('profile use work', { env: { MAILER_PROFILE: 'gone' } });
  expect(outcome.exitCode).toBe(0);
});

test('rename keeps the content of the profile, and that it is current', async () => {
  const world = await worldWith({ work, home }, 'work');
  expect((await world.run('profile rename work office')).exitCode).toBe(0);
  expect(await configOf(world).read()).toEqual({
    currentProfile: 'office',
    profiles: { office: work, home },
  });
});

test.each([
  ['profile use wrok', 'There is no profile "wrok".'],
  ['profile rename wrok office', 'There is no profile "wrok".'],
  ['profile rename work home', 'Profile "home" already exists.'],
  ['profile rename work __proto__', 'cannot be the name of a profile'],
  ['profile rename work ../work', 'cannot be the name of a profile'],
  ['profile delete wrok --yes', 'There is no profile "wrok".'],
  ['profile delete constructor --yes', 'There is no profile "constructor".'],
])('%s: %s', async (words, message) => {
  const world = await worldWith({ work, home }, 'work');
  const outcome = await world.run(words);
  expect(outcome).toMatchObject({
    exitCode: /^There is no (profile|rule ")/.test(message) ? 4 : 2,
    stdout: '',
  });
  expect(outcome.stderr).toContain(message);
  expect(await configOf(world).read()).toEqual({
    currentProfile: 'work',
    profiles: { work, home },
  });
});

test('delete asks first; without a terminal it needs --yes', async () => {
  const world = await worldWith({ work, home }, 'work');
  const asking = await world.run('profile delete work');
  expect(asking.exitCode).toBe(2);
  expect(asking.stderr).toContain(
    'Nothing was deleted, because this needs confirmation: Delete profile work (https://work.example/api)',
  );
  expect((await configOf(world).read()).profiles).toEqual({ work, home });
});

test('delete of the current profile makes the only other one current', async () => {
  const world = await worldWith({ work, home }, 'work');
  const outcome = await world.run('profile delete work --yes');
  expect(outcome).toEqual({
    exitCode: 0,
    stdout: 'work\n',
    stderr: 'Deleted profile work. The current profile is home.\n',
  });
  expect(await configOf(world).read()).toEqual({ currentProfile: 'home', profiles: { home } });
});

test('delete of the current one among several does not make another current', async () => {
  const world = await worldWith({ work, home, third: {} }, 'work');
  await world.run('profile delete work --yes');
  expect((await configOf(world).read()).currentProfile).toBe('default');
});
