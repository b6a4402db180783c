import { expect, test } from 'vitest';
import { connected, fileIn } from '../../support/connected.ts';
import { type DnsServerOptions, startDns, type ZoneRecord } from '../../support/dns-server.ts';
import { createWorld } from '../../support/run.ts';
import { shortLimit } from '../../support/time-limits.ts';
import { but, dmarcOf, world as elsewhere, sending, zoneOf } from './deep-domains.ts';

const good = [...zoneOf(), ...elsewhere];

/** Checks `a.example` of an account at one server that knows everything. */
async function check(records: readonly ZoneRecord[], flags = '', options: DnsServerOptions = {}) {
  const dns = await startDns(records, { recursive: true, ...options });
  const { world } = await connected({ body: [sending()] });
  const words = `domain check a.example --deep --resolver ${dns.address} --json ${flags}`;
  const { exitCode, stdout, stderr } = await world.run(words);
  const document = stdout.startsWith('{') ? JSON.parse(stdout) : undefined;
  const codes = document?.findings.map((one: { code: string }) => one.code);
  return { exitCode, stdout, stderr, document, codes, dns };
}

test('a domain of the account that is fit to send', async () => {
  const { exitCode, document, codes, dns } = await check(good);
  expect({ exitCode, codes }).toEqual({ exitCode: 0, codes: [] });
  expect(document).toMatchObject({ ok: true, summary: { error: 0, warning: 0, info: 0 } });
  expect(document.domains).toHaveLength(1);
  expect(document.domains[0]).toMatchObject({
    domain: 'a.example',
    inAccount: true,
    from: 'a.example',
    mailFrom: 'mail.a.example',
    zone: null,
    spf: [
      { role: 'mail-from', domain: 'mail.a.example', lookups: 1, voidLookups: 0, usable: true },
      { role: 'from', domain: 'a.example', record: 'v=spf1 -all', lookups: 0 },
    ],
    dkim: [{ selector: 'k', domain: 'a.example', type: 'rsa', bits: 2048, usable: true }],
    dmarc: {
      record: dmarcOf('a.example'),
      domain: 'a.example',
      tag: 'p',
      policy: 'reject',
      spfAligned: true,
      dkimAligned: true,
      passes: true,
      fates: { none: 'delivered', quarantine: 'delivered', reject: 'delivered' },
    },
    failures: [],
  });
  expect(document.domains[0].spf[0].terms).toEqual([
    { depth: 0, term: 'include:amazonses.com', lookups: 1 },
    { depth: 1, term: 'ip4:192.0.2.0/24', lookups: 0 },
    { depth: 1, term: '-all', lookups: 0 },
    { depth: 0, term: '~all', lookups: 0 },
  ]);
  const states = document.domains[0].receivers.map((one: { state: string }) => one.state);
  expect(states.filter((one: string) => one === 'not met')).toEqual([]);
  expect(states).toContain('unseen');
  // Every question once.
  expect(dns.questions).toHaveLength(new Set(dns.questions).size);
});

test('a finding has the question, the server, the answer and the record to publish', async () => {
  const { exitCode, document, dns } = await check(but(good, 'mail.a.example', 'TXT', 'hello'));
  expect(exitCode).toBe(9);
  expect(document.ok).toBe(false);
  expect(document.findings).toEqual([
    {
      domain: 'a.example',
      code: 'spf-no-record',
      severity: 'error',
      message: 'mail.a.example has no SPF record.',
      evidence: [{ question: 'TXT mail.a.example', server: dns.address, answer: ['hello'] }],
      publish: [
        {
          type: 'TXT',
          fqdn: 'mail.a.example',
          value: 'v=spf1 include:amazonses.com ~all',
          priority: null,
          ttl: null,
        },
      ],
      url: 'docs/domain-check.md#spf-no-record',
    },
  ]);
});

test.each<[string, string, ZoneRecord[1], string[], object]>([
  [
    'several records are merged, with the strictest end',
    'mail.a.example',
    'TXT',
    ['v=spf1 ip4:192.0.2.1 ~all', 'v=spf1 include:amazonses.com -all'],
    { 'spf-several-records': 'v=spf1 ip4:192.0.2.1 include:amazonses.com -all' },
  ],
  [
    'all faults of one record are repaired at once',
    'mail.a.example',
    'TXT',
    ['v=spf1 include:amazonses.com ptr +all ip4:192.0.2.1'],
    {
      'spf-passes-all': 'v=spf1 include:amazonses.com ~all',
      'spf-ptr': 'v=spf1 include:amazonses.com ~all',
      'spf-unreached': 'v=spf1 include:amazonses.com ~all',
    },
  ],
  [
    'removed tags, and a weaker policy for subdomains',
    '_dmarc.a.example',
    'TXT',
    ['v=DMARC1; p=reject; sp=none; pct=100; rua=mailto:dmarc@a.example'],
    {
      'dmarc-removed': 'v=DMARC1; p=reject; rua=mailto:dmarc@a.example;',
      'dmarc-subdomains': 'v=DMARC1; p=reject; rua=mailto:dmarc@a.example;',
    },
  ],
  [
    'a pct below 100 stays, because without it some receivers would reject more',
    '_dmarc.a.example',
    'TXT',
    ['v=DMARC1; p=reject; sp=none; pct = 5; rua=mailto:dmarc@a.example'],
    { 'dmarc-subdomains': 'v=DMARC1; p=reject; pct = 5; rua=mailto:dmarc@a.example;' },
  ],
  [
    'a policy that is not valid',
    '_dmarc.a.example',
    'TXT',
    ['v=DMARC1; p=rejct; rua=mailto:dmarc@a.example'],
    { 'dmarc-no-policy': 'v=DMARC1; p=none; rua=mailto:dmarc@a.example;' },
  ],
  ...[
    'v=spf1include:amazonses.com -all',
    'spf1 include:amazonses.com -all',
    '"v=spf1 include:amazonses.com -all"',
    ' v=spf1 include:amazonses.com -all',
    'v=spf include:amazonses.com -all',
    'v = spf1 include:amazonses.com -all',
  ].map((text): [string, string, ZoneRecord[1], string[], object] => [
    `SPF that was meant: ${text}`,
    'mail.a.example',
    'TXT',
    [text],
    { 'spf-beginning': 'v=spf1 include:amazonses.com -all' },
  ]),
  ...['spf check by all of us', 'spf2.0/pra include:amazonses.com -all'].map(
    (text): [string, string, ZoneRecord[1], string[], object] => [
      `a text that was not meant as SPF: ${text}`,
      'mail.a.example',
      'TXT',
      [text],
      { 'spf-no-record': 'v=spf1 include:amazonses.com ~all' },
    ],
  ),
  [
    'an end that says nothing',
    'mail.a.example',
    'TXT',
    ['v=spf1 include:amazonses.com ?all'],
    { 'spf-neutral-all': 'v=spf1 include:amazonses.com ~all' },
  ],
  [
    'mechanisms with an equals sign',
    'mail.a.example',
    'TXT',
    ['v=spf1 ip4=192.0.2.10 include=amazonses.com -all'],
    { 'spf-equals-sign': 'v=spf1 ip4:192.0.2.10 include:amazonses.com -all' },
  ],
  [
    'an equals sign before what is no address either',
    'mail.a.example',
    'TXT',
    ['v=spf1 ip4=mail include:amazonses.com -all'],
    {},
  ],
  ...[
    'v=dmarc1; p=reject; rua=mailto:d@a.example',
    'v=DMARC1 p=reject rua=mailto:d@a.example',
    '\u201cv=DMARC1; p=reject; rua=mailto:d@a.example\u201d',
    '"v=DMARC1\\; p=reject\\; rua=mailto:d@a.example"',
    ' v=DMARC1; p=reject; rua=mailto:d@a.example',
    'v=DMARC1, p = Reject, rua=mailto:d@a.example',
    'p=reject; rua=mailto:d@a.example',
  ].map((text): [string, string, ZoneRecord[1], string[], object] => [
    `a record that was meant: ${text}`,
    '_dmarc.a.example',
    'TXT',
    [text],
    { 'dmarc-invalid': 'v=DMARC1; p=reject; rua=mailto:d@a.example' },
  ]),
  ...[
    'v=DMARC1; p=reject rua=mailto:d@a.example',
    'v=DMARC1; p=\u201creject\u201d; rua=mailto:d@a.example',
    'v=DMARC1;\u00a0p=reject; rua=mailto:d@a.example',
    'v=DMARC1; P=reject; rua=mailto:d@a.example',
    'v=DMARC1; p=reject; sp=all; rua=mailto:d@a.example',
  ].map((text): [string, string, ZoneRecord[1], string[], object] => [
    `a policy that was meant: ${text}`,
    '_dmarc.a.example',
    'TXT',
    [text],
    { 'dmarc-no-policy': 'v=DMARC1; p=reject; rua=mailto:d@a.example;' },
  ]),
  ...['v=dmarc1; rua=mailto:d@a.example', 'v=DMARC1; p=reject or so', 'v=dmarc2; p=reject'].map(
    (text): [string, string, ZoneRecord[1], string[], object] => [
      `what was meant is not certain, so nothing replaces it: ${text}`,
      '_dmarc.a.example',
      'TXT',
      [text],
      text.includes('dmarc2') ? { 'dmarc-missing': 'v=DMARC1; p=none;' } : {},
    ],
  ),
  [
    'reports that another domain has to permit',
    '_dmarc.a.example',
    'TXT',
    ['v=DMARC1; p=reject; rua=mailto:x@b.test'],
    { 'dmarc-report-permission': 'v=DMARC1;' },
  ],
])('to publish: %s', async (_, name, type, values, expected) => {
  const { document } = await check(but(good, name, type, ...values));
  const published = document.findings.flatMap(
    (one: { code: string; publish: readonly { value: string }[] }) =>
      one.publish.map(({ value }) => [one.code, value]),
  );
  expect(Object.fromEntries(published)).toEqual(expected);
});

test('neither aligned SPF nor DKIM: what each policy does, and the rules that are not met', async () => {
  const strict = 'v=DMARC1; p=quarantine; aspf=s; rua=mailto:dmarc@a.example';
  const records = but(
    but(good, 'k._domainkey.a.example', 'TXT'),
    '_dmarc.a.example',
    'TXT',
    strict,
  );
  const { document, codes, exitCode } = await check(records);
  expect({ codes, exitCode }).toEqual({ codes: ['dkim-missing', 'dmarc-unaligned'], exitCode: 9 });
  expect(document.domains[0].dmarc).toMatchObject({
    passes: false,
    spfAligned: false,
    fates: { none: 'delivered', quarantine: 'quarantined', reject: 'rejected' },
  });
  const notMet = document.domains[0].receivers.filter(
    (one: { state: string }) => one.state === 'not met',
  );
  expect(
    notMet.map((one: { receiver: string; rule: string }) => `${one.receiver}: ${one.rule}`),
  ).toEqual([
    'Gmail: SPF and DKIM pass',
    'Gmail: From aligned with SPF or DKIM',
    'Yahoo: SPF and DKIM pass',
    'Yahoo: From aligned with SPF or DKIM',
    'Outlook: SPF and DKIM pass',
    'Outlook: From aligned with SPF or DKIM',
  ]);
});

test('without DMARC: what policies would do once a record is published at the registered domain', async () => {
  const bare = but(but(good, '_dmarc.a.example', 'TXT'), 'k._domainkey.a.example', 'TXT');
  const { document, codes } = await check(bare);
  expect(codes).toEqual(['dkim-missing', 'dmarc-missing']);
  expect(document.domains[0].dmarc).toMatchObject({
    record: null,
    policy: null,
    spfAligned: true,
    passes: true,
    fates: { none: 'delivered', quarantine: 'delivered', reject: 'delivered' },
  });
  const below = await check(
    [...bare, ['news.a.example', 'MX', '10 mx.a.example']],
    '--from x@news.a.example',
  );
  const missing = below.document.findings.find(
    (one: { code: string }) => one.code === 'dmarc-missing',
  );
  expect(missing.publish).toMatchObject([{ fqdn: '_dmarc.a.example', value: 'v=DMARC1; p=none;' }]);
  expect(below.document.domains[0].dmarc.passes).toBe(true);
});

test('a mistaken record below a stricter one is shown, but its repair would weaken the policy', async () => {
  const records: ZoneRecord[] = [
    ...good,
    ['news.a.example', 'MX', '10 mx.a.example'],
    ['_dmarc.news.a.example', 'TXT', 'v=dmarc1; p=none'],
  ];
  const { document } = await check(records, '--from x@news.a.example');
  const [finding] = document.findings.filter(
    (one: { code: string }) => one.code === 'dmarc-invalid',
  );
  expect(finding).toMatchObject({
    message:
      '_dmarc.news.a.example: receivers ignore the record v=dmarc1; p=none. It begins with v=dmarc1; it must be v=DMARC1, in capitals.',
    publish: [],
  });
});

test('--from: the domain of the sender, which decides about alignment and the policy', async () => {
  const records: ZoneRecord[] = [...good, ['news.a.example', 'MX', '10 mx.a.example']];
  const below = await check(records, '--from News<x@news.a.example>');
  expect(below.document.domains[0]).toMatchObject({
    from: 'news.a.example',
    dmarc: { domain: 'a.example', tag: 'p', spfAligned: true, passes: true },
  });
  const other = await check(
    [...good, ['b.test', 'MX', '10 mx.b.test'], ['_dmarc.b.test', 'TXT', dmarcOf('b.test')]],
    '--from x@b.test',
  );
  expect(other.codes).toContain('dmarc-unaligned');
  expect(other.exitCode).toBe(9);
});

test('a name with the domain appended twice is named', async () => {
  const records = good.map(([name, ...rest]): ZoneRecord => {
    return [name.replace(/^k\._domainkey\..*/, '$&.a.example'), ...rest];
  });
  const { document } = await check(records);
  expect(document.findings[0].message).toBe(
    'k._domainkey.a.example has no key, so receivers cannot verify signatures. It is published as k._domainkey.a.example.a.example: enter the name without .a.example.',
  );
});

test('a failed look-up is 7 and no finding; what was found comes first', async () => {
  const failing = { 'amazonses.com': 'SERVFAIL' } as const;
  const { exitCode, document, codes, stderr, dns } = await check(good, '', { failing });
  expect({ exitCode, codes, ok: document.ok }).toEqual({ exitCode: 7, codes: [], ok: false });
  expect(document).toMatchObject({ incomplete: true, summary: { error: null, warning: null } });
  const reason = `${dns.address} could not resolve it (SERVFAIL).`;
  expect(document.domains[0].failures).toEqual([{ question: 'TXT amazonses.com', reason }]);
  expect(document.domains[0].spf[0].usable).toBe(null);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'unavailable',
    message: `The check is incomplete, because DNS gave no answer: TXT amazonses.com: ${reason}`,
  });
  const both = await check(but(good, 'k._domainkey.a.example', 'TXT'), '', { failing });
  expect(both.exitCode).toBe(9);
  expect(both.document).toMatchObject({ incomplete: true, summary: { error: 1, warning: null } });
  expect(JSON.parse(both.stderr).error.message).toBe(
    'The check found 1 error. 1 DNS look-up failed.',
  );
});

test('a server that does not respond: 7, and no verdict about receivers', async () => {
  const { exitCode, document, codes } = await check([], `--timeout ${shortLimit}`, {
    failing: { '': 'silent' },
  });
  expect({ exitCode, codes }).toEqual({ exitCode: 7, codes: [] });
  const text = await (await connected({ body: [] })).run(
    `domain check a.example --deep --resolver 127.0.0.1:1`,
    { terminal: 120 },
  );
  expect(text.stdout).not.toContain('The check found nothing.');
  const states = document.domains[0].receivers.map((one: { state: string }) => one.state);
  expect(new Set(states)).toEqual(new Set(['unseen']));
});

test('no DNS at all is no finding, in no format', async () => {
  const dns = { machineServers: ['127.0.0.1:1'] };
  const { run } = await connected({ body: [sending()] }, { body: [sending()] });
  const listed = await run('domain list --check --json', { dns });
  expect(listed.exitCode).toBe(7);
  expect(JSON.parse(listed.stdout)[0].findings).toEqual({
    ...{ error: null, warning: null, info: null, incomplete: true, summary: 'unknown' },
  });
  const zone = await run('domain check a.example --deep --format zone', { dns });
  expect(zone).toMatchObject({ exitCode: 7, stdout: '' });
  expect(zone.stderr).not.toContain('nothing to publish');
});

test('records too long for a packet are read over TCP', async () => {
  const verifications = Array.from(
    { length: 30 },
    (_, index) => `verification-${index}=${'x'.repeat(60)}`,
  );
  const { codes } = await check(but(good, 'a.example', 'TXT', ...verifications, 'v=spf1 +all'));
  expect(codes).toEqual(['spf-passes-all']);
});

test('--fail-on, --ignore and .mailer.json', async () => {
  const records = but(
    good,
    '_dmarc.a.example',
    'TXT',
    'v=DMARC1; p=reject; pct=9; foo=1; rua=mailto:d@a.example',
  );
  expect(await check(records)).toMatchObject({
    exitCode: 0,
    codes: ['dmarc-ignored', 'dmarc-removed'],
  });
  expect(await check(records, '--fail-on warning')).toMatchObject({ exitCode: 9 });
  expect(await check(records, '--ignore dmarc-ignored --fail-on warning')).toMatchObject({
    exitCode: 0,
    codes: ['dmarc-removed'],
  });
  const dns = await startDns(but(good, 'k._domainkey.a.example', 'TXT'), { recursive: true });
  const { world } = await connected({ body: [sending()] }, { body: [sending()] });
  fileIn(world, '.mailer.json', { check: { ignore: ['dkim-missing', 'dark-mode'] } });
  const { exitCode, stderr } = await world.run(`domain check 4 --deep --resolver ${dns.address}`);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    `1 error is ignored by ${world.home}/.mailer.json.\nThe check found nothing.\n`,
  );
  const typo = await world.run('domain check 4 --deep --ignore dkim-mising');
  expect(typo.stderr).toContain('Did you mean dkim-missing?');
});

test('piped: rows; on a terminal: a part for the domain, and lines with evidence', async () => {
  const dns = await startDns(but(good, 'mail.a.example', 'MX'), { recursive: true });
  const { world } = await connected({ body: [sending()] }, { body: [sending()] });
  const words = `domain check a.example --deep --resolver ${dns.address} --no-color`;
  const missing = 'MX mail.a.example is missing. Resolvers may remember that for 55 minutes.';
  const record = 'mail.a.example. IN MX 10 feedback-smtp.eu-west-1.amazonses.com.';
  expect(await world.run(words)).toEqual({
    exitCode: 9,
    stdout: [
      'domain\tseverity\tcode\tmessage\tpublish\turl',
      `a.example\terror\trecord-missing\t${missing}\t${record}\tdocs/domain-check.md#record-missing`,
      '',
    ].join('\n'),
    stderr: 'Error: The check found 1 error.\n',
  });
  const { stdout } = await world.run(words, { terminal: 100 });
  const [report = '', findings] = stdout.split('\n\n');
  expect(report.split('\n').slice(0, 8)).toEqual([
    'a.example',
    'SPF      mail.a.example (MAIL FROM): 1 of 10 look-ups',
    '           v=spf1 include:amazonses.com ~all',
    '             include:amazonses.com  1',
    'SPF      a.example (From, which receivers do not check): 0 of 10 look-ups',
    '           v=spf1 -all',
    'DKIM     k._domainkey.a.example: rsa, 2048 bits',
    'DMARC    a.example: reject, by p= at _dmarc.a.example',
  ]);
  expect(report.split('\n').slice(-11)).toEqual([
    'Rules                            Gmail   bulk    Yahoo   bulk    Outlook bulk',
    '  SPF or DKIM passes             met             met',
    '  PTR of the sending servers     ?               ?',
    '  TLS                            ?',
    '  fewer than 0.3 % complaints    ?               ?',
    '  SPF and DKIM pass                      met             met             met',
    '  DMARC, at least p=none                 met             met             met',
    '  From aligned with SPF or DKIM          met             met             met',
    '  one-click unsubscribe                  ?               ?               ?',
    '  From takes replies                                             met',
    '  ?: cannot be seen from here',
  ]);
  expect(findings).toBe(
    `a.example: error: ${missing}\n  [record-missing]\n  MX mail.a.example at ${dns.address}: nothing\n  publish: ${record}\n`,
  );
});

test('80 columns: lines wrap between words; several SPF records are not called none', async () => {
  const records = but(good, 'mail.a.example', 'TXT', 'v=spf1 ip4:192.0.2.1 -all', 'v=spf1 -all');
  const dns = await startDns(records, { recursive: true });
  const { world } = await connected({ body: [sending()] });
  const { stdout } = await world.run(`domain check 4 --deep --resolver ${dns.address} --no-color`, {
    terminal: 80,
  });
  expect(stdout).toContain('(MAIL FROM): no record that receivers use\n');
  expect(stdout).toContain('with more than one,\n  receivers ignore them all');
  const long = stdout.split('\n').filter((line) => line.length > 80);
  expect(long.filter((line) => !/^ {2}(?:publish|TXT|MX) ?/.test(line))).toEqual([]);
});

test('DNS cannot control the terminal', async () => {
  const dns = await startDns(but(good, 'mail.a.example', 'TXT', 'v=spf1 \u001b]0;x\u0007 -all'), {
    recursive: true,
  });
  const { world } = await connected({ body: [sending()] });
  const { stdout } = await world.run(`domain check 4 --deep --resolver ${dns.address} --no-color`, {
    terminal: 80,
  });
  expect(stdout).toContain('[spf-syntax]');
  expect(stdout).not.toContain('\u001b');
});

test.each([
  ['zone', 'mail.a.example. IN TXT "v=spf1 include:amazonses.com ~all"\n'],
  ['terraform', 'resource "aws_route53_record" "txt_mail_a_example"'],
  ['cloudflare', '"content": "\\"v=spf1 include:amazonses.com ~all\\""'],
  ['route53', '"Name": "mail.a.example."'],
  ['json', '"fqdn": "mail.a.example"'],
])('--format %s prints only the records', async (format, expected) => {
  const dns = await startDns(but(good, 'mail.a.example', 'TXT'), { recursive: true });
  const { world } = await connected({ body: [sending()] });
  const { stdout, exitCode } = await world.run(
    `domain check 4 --deep --resolver ${dns.address} --format ${format}`,
  );
  expect(exitCode).toBe(9);
  expect(stdout).toContain(expected);
  if (format === 'zone') expect(stdout).toBe(expected);
});

test('a domain of others needs no account, which is said', async () => {
  const dns = await startDns(good, { recursive: true });
  const world = createWorld();
  const { exitCode, stdout, stderr } = await world.run(
    `domain check a.example --deep --selector k --resolver ${dns.address} --json`,
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain('There is no account, so');
  const [report] = JSON.parse(stdout).domains;
  expect(report).toMatchObject({
    inAccount: false,
    mailFrom: null,
    dkim: [{ selector: 'k', usable: true }],
    dmarc: { passes: null, fates: { none: 'delivered', reject: 'unknown' } },
  });
});

test.each([
  ['domain check --deep', 'Name domains, or all domains of the account with --all'],
  ['domain check a.example --deep --all', 'Name domains, or all'],
  ['domain check a.example b.example --deep --from x@a.example', '--from is for the mail of one'],
  ['domain check --all --deep --format zone', '--format writes the records of one domain'],
  ['domain check a.example --all', '--all needs --deep'],
  ['domain check a.example --fail-on never', '--fail-on needs --deep'],
  ['domain check a.example b.example', 'only with --deep'],
  ['domain check not_a/domain --deep', 'neither a domain'],
  ['domain check 192.0.2.1 --deep', 'neither a domain'],
])('%s is a usage error', async (words, message) => {
  const { world } = await connected({ body: [] });
  const { exitCode, stderr } = await world.run(words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test('30 domains at once, with each question once', async () => {
  const domains = Array.from({ length: 30 }, (_, index) => sending(`d${index}.example`, index + 1));
  const records = domains.flatMap(({ name }) => zoneOf(name));
  const dns = await startDns([...records, ...elsewhere], { recursive: true });
  const { world } = await connected({ body: domains });
  const { exitCode, stdout } = await world.run(
    `domain check --all --deep --resolver ${dns.address} --json`,
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).domains).toHaveLength(30);
  expect(dns.questions).toHaveLength(new Set(dns.questions).size);
  expect(dns.questions.length).toBeLessThan(30 * 30);
});

test('what is published cannot make it ask without end', async () => {
  const wide = Array.from({ length: 60 }, (_, index) => `include:i${index}.a.example`).join(' ');
  const below = Array.from({ length: 60 }, (_, index): ZoneRecord => {
    const terms = Array.from({ length: 40 }, (_, host) => `a:h${index}-${host}.a.example`).join(
      ' ',
    );
    return [`i${index}.a.example`, 'TXT', strings(`v=spf1 ${terms} -all`)];
  });
  const { exitCode, codes, dns } = await check([
    ...but(good, 'mail.a.example', 'TXT', strings(`v=spf1 ${wide} -all`)),
    ...below,
  ]);
  expect(exitCode).toBe(9);
  expect(codes).toContain('spf-too-many-lookups');
  expect(dns.questions.length).toBeLessThan(500);
});

/** A text as strings of a TXT record. */
function strings(text: string): readonly string[] {
  return text.match(/.{1,255}/g) ?? [];
}

test.each([
  ['ip4:0.0.0.0/0 -all', true],
  ['ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all', true],
  ['ip4:10.0.0.0/8 ip4:192.0.2.1 -all', true],
  ['ip6:::/0 -all', true],
  ['-ip4:0.0.0.0/0 include:amazonses.com -all', false],
  ['ip4:10.0.0.0/8 ip4:10.0.0.0/8 -all', false],
  ['ip4:10.0.0.0/8 ip6:2001:db8::/32 -all', false],
])('ranges of more than a /8 in all: %s', async (terms, isFound) => {
  const { codes } = await check(but(good, 'mail.a.example', 'TXT', `v=spf1 ${terms}`));
  expect(codes.includes('spf-too-wide')).toBe(isFound);
});
