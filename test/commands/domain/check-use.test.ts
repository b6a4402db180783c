import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { type DnsServerOptions, startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { check, finding } from './check-dns.ts';
import {
  dmarc,
  dnsRecord,
  domainWithRecords,
  longKey,
  published,
  publishedBut,
  senders,
  spf,
} from './dns-domains.ts';
import { domain } from './domains.ts';

/** A record counts only if receivers use it. */

const include = (count: number) =>
  Array.from({ length: count }, (_, index) => `include:i${index}.example`).join(' ');
const included = (count: number): ZoneRecord[] =>
  Array.from({ length: count }, (_, index) => [`i${index}.example`, 'TXT', 'v=spf1 -all']);

describe('SPF', () => {
  test.each<[string, string, ZoneRecord[], string | undefined]>([
    ['ten look-ups', `v=spf1 include:amazonses.com ${include(9)} -all`, included(9), undefined],
    [
      'eleven look-ups',
      `v=spf1 include:amazonses.com ${include(10)} -all`,
      included(10),
      'needs 11 DNS look-ups',
    ],
    [
      'eleven look-ups below',
      'v=spf1 include:amazonses.com include:more.example -all',
      [...included(9), ['more.example', 'TXT', `v=spf1 ${include(9)}`]],
      'needs 11 DNS look-ups',
    ],
    [
      'a term that is none',
      `${spf.replace('~all', 'ip4:192.0.2 ~all')}`,
      [],
      'because of ip4:192.0.2: This is not an IPv4 address.',
    ],
    [
      'an error in an include',
      'v=spf1 include:amazonses.com include:bad.example -all',
      [['bad.example', 'TXT', 'v=spf1 nonsense']],
      'nonsense: There is no mechanism named "nonsense".',
    ],
    [
      'an include of nothing',
      'v=spf1 include:amazonses.com include:gone.example -all',
      [],
      'gone.example has no SPF record.',
    ],
    [
      'three look-ups of nothing',
      'v=spf1 include:amazonses.com a:x.a.example a:y.a.example a:z.a.example -all',
      [],
      '3 of its look-ups find nothing',
    ],
    [
      'itself',
      'v=spf1 include:amazonses.com include:mail.a.example -all',
      [],
      'mail.a.example includes itself',
    ],
    ['everybody', 'v=spf1 include:amazonses.com +all', [], undefined],
  ])('%s', async (_, value, more, problem) => {
    const records = [...publishedBut('mail.a.example', 'TXT', value), ...more];
    const status = problem === undefined ? 'ok' : 'wrong';
    const found = await finding(records, 'TXT', 'mail.a.example');
    expect(found).toMatchObject({ exitCode: problem === undefined ? 0 : 9, status });
    if (problem === undefined) expect(found).not.toHaveProperty('problem');
    else expect(found.problem).toContain(problem);
  });

  test('an include that cannot be looked up is no statement about the record', async () => {
    const dns = await startDns(published, { failing: { 'amazonses.com': 'SERVFAIL' } });
    const { world } = await connected({ body: [domainWithRecords()] });
    const { exitCode, stdout, stderr } = await world.run(
      `domain check 4 --resolver ${dns.address}`,
      {
        dns: { machineServers: [dns.address] },
      },
    );
    expect(exitCode).toBe(7);
    expect(stdout).toContain(
      `unknown\ttrue\t${spf}\t${spf}\tIt is unknown whether receivers use the SPF record. amazonses.com: ${dns.address} could not resolve it (SERVFAIL).\n`,
    );
    expect(stderr).toContain('Of 3 required records: 1 could not be looked up.\n');
  });

  test.each<[string, DnsServerOptions]>([
    ['refuses others', { failing: { 'amazonses.com': 'REFUSED' } }],
    ['refers to others', { delegated: ['com'] }],
  ])('a name server in --resolver that %s is no obstacle', async (_, options) => {
    const own = await startDns([...published, ['com', 'NS', 'ns.com']], options);
    const machine = await startDns([senders]);
    const { world } = await connected({ body: [domainWithRecords()] });
    const { exitCode } = await world.run(`domain check 4 --resolver ${own.address}`, {
      dns: { machineServers: [machine.address] },
    });
    expect(exitCode).toBe(0);
  });
});

describe('DMARC is only recommended', () => {
  test.each([
    ['v=DMARC1; rua=mailto:a@a.example', 'receivers act as if it were p=none'],
    ['v=DMARC1; p=block', 'receivers ignore it'],
    ['v=DMARC1; p=reject; sp=block', 'receivers ignore it'],
    ['v=DMARC1; p=reject; p=none', 'p= occurs twice'],
    ['v=DMARC1; p=reject; pct=50', undefined],
  ])('%s', async (value, problem) => {
    const found = await finding(
      publishedBut('_dmarc.a.example', 'TXT', value),
      'TXT',
      '_dmarc.a.example',
    );
    expect(found).toMatchObject({ exitCode: 0, status: problem === undefined ? 'ok' : 'wrong' });
    if (problem !== undefined) expect(found.problem).toContain(problem);
  });
});

describe('DKIM', () => {
  const key = [longKey.slice(0, 200), longKey.slice(200)];
  test.each([
    [['v=DKIM1; h=sha256:sha1; t=y; ', ...key], undefined],
    [['v=DKIM1; h=sha1; ', ...key], 'It only allows h=sha1'],
    [['v=DKIM1; s=tlsrpt; ', ...key], 'not for email'],
    [['v=DKIM2; ', ...key], 'not DKIM1'],
    [[...key, '; v=DKIM1'], 'v= is not its first tag'],
    [['v=DKIM1; what; ', ...key], 'Receivers ignore the key. what is not tag=value.'],
    [['v=DKIM1; ', ...key, '; t=s; t=s'], 'Receivers ignore the key. t= occurs twice.'],
    [['v=DKIM1\\; k=rsa\\; ', ...key], 'quotes or backslashes'],
    [[`${key[0]}" "`, String(key[1])], 'quotes or backslashes'],
  ])('%j', async (value, problem) => {
    const name = 'k._domainkey.a.example';
    const found = await finding(publishedBut(name, 'TXT', value), 'TXT', name);
    expect(found).toMatchObject({
      exitCode: problem === undefined ? 0 : 9,
      status: problem === undefined ? 'ok' : 'wrong',
    });
    if (problem !== undefined) expect(found.problem).toContain(problem);
  });
});

describe('how a value was entered', () => {
  test.each([
    ['mail.a.example', `"${spf}"`, `Publish it without them: ${spf}`],
    [
      'mail.a.example',
      'v=spf1 include:amazonses.com" "~all',
      'Publish it without them: v=spf1 include:amazonses.com ~all',
    ],
    [
      'mail.a.example',
      ` ${spf}`,
      `There is white space before the value, so receivers ignore it. Remove the space: ${spf}`,
    ],
    ['_dmarc.a.example', `"${dmarc}"`, `Publish it without them: ${dmarc}`],
    ['_dmarc.a.example', dmarc.replaceAll(';', '\\;'), `Publish it without them: ${dmarc}`],
    [
      '_dmarc.a.example',
      'v=dmarc1 p=reject',
      'Receivers ignore the DMARC record. It begins with v=dmarc1; it must be v=DMARC1, in capitals. Publish this instead: v=DMARC1; p=reject',
    ],
    [
      'mail.a.example',
      'v=spf1 include=amazonses.com ~all',
      'because a mechanism takes a colon, not an equals sign. Write include:amazonses.com.',
    ],
    ['_dmarc.a.example', 'v=DMARC1; p="none"', 'Publish it without them: v=DMARC1; p=none'],
  ])('%s: %s', async (name, value, problem) => {
    const found = await finding(publishedBut(name, 'TXT', value), 'TXT', name);
    expect(found.status).toBe('wrong');
    expect(found.problem).toContain(problem);
  });

  test('another text in quotes', async () => {
    const service = domain(4, 'a.example', { dnsRecords: [dnsRecord('TXT', '@', 'verify=1')] });
    const { document } = await check([['a.example', 'TXT', '"verify=1"']], service);
    expect(document.records[0].problem).toContain('Publish it without them: verify=1');
  });

  test('the domain appended to a target', async () => {
    const mx = 'feedback-smtp.eu-west-1.amazonses.com';
    const found = await finding(
      publishedBut('mail.a.example', 'MX', `10 ${mx}.a.example`),
      'MX',
      'mail.a.example',
    );
    expect(found).toMatchObject({
      status: 'wrong',
      problem: `The target is ${mx}.a.example: .a.example was appended to it. Publish it with a dot at its end: ${mx}.`,
    });
    const service = domain(4, 'a.example', {
      dnsRecords: [dnsRecord('CNAME', 'k', 'keys.a.example')],
    });
    const { document } = await check(
      [['k.a.example', 'CNAME', 'keys.a.example.a.example']],
      service,
    );
    expect(document.records[0].problem).toContain(
      'Publish it with a dot at its end: keys.a.example.',
    );
  });

  test('the domain appended to the name of a record that is only recommended', async () => {
    const records: ZoneRecord[] = [
      ...publishedBut('_dmarc.a.example', 'TXT'),
      ['_dmarc.a.example.a.example', 'TXT', dmarc],
    ];
    expect(await finding(records, 'TXT', '_dmarc.a.example')).toMatchObject({
      ...{ exitCode: 0, status: 'missing' },
      problem:
        'It is published as _dmarc.a.example.a.example, because .a.example was appended to the name. Enter the name as _dmarc.',
    });
  });
});
