import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { domain } from './domains.ts';

test('starts the verification and prints how to check its status', async () => {
  const world = createWorld();
  expect(await world.run('domain verify example.org --sandbox')).toEqual({
    exitCode: 0,
    stdout: '2\n',
    stderr:
      'The verification has started. Check its status: mailer domain get example.org --sandbox\n',
  });
  const status = async () =>
    (await world.run('domain get 2 --sandbox --fields status,isVerifying')).stdout;
  expect(await status()).toBe('status\tPENDING\nisVerifying\ttrue\n');
  world.clock.advance(60_000);
  expect(await status()).toBe('status\tSUCCESS\nisVerifying\tfalse\n');
});

test('the sandbox continues it as live servers do: when asked for the domain, or by the hour', async () => {
  const world = createWorld();
  const listed = async () => (await world.run('domain list --sandbox --fields name,status')).stdout;
  await world.run('domain verify example.org --sandbox');
  world.clock.advance(600_000);
  expect(await listed()).toContain('example.org\tPENDING\n');
  await world.run('domain get example.org --sandbox');
  expect(await listed()).toContain('example.org\tSUCCESS\n');

  const other = createWorld();
  await other.run('domain verify example.org --sandbox');
  const advanced = await other.run('sandbox advance 59m --json');
  expect(JSON.parse(advanced.stdout)).toMatchObject({ domains: 0 });
  const more = await other.run('sandbox advance 1m --json');
  expect(JSON.parse(more.stdout)).toMatchObject({ domains: 1 });
});

test('an id is not looked up, a name is', async () => {
  const started = { body: { message: 'Iniciada', novel: 1 } };
  const { world, requests } = await connected(started, { body: [domain(4, 'a.example')] }, started);
  const byId = await world.run('domain verify 12 --json');
  expect(JSON.parse(byId.stdout)).toEqual({ message: 'Iniciada', novel: 1 });
  expect((await world.run('domain verify A.example -q')).stdout).toBe('4\n');
  expect(requests()).toEqual([
    'PUT /api/v1/domains/12/verify',
    'GET /api/v1/domains',
    'PUT /api/v1/domains/4/verify',
  ]);
});

test('the request has no body and asks for JSON', async () => {
  const { world, service } = await connected({ body: { message: 'ok' } });
  await world.run('domain verify 1');
  const [request] = service.requests;
  expect(request?.body).toBe('');
  expect(request?.headers).toMatchObject({
    authorization: 'Bearer us_key_1234567890',
    accept: 'application/json',
  });
});

test('no such domain: 4, for an id with the message of the service', async () => {
  const world = createWorld();
  const byId = await world.run('domain verify 99 --sandbox --json');
  expect(byId.exitCode).toBe(4);
  expect(JSON.parse(byId.stderr).error).toMatchObject({
    code: 'not_found',
    message: 'Domain not found',
    status: 404,
  });
  const byName = await world.run('domain verify nowhere.example --sandbox');
  expect(byName.exitCode).toBe(4);
  expect(byName.stderr).toContain(
    'There is no domain nowhere.example, or this key has no access to it.',
  );
});

test('--dry-run by id: the exact request, no key needed', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run('domain verify 7 --dry-run');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^PUT \{base_url\}\/v1\/domains\/7\/verify\n/);
  expect(stderr).toBe('Dry run: nothing was sent.\n');
});

test('--dry-run by name: the name in the path, a note about the look-up, no request', async () => {
  const { world, requests } = await connected();
  const { stdout, stderr } = await world.run('domain verify Bücher.example --dry-run --json');
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'PUT',
    url: expect.stringMatching(/\/api\/v1\/domains\/b%C3%BCcher\.example\/verify$/),
  });
  expect(stderr).toBe(
    'The domain "bücher.example" would be looked up first; the path then has its id.\nDry run: nothing was sent.\n',
  );
  expect(requests()).toEqual([]);
});

test.each(['example', 'a/b', ''])(
  '%j: 2, with --dry-run too, and nothing is sent',
  async (named) => {
    const { world, requests } = await connected();
    expect((await world.run(['domain', 'verify', named])).exitCode).toBe(2);
    expect((await world.run(['domain', 'verify', named, '--dry-run'])).exitCode).toBe(2);
    expect(requests()).toEqual([]);
  },
);
