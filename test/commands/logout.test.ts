import { expect, test } from 'vitest';
import { configOf, worldWith } from '../support/stored-profiles.ts';

const work = { baseUrl: 'https://work.example/api', apiKey: 'us_0123456789_work' };
const home = { baseUrl: 'https://home.example/api', keyCommand: 'pass show mailer' };

test('removes the key and keeps base URL and settings', async () => {
  const world = await worldWith({ work: { ...work, settings: { from: 'a@b.example' } } }, 'work');
  expect(await world.run('logout')).toEqual({
    exitCode: 0,
    stdout: 'work\n',
    stderr: 'Removed the key of profile work.\n',
  });
  expect((await configOf(world).read()).profiles).toEqual({
    work: { baseUrl: work.baseUrl, settings: { from: 'a@b.example' } },
  });
  expect((await world.run('email get em_1')).exitCode).toBe(3);
});

test('removes a key command too, and reports when there is nothing to remove', async () => {
  const world = await worldWith({ home }, 'home');
  expect((await world.run('logout')).exitCode).toBe(0);
  expect(await world.run('logout')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Profile home has no key.\n',
  });
});

test('of several profiles it removes the named one, and asks if none is named', async () => {
  const world = await worldWith({ work, home }, 'work');
  const asking = await world.run('logout');
  expect(asking.exitCode).toBe(2);
  expect(asking.stderr).toMatch(/^Error: Nothing was removed, because .*\n.*--yes/);
  expect((await configOf(world).read()).profiles).toEqual({ work, home });

  expect((await world.run('logout --profile home')).exitCode).toBe(0);
  expect((await configOf(world).read()).profiles).toEqual({
    work,
    home: { baseUrl: home.baseUrl },
  });
});

test('--yes answers the question', async () => {
  const world = await worldWith({ work, home }, 'work');
  expect((await world.run('logout --yes')).exitCode).toBe(0);
  expect((await configOf(world).read()).profiles.work).toEqual({ baseUrl: work.baseUrl });
});

test('reports a key in the environment', async () => {
  const world = await worldWith({ work }, 'work');
  const outcome = await world.run('logout', { env: { MAILER_API_KEY: 'us_0123456789_env' } });
  expect(outcome.stderr).toContain('MAILER_API_KEY is still set');
});

test('a profile that does not exist is an error', async () => {
  const world = await worldWith({ work }, 'work');
  const outcome = await world.run('logout --profile wrok');
  expect(outcome.exitCode).toBe(4);
  expect(outcome.stderr).toBe('Error: There is no profile "wrok".\nHint: Profiles: work\n');
});
