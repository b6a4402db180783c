import { expect, test } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { connected, failureOf } from '../../support/connected.ts';
import { startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { patience } from '../../support/patience.ts';
import { createWorld } from '../../support/run.ts';
import { shortLimit } from '../../support/time-limits.ts';
import { check, finding } from './check-dns.ts';
import {
  dmarc,
  dnsRecord,
  dnsRecords,
  domainWithRecords,
  longKey,
  published,
  publishedBut,
  senders,
  spf,
} from './dns-domains.ts';
import { domain } from './domains.ts';

test('all published: 0, and one document', async () => {
  const { exitCode, document, dns } = await check(published);
  expect(exitCode).toBe(0);
  expect(document).toEqual({
    id: 4,
    domain: 'a.example',
    ok: true,
    incomplete: false,
    resolvers: [{ source: 'given', servers: [dns.address] }],
    records: [
      {
        type: 'MX',
        name: 'mail',
        fqdn: 'mail.a.example',
        expected: '10 feedback-smtp.eu-west-1.amazonses.com',
        found: ['10 feedback-smtp.eu-west-1.amazonses.com'],
        status: 'ok',
        required: true,
      },
      {
        type: 'TXT',
        name: 'k._domainkey',
        fqdn: 'k._domainkey.a.example',
        expected: longKey,
        found: [longKey],
        status: 'ok',
        required: true,
      },
      {
        type: 'TXT',
        name: 'mail',
        fqdn: 'mail.a.example',
        expected: spf,
        found: [spf],
        status: 'ok',
        required: true,
      },
      {
        type: 'TXT',
        name: '_dmarc',
        fqdn: '_dmarc.a.example',
        expected: dmarc,
        found: [dmarc],
        status: 'ok',
        required: false,
      },
    ],
  });
});

test('piped: tab-separated rows, and a sentence on stderr', async () => {
  const dns = await startDns(publishedBut('k._domainkey.a.example', 'TXT'));
  const { world } = await connected({ body: [domainWithRecords()] });
  expect(await world.run(`domain check a.example --resolver ${dns.address}`)).toEqual({
    exitCode: 9,
    stdout: [
      'type\tfqdn\tstatus\trequired\texpected\tfound\tproblem',
      'MX\tmail.a.example\tok\ttrue\t10 feedback-smtp.eu-west-1.amazonses.com\t10 feedback-smtp.eu-west-1.amazonses.com\t',
      `TXT\tk._domainkey.a.example\tmissing\ttrue\t${longKey}\t\tk._domainkey.a.example does not exist.`,
      `TXT\tmail.a.example\tok\ttrue\t${spf}\t${spf}\t`,
      `TXT\t_dmarc.a.example\tok\tfalse\t${dmarc}\t${dmarc}\t`,
      '',
    ].join('\n'),
    stderr: `Asked: ${dns.address}.\nError: Of 3 required records: 1 missing.\n`,
  });
});

test('on a terminal: a table, and below it the complete differences', async () => {
  const other = `p=${'Z'.repeat(300)}`;
  const dns = await startDns(
    publishedBut('k._domainkey.a.example', 'TXT', [other.slice(0, 200), other.slice(200)]),
  );
  const { world } = await connected({ body: [domainWithRecords()] });
  const { stdout } = await world.run(`domain check a.example --resolver ${dns.address}`, {
    terminal: 60,
    env: { NO_COLOR: '1' },
  });
  const [table, details] = stdout.split('\n\n');
  expect(table?.split('\n')).toEqual([
    'TYPE  NAME                    STATUS  NEEDED',
    'MX    mail.a.example          ok      required',
    'TXT   k._domainkey.a.example  wrong   required',
    'TXT   mail.a.example          ok      required',
    'TXT   _dmarc.a.example        ok      recommended',
  ]);
  expect(details?.trimEnd().split('\n')).toEqual([
    'TXT k._domainkey.a.example',
    `Expected  ${longKey}`,
    `Found     ${other}`,
    'Problem   It is a different key.',
  ]);
});

test('--quiet prints only the names of records that are missing or wrong', async () => {
  const dns = await startDns([], { failing: { 'TXT k._domainkey.a.example': 'SERVFAIL' } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout } = await world.run(`domain check 4 -q --resolver ${dns.address}`);
  expect(exitCode).toBe(9);
  expect(stdout).toBe('mail.a.example\nmail.a.example\n_dmarc.a.example\n');
});

test('--fields, --quiet, --jsonl, --csv', async () => {
  const dns = await startDns(published);
  const body = [domainWithRecords()];
  const { world } = await connected({ body }, { body }, { body }, { body });
  const run = async (flags: string) =>
    (await world.run(`domain check 4 --resolver ${dns.address} ${flags}`)).stdout;
  expect(await run('--fields fqdn,status')).toContain('\n_dmarc.a.example\tok\n');
  expect(await run('-q')).toBe('');
  expect(JSON.parse((await run('--jsonl')).split('\n')[3] ?? '')).toMatchObject({ status: 'ok' });
  expect(await run('--csv --fields type,required')).toBe(
    'type,required\r\nMX,true\r\nTXT,true\r\nTXT,true\r\nTXT,false\r\n',
  );
});

test.each<[string, string[], object]>([
  [
    'none',
    [],
    { exitCode: 9, status: 'missing', found: [], problem: 'mail.a.example has no MX record.' },
  ],
  [
    'another server',
    ['10 mx.elsewhere.example'],
    { exitCode: 9, status: 'wrong', problem: 'Mail for this name goes to another server.' },
  ],
  [
    'another priority',
    ['20 feedback-smtp.eu-west-1.amazonses.com'],
    { exitCode: 9, status: 'wrong', problem: 'The priority is 20, not 10.' },
  ],
  [
    'one more server',
    ['10 feedback-smtp.eu-west-1.amazonses.com', '20 mx.elsewhere.example'],
    { exitCode: 9, status: 'wrong', problem: expect.stringContaining('other MX records') },
  ],
  ['another case', ['10 Feedback-SMTP.eu-west-1.AmazonSES.com'], { exitCode: 0, status: 'ok' }],
])('MX: %s', async (_, values, expected) => {
  const records = publishedBut('mail.a.example', 'MX', ...values);
  expect(await finding(records, 'MX', 'mail.a.example')).toMatchObject(expected);
});

test.each<[string, (string | string[])[], object]>([
  ['none', [], { exitCode: 9, status: 'missing', problem: 'mail.a.example has no TXT record.' }],
  [
    'two',
    [spf, 'v=spf1 include:other.example -all'],
    {
      exitCode: 9,
      status: 'wrong',
      problem: expect.stringContaining('There are 2 SPF records'),
    },
  ],
  [
    'other text only',
    ['site-verification=1'],
    { exitCode: 9, status: 'missing', problem: expect.stringContaining('no SPF record') },
  ],
  ['other text beside it', ['site-verification=1', spf], { exitCode: 0, status: 'ok' }],
  [
    'more allowed, and stricter',
    ['v=spf1 mx  +include:AmazonSES.com -all'],
    { exitCode: 0, status: 'ok' },
  ],
  ['several strings', [['v=spf1 include:', 'amazonses.com ~all']], { exitCode: 0, status: 'ok' }],
  [
    'behind all, where nothing is read',
    ['v=spf1 -all include:amazonses.com'],
    { exitCode: 9, status: 'wrong', problem: 'The SPF record is missing include:amazonses.com' },
  ],
  [
    'another one',
    ['v=spf1 include:other.example ~all'],
    { exitCode: 9, status: 'wrong', problem: 'The SPF record is missing include:amazonses.com' },
  ],
])('SPF: %s', async (_, values, expected) => {
  const records = publishedBut('mail.a.example', 'TXT', ...values);
  expect(await finding(records, 'TXT', 'mail.a.example')).toMatchObject(expected);
});

test.each<[string, (string | string[])[], object]>([
  ['in many strings', [longKey.match(/.{1,50}/g) ?? []], { exitCode: 0, status: 'ok' }],
  [
    'with the other tags, and spaces',
    [
      [
        `v=DKIM1; k=rsa; t=s; ${longKey.slice(0, 100)} `,
        longKey.slice(100, 300),
        longKey.slice(300),
      ],
    ],
    { exitCode: 0, status: 'ok' },
  ],
  [
    'split over records',
    [longKey.slice(0, 200), longKey.slice(200)],
    { exitCode: 9, status: 'wrong', problem: expect.stringContaining('split across 2 records') },
  ],
  [
    'another key beside it',
    [[longKey.slice(0, 255), longKey.slice(255)], 'p=OLD'],
    {
      exitCode: 9,
      status: 'wrong',
      problem: expect.stringContaining('the key must be the only one'),
    },
  ],
  [
    'cut off',
    [longKey.slice(0, 255)],
    {
      exitCode: 9,
      status: 'wrong',
      problem: `The key is truncated: it has 253 of ${longKey.length - 2} characters.`,
    },
  ],
  [
    'in quotes',
    [[`"${longKey.slice(0, 100)}`, longKey.slice(100, 300), `${longKey.slice(300)}"`]],
    { exitCode: 9, status: 'wrong', problem: expect.stringContaining('quotes or backslashes') },
  ],
  ['revoked', ['v=DKIM1; p='], { status: 'wrong', problem: expect.stringContaining('revoked') }],
  ['no key', ['hello'], { status: 'wrong', problem: expect.stringContaining('no p=') }],
  [
    'another kind',
    [['k=ed25519; ', longKey.slice(0, 200), longKey.slice(200)]],
    { status: 'wrong' },
  ],
])('DKIM: %s', async (_, values, expected) => {
  const records = publishedBut('k._domainkey.a.example', 'TXT', ...values);
  expect(await finding(records, 'TXT', 'k._domainkey.a.example')).toMatchObject(expected);
});

test.each<[string, string[], object]>([
  ['none: it is only recommended', [], { exitCode: 0, status: 'missing' }],
  ['another policy', ['v=DMARC1;p=reject'], { exitCode: 0, status: 'ok' }],
  ['other text', ['hello'], { exitCode: 0, status: 'missing' }],
  [
    'two',
    [dmarc, 'v=DMARC1; p=reject'],
    { exitCode: 0, status: 'wrong', problem: expect.stringContaining('2 DMARC records') },
  ],
])('DMARC: %s', async (_, values, expected) => {
  const records = publishedBut('_dmarc.a.example', 'TXT', ...values);
  expect(await finding(records, 'TXT', '_dmarc.a.example')).toMatchObject(expected);
});

test('other text must be equal', async () => {
  const service = domain(4, 'a.example', {
    dnsRecords: [dnsRecord('TXT', '@', 'verify="1; 2"'), dnsRecord('TXT', 'b', 'other')],
  });
  const { exitCode, document } = await check(
    [
      ['a.example', 'TXT', 'verify="1; 2"'],
      ['a.example', 'TXT', spf],
      ['b.a.example', 'TXT', 'Other'],
    ],
    service,
  );
  expect(exitCode).toBe(9);
  expect(document.records).toMatchObject([{ status: 'ok' }, { status: 'wrong', found: ['Other'] }]);
});

test.each([
  ['relative to the registered domain', dnsRecords('.news')],
  ['absolute', dnsRecords('.news').map((one) => ({ ...one, name: `${one.name}.A.example` }))],
  [
    'absolute, with a dot at the end',
    dnsRecords('.news').map((one) => ({
      ...one,
      name: `${one.name}.a.example.`,
      value: one.value,
    })),
  ],
])('names of a subdomain: %s', async (_, records) => {
  const service = domain(4, 'news.a.example', { subdomain: 'news', dnsRecords: records });
  const { exitCode, document } = await check(
    published.map(([name, type, value]) => [
      name.replace(/^(mail|k\._domainkey)\./, '$1.news.'),
      type,
      value,
    ]),
    service,
  );
  expect(exitCode).toBe(0);
  expect(document.records.map(({ fqdn }: { fqdn: string }) => fqdn)).toEqual([
    'mail.news.a.example',
    'k._domainkey.news.a.example',
    'mail.news.a.example',
    '_dmarc.a.example',
  ]);
});

test('an international domain, and a dot behind the target of an MX', async () => {
  const service = domain(4, 'bücher.example', {
    dnsRecords: [dnsRecord('MX', 'mail', 'MX.Service.example.', { priority: '5' })],
  });
  const { exitCode } = await check(
    [['mail.xn--bcher-kva.example', 'MX', '5 mx.service.example']],
    service,
  );
  expect(exitCode).toBe(0);
});

test('an alias is followed, even if its servers do not follow it', async () => {
  const key = 'k._domainkey.a.example';
  const alias: ZoneRecord[] = [
    [key, 'CNAME', 'k.keys.example'],
    ['k.keys.example', 'CNAME', 'K2.keys.example'],
    ['k2.keys.example', 'TXT', [longKey.slice(0, 255), longKey.slice(255)]],
  ];
  const records = [...publishedBut(key, 'TXT'), ...alias];
  expect(await finding(records, 'TXT', key)).toMatchObject({
    exitCode: 0,
    status: 'ok',
    via: ['k.keys.example', 'k2.keys.example'],
  });
  const recursive = await startDns(records, { recursive: true });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode } = await world.run(`domain check 4 --resolver ${recursive.address}`);
  expect(exitCode).toBe(0);
});

test('an alias of nothing, and one of itself', async () => {
  const key = 'k._domainkey.a.example';
  const rest = publishedBut(key, 'TXT');
  expect(await finding([...rest, [key, 'CNAME', 'gone.example']], 'TXT', key)).toMatchObject({
    exitCode: 9,
    status: 'missing',
    problem: `${key} is an alias of gone.example, which does not exist.`,
  });
  const circle: ZoneRecord[] = [
    [key, 'CNAME', 'other.example'],
    ['other.example', 'CNAME', key],
  ];
  expect(await finding([...rest, ...circle], 'TXT', key)).toMatchObject({
    exitCode: 9,
    status: 'wrong',
    problem: `${key} is an alias that does not resolve: other.example, ${key}.`,
  });
});

test('a name that was entered with the domain appended is found', async () => {
  const doubled = published.map(
    ([name, type, value]) => [name.replace(/^(k|mail).*/, '$&.a.example'), type, value] as const,
  );
  const { exitCode, document } = await check(doubled);
  expect(exitCode).toBe(9);
  expect(document.records[0]).toMatchObject({
    status: 'missing',
    problem:
      'It is published as mail.a.example.a.example, because .a.example was appended to the name. Enter the name as mail.',
  });
});

test('a response to the first question that comes after the second one counts', async () => {
  const dns = await startDns(published, { failing: { 'k._domainkey.a.example': 'late' } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const words = `domain check 4 --timeout ${6 * shortLimit} --resolver ${dns.address}`;
  const { exitCode } = await world.run(words);
  expect(exitCode).toBe(0);
  expect(dns.questions.filter((one) => one === 'TXT k._domainkey.a.example')).toHaveLength(2);
});

test.each([
  ['SERVFAIL', 'could not resolve it (SERVFAIL).'],
  ['REFUSED', 'refused the query (REFUSED).'],
  ['silent', `did not respond within ${shortLimit} s.`],
] as const)('a failed look-up is unknown: %s', async (failing, reason) => {
  const dns = await startDns(published, { failing: { 'k._domainkey.a.example': failing } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout, stderr } = await world.run(
    `domain check 4 --timeout ${shortLimit} --resolver ${dns.address}`,
  );
  expect(exitCode).toBe(7);
  expect(stdout).toContain(
    `TXT\tk._domainkey.a.example\tunknown\ttrue\t${longKey}\t\t${dns.address} ${reason}\n`,
  );
  expect(stderr).toContain('Of 3 required records: 1 could not be looked up.\n');
});

test('a record that is missing is 9, though another could not be looked up', async () => {
  const dns = await startDns([], { failing: { 'TXT k._domainkey.a.example': 'SERVFAIL' } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const outcome = await world.run(`domain check 4 --json --resolver ${dns.address}`);
  expect(outcome.exitCode).toBe(9);
  expect(failureOf(outcome).message).toBe(
    'Of 3 required records: 2 missing, 1 could not be looked up.',
  );
  expect(JSON.parse(outcome.stdout)).toMatchObject({ ok: false, incomplete: true });
});

test('a response that is cut off, over TCP, too, is none', async () => {
  const dns = await startDns(published, { failing: { 'MX mail.a.example': 'cut off' } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout } = await world.run(`domain check 4 --resolver ${dns.address}`);
  expect(exitCode).toBe(7);
  expect(stdout).toContain(
    `unknown\ttrue\t10 feedback-smtp.eu-west-1.amazonses.com\t\t${dns.address} sent a response that is cut off.`,
  );
});

test('a failed look-up of a recommended record is no failure', async () => {
  const dns = await startDns(published, { failing: { '_dmarc.a.example': 'SERVFAIL' } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout } = await world.run(`domain check 4 --resolver ${dns.address}`);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('_dmarc.a.example\tunknown\tfalse');
});

test('a second --resolver is used if the first one fails', async () => {
  const broken = await startDns([], { failing: { '': 'SERVFAIL' } });
  const good = await startDns(published);
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout } = await world.run(
    `domain check 4 --json --resolver ${broken.address} --resolver ${good.address}`,
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).resolvers).toEqual([
    { source: 'given', servers: [broken.address, good.address] },
  ]);
});

test('without --resolver the authoritative name servers are asked, without caches', async () => {
  const own = await startDns(published);
  const resolver = await startDns([
    ['a.example', 'NS', 'ns1.a.example'],
    ['ns1.a.example', 'A', '127.0.0.1'],
    senders,
  ]);
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout } = await world.run('domain check 4 --json', {
    dns: { machineServers: [resolver.address], port: own.port },
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).resolvers).toEqual([
    { source: 'authoritative', zone: 'a.example', servers: ['127.0.0.1'] },
  ]);
  expect(resolver.questions).toContain('NS k._domainkey.a.example');
  expect(resolver.questions).not.toContain('TXT k._domainkey.a.example');
});

test.each([
  ['know nothing of it', 'REFUSED'],
  ['do not answer', 'silent'],
] as const)('if those %s, the servers of the system are asked, with a note', async (_, failing) => {
  const own = await startDns([], { failing: { '': failing } });
  const resolver = await startDns([
    ...published,
    ['a.example', 'NS', 'ns1.a.example'],
    ['ns1.a.example', 'A', '127.0.0.1'],
  ]);
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stderr } = await world.run(`domain check 4 --timeout ${shortLimit}`, {
    dns: { machineServers: [resolver.address], port: own.port },
  });
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    `All required records are correct.\nAsked: the resolver of this system (${resolver.address}), because the domain's own name servers cannot be reached; its results may be cached.\n`,
  );
});

test('no DNS at all: every record is unknown, 7', async () => {
  const { world } = await connected({ body: [domainWithRecords()] });
  const { exitCode, stdout, stderr } = await world.run('domain check 4');
  expect(exitCode).toBe(7);
  expect(stdout).toContain('\tunknown\ttrue\t10 feedback');
  expect(stdout).toContain('127.0.0.1:1 cannot be reached.');
  expect(stderr).toContain('DNS could not be queried, so the published records are unknown.\n');
});

test('unknown types and DNS responses cannot control the terminal', async () => {
  const service = domain(4, 'a.example', {
    dnsRecords: [dnsRecord('SRV', '_x', '\u001b[31m'), dnsRecord('TXT', 'b', 'other')],
  });
  const dns = await startDns([['b.a.example', 'TXT', '\u001b]0;title\u0007']]);
  const { world } = await connected({ body: [service] });
  const { stdout, exitCode } = await world.run(`domain check 4 --resolver ${dns.address}`, {
    terminal: 100,
    env: { NO_COLOR: '1' },
  });
  expect(exitCode).toBe(9);
  expect(stdout).toContain('Problem   Records of type SRV are not looked up.\n');
  expect(stdout).toContain('Found     \\x1b]0;title\\x07\n');
});

test('a domain without records: 4, and no look-up', async () => {
  const dns = await startDns(published);
  const { world } = await connected({ body: [domain(4, 'a.example')] });
  expect(await world.run(`domain check a.example --resolver ${dns.address}`)).toEqual({
    exitCode: 4,
    stdout: '',
    stderr:
      'Error: The service lists no DNS records for a.example.\nHint: To see the domain: mailer domain get 4\n',
  });
  expect(dns.questions).toEqual([]);
});

test('no such domain: 4', async () => {
  const { exitCode } = await createWorld().run('domain check nowhere.example --sandbox');
  expect(exitCode).toBe(4);
});

test.each([
  'dns.example',
  '1.2.3',
  '127.0.0.1:0',
  '127.0.0.1:65536',
  '[::1',
  '::1]:53',
  '[127.0.0.1]:53',
])('--resolver %s is not an IP address: 2, and nothing is sent', async (resolver) => {
  const { world, requests } = await connected();
  const { exitCode, stderr } = await world.run(['domain', 'check', '4', '--resolver', resolver]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`--resolver: "${resolver}" is not an IP address`);
  expect(requests()).toEqual([]);
});

test('an interruption: 130, without a message', async () => {
  const dns = await startDns([], { failing: { '': 'silent' } });
  const { world } = await connected({ body: [domainWithRecords()] });
  const controller = new AbortController();
  const running = world.run(`domain check 4 --timeout 60 --resolver ${dns.address}`, {
    signal: controller.signal,
  });
  await expect.poll(() => dns.questions.length, { timeout: patience }).toBeGreaterThan(0);
  controller.abort(new InterruptedError('Interrupted.'));
  expect(await running).toEqual({ exitCode: 130, stdout: '', stderr: '' });
});
