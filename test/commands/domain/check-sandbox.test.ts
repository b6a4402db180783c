import { expect, test } from 'vitest';
import { createWorld, type World } from '../../support/run.ts';

/** The exit code of a check, with the status and problem of each record by type and name. */
async function check(world: World, domain: string) {
  const { exitCode, stdout } = await world.run(`domain check ${domain} --sandbox --json`);
  const { resolvers, records } = JSON.parse(stdout) as {
    resolvers: unknown;
    records: { type: string; fqdn: string; status: string; problem?: string }[];
  };
  expect(resolvers).toEqual([{ source: 'sandbox', servers: [] }]);
  const of = Object.fromEntries(
    records.map(({ type, fqdn, status, problem = '' }) => [
      `${type} ${fqdn}`,
      `${status}: ${problem}`,
    ]),
  );
  return { exitCode, of };
}

async function seed(world: World, seeds: object) {
  const ended = await world.run('sandbox seed -', { stdin: JSON.stringify(seeds) });
  expect(ended).toMatchObject({ exitCode: 0 });
}

const right = 'ok: ';

test('the records of a verified domain are all there', async () => {
  expect(await check(createWorld(), 'example.com')).toEqual({
    exitCode: 0,
    of: {
      'MX mail.example.com': right,
      'TXT usesend._domainkey.example.com': right,
      'TXT mail.example.com': right,
      'TXT _dmarc.example.com': right,
    },
  });
});

test('a pending domain lacks its key, until it is verified', async () => {
  const world = createWorld();
  expect(await check(world, 'example.org')).toEqual({
    exitCode: 9,
    of: {
      'MX mail.example.org': right,
      'TXT usesend._domainkey.example.org':
        'missing: usesend._domainkey.example.org does not exist.',
      'TXT mail.example.org': right,
      'TXT _dmarc.example.org': 'missing: _dmarc.example.org does not exist.',
    },
  });
  expect(await world.run('domain verify example.org --wait --sandbox')).toMatchObject({
    exitCode: 0,
  });
  expect((await check(world, 'example.org')).exitCode).toBe(0);
});

test('a domain without a verification has no records', async () => {
  const { exitCode, of } = await check(createWorld(), 'example.net');
  expect(exitCode).toBe(9);
  expect(Object.values(of)).toEqual(Array(4).fill(expect.stringMatching(/^missing: /)));
});

test('a failed domain has another key, which its verification names', async () => {
  const world = createWorld();
  await seed(world, { domains: [{ name: 'news.fail.test', status: 'FAILED' }] });
  const { exitCode, of } = await check(world, 'news.fail.test');
  expect(exitCode).toBe(9);
  expect(of).toMatchObject({
    'MX mail.news.fail.test': right,
    'TXT usesend._domainkey.news.fail.test': 'wrong: It is a different key.',
  });
  await seed(world, { domains: [{ name: 'fail.test', status: 'PENDING' }] });
  const verified = await world.run('domain verify fail.test --wait --sandbox');
  expect(verified.exitCode).toBe(9);
  expect(verified.stdout).toMatch(/^TXT\tusesend._domainkey.fail.test\twrong\t/m);
});

test('records that were set decide, and leave with an export', async () => {
  const world = createWorld();
  const { stdout } = await world.run('domain records example.org --sandbox --json');
  const [, key] = JSON.parse(stdout) as { value: string }[];
  const name = 'usesend._domainkey.example.org';
  await seed(world, {
    dnsRecords: [
      { name, type: 'TXT', values: [key?.value] },
      { name: 'mail.example.com', type: 'MX', values: ['10 mx.example.net'] },
      { name: 'usesend._domainkey.example.com', type: 'TXT' },
    ],
  });
  expect(await check(world, 'example.org')).toMatchObject({ exitCode: 0 });
  const changed = {
    exitCode: 9,
    of: {
      'MX mail.example.com': 'wrong: Mail for this name goes to another server.',
      'TXT usesend._domainkey.example.com':
        'missing: usesend._domainkey.example.com does not exist.',
      'TXT mail.example.com': right,
    },
  };
  expect(await check(world, 'example.com')).toMatchObject(changed);
  expect(await world.run('domain verify example.com --force --wait --sandbox')).toMatchObject({
    exitCode: 9,
  });
  const copy = createWorld();
  await seed(copy, JSON.parse((await world.run('sandbox export')).stdout));
  expect(await check(copy, 'example.com')).toMatchObject(changed);
});

test('reports that it asked the sandbox', async () => {
  const { stderr } = await createWorld().run('domain check example.com --sandbox');
  expect(stderr).toBe('All required records are correct.\nAsked: the DNS of the sandbox.\n');
});

test('asks the given servers', async () => {
  const words = 'domain check example.com --sandbox --resolver 127.0.0.1:1 --timeout 1 --json';
  const { exitCode, stdout } = await createWorld().run(words);
  expect(exitCode).toBe(7);
  expect(JSON.parse(stdout).resolvers).toEqual([{ source: 'given', servers: ['127.0.0.1:1'] }]);
});
