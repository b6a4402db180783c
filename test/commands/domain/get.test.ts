import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { domain, forever, liveDomain } from './domains.ts';

const longKey = `p=${'MIGfMA0GCSqGSIb3'.repeat(24)}`;
const records = [
  { type: 'MX', name: 'mail', value: 'mx.example', ttl: 'Auto', priority: '10', status: 'PENDING' },
  {
    type: 'TXT',
    name: 'k._domainkey',
    value: longKey,
    ttl: 'Auto',
    priority: null,
    status: 'SUCCESS',
  },
  {
    type: 'TXT',
    name: '_dmarc',
    value: 'v=DMARC1; p=none',
    ttl: 'Auto',
    status: 'NOT_STARTED',
    recommended: true,
  },
];

test.each(['1', 'example.com', 'EXAMPLE.com.'])('finds %s', async (named) => {
  const { stdout, stderr, exitCode } = await createWorld().run(`domain get ${named} --sandbox`);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^id\t1\nname\texample.com\nstatus\tSUCCESS\n/);
});

test('piped: fields, then the DNS records as tab-separated rows', async () => {
  const fields = { dnsRecords: records, errorMessage: 'No DKIM', isVerifying: true };
  const { world, requests } = await connected(
    { body: [domain(4, 'a.example')] },
    { body: domain(4, 'a.example', fields) },
  );
  const { stdout } = await world.run('domain get a.example');
  const [shown = '', rows = ''] = stdout.split('\n\n');
  expect(shown.split('\n')).toEqual(
    expect.arrayContaining([
      'id\t4',
      'isVerifying\ttrue',
      'errorMessage\tNo DKIM',
      'region\teu-west-1',
    ]),
  );
  expect(rows).toBe(
    [
      'dnsRecords.type\tdnsRecords.name\tdnsRecords.value\tdnsRecords.priority\tdnsRecords.ttl\tdnsRecords.status\tdnsRecords.recommended',
      'MX\tmail\tmx.example\t10\tAuto\tPENDING\t',
      `TXT\tk._domainkey\t${longKey}\t\tAuto\tSUCCESS\t`,
      'TXT\t_dmarc\tv=DMARC1; p=none\t\tAuto\tNOT_STARTED\ttrue',
      '',
    ].join('\n'),
  );
  expect(requests()).toEqual(['GET /api/v1/domains', 'GET /api/v1/domains/4']);
});

test('on a narrow terminal the values to paste are complete, each on a line', async () => {
  const { world } = await connected({ body: domain(4, 'a.example', { dnsRecords: records }) });
  const { stdout } = await world.run('domain get 4', { terminal: 60, env: { NO_COLOR: '1' } });
  const lines = stdout.split('\n');
  expect(lines).toContain('DNS records');
  expect(lines).toContain(`Value     ${longKey}`);
  expect(lines).toContain('Value     v=DMARC1; p=none');
  expect(lines).toContain('Priority  10');
  expect(stdout).not.toContain('…');
});

test('names are compared without case', async () => {
  const one = domain(4, 'A.Example');
  const { world } = await connected({ body: [one] }, { body: one });
  expect((await world.run('domain get a.eXample -q')).stdout).toBe('4\n');
});

test('a domain without records', async () => {
  const { world } = await connected({ body: domain(4, 'a.example') });
  const { stdout } = await world.run('domain get 4', { terminal: 80, env: { NO_COLOR: '1' } });
  expect(stdout).toContain('\nDNS records\nThere are none.\n');
});

test('--json is the domain unmodified; --quiet its id; --fields', async () => {
  const wanted = domain(4, 'a.example', { novel: [1], dnsRecords: records });
  const list = { body: [domain(3, 'b.example'), domain(4, 'a.example')] };
  const { world } = await connected(...[1, 2, 3].flatMap(() => [list, { body: wanted }]));
  expect(JSON.parse((await world.run('domain get a.example --json')).stdout)).toEqual(wanted);
  expect((await world.run('domain get a.example -q')).stdout).toBe('4\n');
  const { stdout } = await world.run('domain get a.example --json --fields dnsRecords.name');
  expect(JSON.parse(stdout)).toEqual({ dnsRecords: { name: ['mail', 'k._domainkey', '_dmarc'] } });
});

test('a started verification advances when the domain is requested', async () => {
  const looks = [{ status: 'SUCCESS', isVerifying: false }];
  const { world } = await connected(...forever(liveDomain(domain(4, 'a.example'), looks)));
  await world.run('domain verify a.example');
  const { stdout } = await world.run('domain get a.example --fields status');
  expect(stdout).toBe('status\tSUCCESS\n');
});

test.each([
  ['a service without that endpoint', { status: 404, body: '404 Not Found' }],
  ['a service that fails at it', { status: 500, body: { error: { code: 'X', message: 'no' } } }],
])('%s: the list is used, and a missing domain is 4', async (_, answer) => {
  const list = { body: [domain(4, 'a.example')] };
  const { world, requests } = await connected(answer, list, answer, list);
  expect((await world.run('domain get 4 -q')).stdout).toBe('4\n');
  const { exitCode, stderr } = await world.run('domain get 9');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('Error: There is no domain 9, or this key has no access to it.\n');
  expect(requests()).toHaveLength(4);
});

test.each(['9', 'nowhere.example'])('no domain %s: 4', async (named) => {
  expect(await createWorld().run(`domain get ${named} --sandbox`)).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: `Error: There is no domain ${named}, or this key has no access to it.\nHint: To list the domains: mailer domain list --sandbox\n`,
  });
});

test.each(['example', '0', '-1.5', 'a b.example', 'http://example.com', ''])(
  '%j is neither an id nor a name: 2, and nothing is sent',
  async (named) => {
    const { world, service } = await connected();
    const { exitCode, stdout } = await world.run(['domain', 'get', '--json', '--', named]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(service.requests).toHaveLength(0);
  },
);
