import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { domain } from './domains.ts';

test.each([
  ['3', 'Deleted domain 3.\n'],
  ['example.net', 'Deleted domain example.net.\n'],
])('deletes %s', async (named, stderr) => {
  const world = createWorld();
  expect(await world.run(`domain delete ${named} --sandbox --yes`)).toEqual({
    exitCode: 0,
    stdout: '3\n',
    stderr,
  });
  expect((await world.run('domain list --sandbox -q')).stdout).toBe('2\n1\n');
});

test('an id is not looked up, a name is; --json is the reply unmodified', async () => {
  const reply = { id: 4, success: true, message: 'Apagado', novel: 1 };
  const { world, requests } = await connected(
    { body: reply },
    { body: [domain(4, 'a.example')] },
    { body: reply },
  );
  expect(JSON.parse((await world.run('domain delete 4 -y --json')).stdout)).toEqual(reply);
  await world.run('domain delete a.example -y');
  expect(requests()).toEqual([
    'DELETE /api/v1/domains/4',
    'GET /api/v1/domains',
    'DELETE /api/v1/domains/4',
  ]);
});

test.each(['3', 'example.net'])(
  'without a terminal %s needs --yes: 2, it tells what would be deleted, and not even a look-up is sent',
  async (named) => {
    const { world, requests } = await connected();
    expect(await world.run(`domain delete ${named}`)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `Error: Nothing was deleted, because this needs confirmation: This deletes domain ${named}: it can no longer send, and API keys restricted to it lose the restriction. Delete it?\nHint: To confirm, add --yes.\n`,
    });
    expect(requests()).toEqual([]);
  },
);

test('no such domain: 4', async () => {
  const world = createWorld();
  const { exitCode, stderr } = await world.run('domain delete 99 --sandbox --yes');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('Error: Domain not found\n');
  expect((await world.run('domain delete no.example --sandbox --yes')).exitCode).toBe(4);
  expect((await world.run('domain list --sandbox -q')).stdout).toBe('3\n2\n1\n');
});

test('success: false is an error, with the message of the service', async () => {
  const { world } = await connected({ body: { id: 4, success: false, message: 'Not now' } });
  expect(await world.run('domain delete 4 --yes')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Error: Not now\n',
  });
});

test('--dry-run needs no yes, no key and no look-up', async () => {
  const world = createWorld();
  const byId = await world.run('domain delete 4 --dry-run');
  expect(byId.stdout).toMatch(/^DELETE \{base_url\}\/v1\/domains\/4\n/);
  expect(byId.stderr).toBe('Dry run: nothing was sent.\n');
  const byName = await world.run('domain delete a.example --dry-run --json');
  expect(JSON.parse(byName.stdout)).toMatchObject({
    method: 'DELETE',
    url: '{base_url}/v1/domains/a.example',
  });
  expect(byName.stderr).toContain('The domain "a.example" would be looked up first');
});

test('neither id nor name: 2, and nothing is sent', async () => {
  const { world, requests } = await connected();
  const { exitCode, stderr } = await world.run('domain delete example --yes');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`"example" is neither a domain's id nor a domain name`);
  expect(requests()).toEqual([]);
});
