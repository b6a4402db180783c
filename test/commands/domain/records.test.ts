import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dns-zonefile';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import { connected } from '../../support/connected.ts';
import { needing, works } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { createWorld } from '../../support/run.ts';
import { dnsRecord, dnsRecords, domainWithRecords, longKey, spf } from './dns-domains.ts';
import { domain } from './domains.ts';

const mx = 'feedback-smtp.eu-west-1.amazonses.com';
/** Everything that a format must escape: quotes, backslashes, semicolons, templates, other scripts. */
const template = ['$', '{x}'].join('');
const awkward = `a "b" \\c; $TTL ${template} %{y} é\u0007`;
const awkwardDomain = domain(4, 'news.a.example', {
  subdomain: 'news',
  dnsRecords: [
    ...dnsRecords('.news'),
    dnsRecord('TXT', 'odd', awkward, { ttl: '60' }),
    dnsRecord('TXT', 'mail.news.a.example', 'second text here', { ttl: '7200' }),
  ],
});

/** Stdout of `domain records 4` with these flags. */
async function records(flags: string, service: object = awkwardDomain): Promise<string> {
  const { world } = await connected({ body: [service] });
  const { exitCode, stdout, stderr } = await world.run(`domain records 4 ${flags}`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

test('piped: tab-separated rows, unmodified', async () => {
  const { world } = await connected({ body: [domainWithRecords()] });
  expect(await world.run('domain records a.example')).toEqual({
    exitCode: 0,
    stdout: [
      'type\tname\tvalue\tpriority\tttl\tstatus\trecommended',
      `MX\tmail\t${mx}\t10\tAuto\tPENDING\t`,
      `TXT\tk._domainkey\t${longKey}\t\tAuto\tPENDING\t`,
      `TXT\tmail\t${spf}\t\tAuto\tPENDING\t`,
      'TXT\t_dmarc\tv=DMARC1; p=none; rua=mailto:dmarc@a.example\t\tAuto\tPENDING\ttrue',
      '',
    ].join('\n'),
    stderr: 'Names are relative to a.example.\n',
  });
});

test('on a narrow terminal each value is complete, on a line of its own', async () => {
  const { world } = await connected({ body: [domainWithRecords()] });
  const { stdout } = await world.run('domain records 4', { terminal: 40, env: { NO_COLOR: '1' } });
  expect(stdout).toContain(`Type      TXT\nName      k._domainkey\nValue     ${longKey}\nTTL `);
  expect(stdout.split('\n\n')).toHaveLength(4);
});

test('--json is unmodified; --csv, --jsonl, --fields, --quiet', async () => {
  const service = domainWithRecords({ dnsRecords: [{ ...dnsRecords()[0], novel: 1 }] });
  expect(JSON.parse(await records('--json', service))).toEqual(service.dnsRecords);
  expect(await records('-q', service)).toBe('mail\n');
  const { world } = await connected({ body: [service] }, { body: [service] }, { body: [service] });
  const run = async (flags: string) => (await world.run(`domain records 4 ${flags}`)).stdout;
  expect(await run('--csv --fields type,priority')).toBe('type,priority\r\nMX,10\r\n');
  expect(JSON.parse(await run('--jsonl'))).toEqual(service.dnsRecords[0]);
  expect(await run('--fields value')).toBe(`value\n${mx}\n`);
});

test('zone: full names, long values in several strings, and the TTL if there is one', async () => {
  const text = await records('--format zone');
  expect(text.split('\n')).toEqual([
    `mail.news.a.example. IN MX 10 ${mx}.`,
    `k._domainkey.news.a.example. IN TXT "${longKey.slice(0, 255)}" "${longKey.slice(255)}"`,
    `mail.news.a.example. IN TXT "${spf}"`,
    '; recommended, not required for verification',
    '_dmarc.a.example. IN TXT "v=DMARC1; p=none; rua=mailto:dmarc@a.example"',
    String.raw`odd.a.example. 60 IN TXT "a \"b\" \\c; $TTL ${template} %{y} \195\169\007"`,
    'mail.news.a.example. 7200 IN TXT "second text here"',
    '',
  ]);
});

const checkzone = works('named-checkzone -v', 'bind9-utils');

test('named-checkzone (of BIND) reads the zone as intended', needing(checkzone), async () => {
  const head =
    '$TTL 300\na.example. IN SOA ns.a.example. me.a.example. 1 60 60 60 60\na.example. IN NS ns.a.example.\nns.a.example. IN A 192.0.2.1\n';
  // Records with the same name and type need the same TTL, or BIND warns.
  const service = {
    ...awkwardDomain,
    dnsRecords: awkwardDomain.dnsRecords.filter(({ ttl }) => ttl !== '7200'),
  };
  const file = join(temporaryDirectory(), 'zone');
  writeFileSync(file, head + (await records('--format zone', service)));
  const { stdout, exitCode } = await execa(
    'named-checkzone',
    ['-D', '-q', '-i', 'none', '-o', '-', 'a.example', file],
    { reject: false },
  );
  expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
  const values = new Map(
    stdout.split('\n').map((line) => {
      const [name = '', , , type = '', ...value] = line.split(/\s+/);
      return [`${type} ${name}`, value.join(' ')];
    }),
  );
  expect(values.get('MX mail.news.a.example.')).toBe(`10 ${mx}.`);
  expect(values.get('TXT mail.news.a.example.')).toBe(`"${spf}"`);
  expect(values.get('TXT k._domainkey.news.a.example.')).toBe(
    `"${longKey.slice(0, 255)}" "${longKey.slice(255)}"`,
  );
  expect(values.get('TXT odd.a.example.')).toBe(
    String.raw`"a \"b\" \\c; $TTL ${template} %{y} \195\169\007"`,
  );
});

/** The bytes in the strings of a TXT record, decoded as RFC 1035, 5.1 defines. */
function octetsIn(value: string): Buffer[] {
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, string = '']) => {
    const pieces = string.match(/\\\d{3}|\\.|./gs) ?? [];
    return Buffer.from(
      pieces.map((one) =>
        /^\\\d/.test(one) ? Number(one.slice(1)) : (one.codePointAt(one.length - 1) ?? 0),
      ),
    );
  });
}

test('zone: whatever the value of a TXT record, its strings give it back, each within 255 octets', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        ...(['binary-ascii', anyCharacter] as const).map((unit) =>
          fc.string({ unit, minLength: 1, maxLength: 400 }),
        ),
      ),
      async (value) => {
        const service = domainWithRecords({ dnsRecords: [dnsRecord('TXT', 'odd', value)] });
        const zone = await records('--format zone', service);
        const [line = '', ...rest] = zone.split('\n').filter((one) => !one.startsWith(';'));
        expect(rest).toEqual(['']);
        expect(line).toMatch(/^[\x20-\x7e]*$/);
        const strings = octetsIn(line.slice(line.indexOf(' TXT ') + 5));
        expect(Buffer.concat(strings).toString()).toBe(value);
        expect(strings.filter(({ length }) => length > 255)).toEqual([]);
      },
    ),
    { numRuns: 40, examples: [['\0'], ['\x7f']] },
  );
});

test('another parser reads the plain records of the zone', async () => {
  const zone = parse(
    `$ORIGIN a.example.\n$TTL 300\n${await records('--format zone', domainWithRecords())}`,
  );
  expect(zone.mx).toEqual([{ name: 'mail.a.example.', preference: 10, host: `${mx}.` }]);
  expect(zone.txt?.map(({ name }) => name)).toEqual([
    'k._domainkey.a.example.',
    'mail.a.example.',
    '_dmarc.a.example.',
  ]);
  expect(zone.txt?.[0]?.txt).toBe(`"${longKey.slice(0, 255)}" "${longKey.slice(255)}"`);
  expect(zone.txt?.[2]?.txt).toContain('v=DMARC1; p=none; rua=mailto:dmarc@a.example');
});

test('route53: a change batch that creates record sets', async () => {
  const set = (Name: string, Type: string, TTL: number, ...values: string[]) => ({
    Action: 'CREATE',
    ResourceRecordSet: {
      Name,
      Type,
      TTL,
      ResourceRecords: values.map((Value) => ({ Value })),
    },
  });
  expect(JSON.parse(await records('--format route53'))).toEqual({
    Changes: [
      set('mail.news.a.example.', 'MX', 300, `10 ${mx}.`),
      set(
        'k._domainkey.news.a.example.',
        'TXT',
        300,
        `"${longKey.slice(0, 255)}" "${longKey.slice(255)}"`,
      ),
      // Two texts with one name are one set, with one TTL.
      set('mail.news.a.example.', 'TXT', 7200, `"${spf}"`, '"second text here"'),
      set('_dmarc.a.example.', 'TXT', 300, '"v=DMARC1; p=none; rua=mailto:dmarc@a.example"'),
      set(
        'odd.a.example.',
        'TXT',
        60,
        // Here, octal escapes instead of decimal ones.
        String.raw`"a \"b\" \\c; $TTL ${template} %{y} \303\251\007"`,
      ),
    ],
  });
});

test('cloudflare: the body of a batch of new records', async () => {
  const post = (type: string, name: string, content: string, rest: object = {}) => ({
    type,
    name,
    content,
    ttl: 1,
    ...rest,
  });
  expect(JSON.parse(await records('--format cloudflare'))).toEqual({
    posts: [
      post('MX', 'mail.news.a.example', mx, { priority: 10 }),
      post(
        'TXT',
        'k._domainkey.news.a.example',
        `"${longKey.slice(0, 255)}" "${longKey.slice(255)}"`,
      ),
      post('TXT', 'mail.news.a.example', `"${spf}"`),
      post('TXT', '_dmarc.a.example', '"v=DMARC1; p=none; rua=mailto:dmarc@a.example"'),
      post('TXT', 'odd.a.example', String.raw`"a \"b\" \\c; $TTL ${template} %{y} \195\169\007"`, {
        ttl: 60,
      }),
      post('TXT', 'mail.news.a.example', '"second text here"', { ttl: 7200 }),
    ],
  });
});

test('terraform: aws_route53_record resources, one for each record set', async () => {
  const text = await records('--format terraform');
  expect(text).toContain('data "aws_route53_zone" "a_example" {\n  name = "a.example."\n}\n');
  expect(text).toContain(
    `resource "aws_route53_record" "mx_mail_news_a_example" {
  zone_id = data.aws_route53_zone.a_example.zone_id
  name    = "mail.news.a.example"
  type    = "MX"
  ttl     = 300
  records = ["10 ${mx}."]
}
`,
  );
  // The provider adds the outer quotes, so only those between two strings are written.
  expect(text).toContain(
    String.raw`records = ["${longKey.slice(0, 255)}\"\"${longKey.slice(255)}"]`,
  );
  expect(text).toContain(`records = ["${spf}", "second text here"]`);
  expect(text).toContain(
    String.raw`records = ["a \\\"b\\\" \\\\c; $TTL $${template} %%{y} \\303\\251\\007"]`,
  );
  expect(
    text.match(/^# Recommended, .*\nresource "aws_route53_record" "txt__dmarc/m),
  ).not.toBeNull();
  const names = [...text.matchAll(/^resource "aws_route53_record" "(.*)"/gm)].map(
    ([, name]) => name,
  );
  expect(new Set(names).size).toBe(5);
});

test('terraform: two names that become one label stay apart', async () => {
  const service = domain(4, '1a.example', {
    dnsRecords: [dnsRecord('TXT', 'a-b', 'x'), dnsRecord('TXT', 'a_b', 'y')],
  });
  const text = await records('--format terraform', service);
  expect(text).toContain('"txt_a_b_1a_example"');
  expect(text).toContain('"txt_a_b_1a_example_2"');
  expect(text).toContain('zone_id = data.aws_route53_zone._1a_example.zone_id');
});

test('json: full names, numbers as numbers', async () => {
  const list = JSON.parse(await records('--format json'));
  expect(list[0]).toEqual({
    type: 'MX',
    fqdn: 'mail.news.a.example',
    value: mx,
    priority: 10,
    ttl: null,
    required: true,
  });
  expect(list[3]).toMatchObject({ fqdn: '_dmarc.a.example', priority: null, required: false });
  expect(list[4]).toMatchObject({ value: awkward, ttl: 60 });
});

test.each(['zone', 'terraform', 'cloudflare', 'route53', 'json'])(
  '%s: only printable ASCII, without line breaks from values, on a terminal too',
  async (format) => {
    const hostile = '\u001b[2J\n; \u202eevil\u200b\r\t"';
    const service = domain(4, 'bücher.example', {
      dnsRecords: [
        dnsRecord('TXT', `x\n${hostile}`, hostile),
        dnsRecord(`MX\n${hostile}`, 'a b', `mx.${hostile}`),
        dnsRecord('A', '@', hostile),
      ],
    });
    const { world } = await connected({ body: [service] });
    const { stdout } = await world.run(`domain records 4 --format ${format}`, { terminal: 80 });
    expect(stdout).toMatch(/^[\x20-\x7e\n]+$/);
    expect(stdout).toContain('xn--bcher-kva.example');
    expect(stdout).not.toMatch(/^\s*; .*evil/m);
  },
);

test('an MX without a priority gets 10 if a format needs one', async () => {
  const service = domain(4, 'a.example', { dnsRecords: [dnsRecord('MX', '', 'mx.a.example.')] });
  expect(await records('--format zone', service)).toBe('a.example. IN MX 10 mx.a.example.\n');
  expect(JSON.parse(await records('--format cloudflare', service)).posts[0].priority).toBe(10);
});

test.each(['', '--format zone', '--format json'])(
  'a domain without records: 4, and nothing on stdout (%s)',
  async (flags) => {
    const { world } = await connected({ body: [domain(4, 'a.example')] });
    expect(await world.run(`domain records a.example ${flags}`)).toEqual({
      exitCode: 4,
      stdout: '',
      stderr:
        'Error: The service lists no DNS records for a.example.\nHint: To see the domain: mailer domain get 4\n',
    });
  },
);

test('a profile whose output is JSON gets the requested format', async () => {
  const world = createWorld();
  await world.run('config set output json');
  const { stdout } = await world.run('domain records 2 --sandbox --format zone');
  expect(stdout).toMatch(/^mail\.example\.org\. IN MX 10 /);
});

test.each([
  [
    '--format bind',
    '--format: "bind" is not one of table, zone, terraform, cloudflare, route53, json',
  ],
  ['--format zone --json', '--format zone and --json cannot be used together'],
  ['--format json --json', '--format json and --json cannot be used together'],
  ['--format route53 --fields type', '--format route53 and --fields cannot be used together'],
  ['--format zone -q', '--format zone and --quiet cannot be used together'],
])('%s: 2, and nothing is sent', async (flags, message) => {
  const { world, requests } = await connected();
  const { exitCode, stdout, stderr } = await world.run(`domain records 4 ${flags}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('no such domain: 4', async () => {
  const { exitCode } = await createWorld().run('domain records nowhere.example --sandbox');
  expect(exitCode).toBe(4);
});
