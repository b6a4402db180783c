import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { makeRecord, makeReport, receivers, reportOf } from '../../support/dmarc-reports.ts';
import { createWorld, type World } from '../../support/run.ts';

/** A machine with the reports of all receivers in a directory. */
function withReports(): World {
  const world = createWorld();
  for (const one of receivers) fileIn(world, `reports/${one}.xml`, reportOf(one));
  return world;
}

async function documentOf(world: World, words: string) {
  const outcome = await world.run(`dmarc report ${words} --json`);
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  return JSON.parse(outcome.stdout);
}

describe('reports of six receivers', () => {
  test('are added up by source, whose mail it is, and domain', async () => {
    const { rows, domains, ...rest } = await documentOf(
      withReports(),
      'reports --selector usesend',
    );
    expect(rest).toEqual({ reports: 6, duplicates: 0, reporters: 6, otherFiles: 0, damaged: [] });
    const numbers = rows.map((row: Record<string, unknown>) => [
      row.source,
      row.origin,
      row.messages,
      row.aligned,
      row.dkimAligned,
      row.spfAligned,
      row.quarantined,
    ]);
    expect(numbers).toEqual([
      ['192.0.2.1', 'yours', 152, 152, 152, 152, 0],
      ['198.51.100.7', 'not yours', 8, 0, 0, 0, 3],
      ['2001:db8::25', 'forwarded', 6, 6, 6, 0, 0],
      // The list changed the message, so the signature is not valid; but the receiver says that it was a list.
      ['192.0.2.2', 'forwarded', 4, 4, 4, 0, 0],
      ['203.0.113.99', 'not yours', 1, 0, 0, 0, 1],
    ]);
    expect(domains).toEqual([
      {
        domain: 'example.com',
        // As the newest of them says.
        policy: {
          p: 'reject',
          sp: 'none',
          np: 'reject',
          pct: null,
          testing: 'y',
          discoveryMethod: 'treewalk',
        },
        reports: 6,
        reporters: 6,
        messages: 171,
        aligned: 162,
        dkimAligned: 162,
        spfAligned: 152,
        quarantined: 4,
        rejected: 0,
        firstDay: '2026-01-01',
        lastDay: '2026-01-02',
      },
    ]);
  });

  test('name what is known about a source', async () => {
    const { rows } = await documentOf(withReports(), 'reports');
    const of = (source: string) =>
      rows.find((row: { readonly source: string }) => row.source === source);
    expect(of('198.51.100.7')).toMatchObject({
      applied: ['none', 'quarantine'],
      reasons: ['policy_test_mode'],
      headerFrom: ['example.com'],
      envelopeFrom: ['example.com'],
      signedBy: ['k1._domainkey.newsletter.example'],
      spfDomains: ['bounce.newsletter.example'],
      firstDay: '2026-01-01',
      lastDay: '2026-01-02',
    });
    expect(of('192.0.2.2')).toMatchObject({
      reasons: ['mailing_list', 'local_policy'],
      headerFrom: ['news.example.com'],
      signedBy: ['ml._domainkey.lists.example.org'],
    });
  });

  test('--by selector: by the signature that tells most', async () => {
    const { stdout } = await withReports().run(
      'dmarc report reports --by selector --selector usesend --fields selector,signer,origin,messages',
    );
    expect(stdout).toBe(
      [
        'selector\tsigner\torigin\tmessages',
        'usesend\texample.com\tyours\t152',
        '\t\tnot yours\t6',
        'usesend\texample.com\tforwarded\t6',
        'ml\tlists.example.org\tforwarded\t4',
        'k1\tnewsletter.example\tnot yours\t3',
        '',
      ].join('\n'),
    );
  });

  test('--by day: in UTC, by the middle of the period', async () => {
    const { stdout } = await withReports().run('dmarc report reports --by day --csv');
    const [header = '', ...days] = stdout.split('\r\n');
    expect(header).toMatch(/^domain,day,messages,aligned,/);
    expect(days).toEqual([
      expect.stringMatching(/^example\.com,2026-01-01,116,112,/),
      expect.stringMatching(/^example\.com,2026-01-02,55,50,/),
      '',
    ]);
  });

  test('--since and --until select reports by the middle of their period', async () => {
    const world = withReports();
    const since = await documentOf(world, 'reports --since 2026-01-02');
    expect(since).toMatchObject({ reports: 1, domains: [{ messages: 55 }] });
    const until = await documentOf(world, 'reports --until 2026-01-01');
    expect(until).toMatchObject({ reports: 5, domains: [{ messages: 116 }] });
    const none = await world.run('dmarc report reports --since 2026-01-03 --selector a');
    expect(none).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^domain\tsource\t.*\n$/),
      stderr: 'There are no messages in 0 aggregate reports.\n',
    });
  });
});

test('a report that was given twice is counted once, and that is said', async () => {
  const world = withReports();
  fileIn(world, 'copy.xml', reportOf('google'));
  const once = await documentOf(world, 'reports');
  const twice = await documentOf(world, 'copy.xml reports');
  expect(twice).toEqual({ ...once, duplicates: 1 });
  const { stderr } = await world.run('dmarc report copy.xml reports --selector a');
  expect(stderr).toBe('1 report had already been counted and was left out.\n');
});

test('an id counts per receiver, domain and period', async () => {
  const world = createWorld();
  const same = { id: '7' };
  fileIn(world, '1.xml', makeReport(same));
  fileIn(world, '2.xml', makeReport({ ...same, org: 'other.example' }));
  fileIn(world, '3.xml', makeReport({ ...same, domain: 'example.org' }));
  fileIn(world, '4.xml', makeReport({ ...same, day: '2026-01-02' }));
  expect(await documentOf(world, '.')).toMatchObject({ reports: 4, duplicates: 0 });
});

test('--domain selects mail by its From, with what is below it', async () => {
  const world = createWorld();
  const records = [
    makeRecord({ from: 'example.com', count: 1 }),
    makeRecord({ from: 'news.example.com', count: 20 }),
    makeRecord({ from: 'xnews.example.com', count: 300 }),
  ].join('');
  fileIn(world, '1.xml', makeReport({ records }));
  const other = makeRecord({ from: 'example.org' });
  fileIn(world, '2.xml', makeReport({ domain: 'example.org', records: other }));
  const news = await documentOf(world, '. --domain News.example.com.');
  expect(news).toMatchObject({ reports: 1, domains: [{ messages: 20 }] });
  const all = await documentOf(world, '. --domain example.com');
  expect(all).toMatchObject({ reports: 1, domains: [{ messages: 321 }] });
});

describe('on a terminal', () => {
  test('each domain has a sentence and a table of its own', async () => {
    const world = createWorld();
    const attack = makeRecord({ ip: '203.0.113.9', count: 8, dkim: 'fail', spf: 'fail' });
    fileIn(world, '1.xml', makeReport({ records: makeRecord({ count: 992 }) + attack }));
    fileIn(world, '2.xml', makeReport({ domain: 'example.org' }));
    const { stdout, stderr } = await world.run('dmarc report . --no-color', { terminal: 80 });
    expect(stdout).toBe(
      `example.com, p=none, 2026-01-01: 1,000 messages, 99.2% aligned (8 are not), in 1
  report of 1 receiver

SOURCE       MESSAGES  ALIGNED  DKIM  SPF   APPLIED
192.0.2.1    992       100%     100%  100%  none
203.0.113.9  8         0%       0%    0%    none

example.org, p=none, 2026-01-01: 1 message, 100% aligned, in 1 report of 1
  receiver

SOURCE     MESSAGES  ALIGNED  DKIM  SPF   APPLIED
192.0.2.1  1         100%     100%  100%  none
`,
    );
    expect(stderr).toContain('2 domains in 2 reports.\n');
    expect(stderr).toContain('There is no account, so mailer cannot tell which mail is yours.');
  });

  test('an IPv6 address is never cut, so that it can be looked up', async () => {
    const world = createWorld();
    const ip = '2001:db8:1234:5678:9abc:def0:1234:5678';
    fileIn(world, '1.xml', makeReport({ records: makeRecord({ ip, reason: 'local_policy' }) }));
    const { stdout } = await world.run('dmarc report 1.xml --selector a --no-color', {
      terminal: 70,
    });
    expect(stdout.split('\n').every((line) => line.length <= 70)).toBe(true);
    expect(stdout).not.toContain('…:');
    expect(stdout.replaceAll(/\s/g, '')).toContain('2001:db8:');
  });

  test('texts of reports cannot control it', async () => {
    const world = createWorld();
    const evil = '\u001b]0;owned\u0007\u202e';
    const records = makeRecord({ ip: `1${evil}`, from: `a${evil}.example.com`, reason: evil });
    fileIn(world, '1.xml', makeReport({ domain: `x${evil}`, records }));
    for (const format of ['', '--csv', '--quiet', '--json', '--by selector', '--by day']) {
      const shown = await world.run(`dmarc report 1.xml ${format} --no-color`, { terminal: 120 });
      expect(shown.exitCode).toBe(0);
      const all = shown.stdout + shown.stderr;
      expect([...evil].filter((one) => one < ' ' && all.includes(one))).toEqual([]);
      expect(all).not.toContain('\u202e');
    }
    const csv = await world.run('dmarc report 1.xml --csv');
    expect(csv.stdout).toContain(`x${evil}`);
  });
});

test('--csv-safe: a spreadsheet reads no formula', async () => {
  const world = createWorld();
  fileIn(world, '1.xml', makeReport({ domain: '=cmd|calc' }));
  const { stdout } = await world.run('dmarc report 1.xml --csv-safe');
  expect(stdout).toContain("\r\n'=cmd|");
});

test('--jsonl has a line for each row, --quiet its name', async () => {
  const world = withReports();
  const { stdout } = await world.run('dmarc report reports --jsonl');
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ source }) => source)).toContain('2001:db8::25');
  const quiet = await world.run('dmarc report reports --quiet --by day');
  expect(quiet).toEqual({ exitCode: 0, stdout: '2026-01-01\n2026-01-02\n', stderr: '' });
});

describe('--fail-on', () => {
  const world = () => {
    const made = createWorld();
    const bad = { dkim: 'fail', spf: 'fail' };
    const records = [
      makeRecord({ count: 970 }),
      makeRecord({ count: 10, dkim: 'fail' }),
      makeRecord({ count: 12, ...bad, disposition: 'quarantine' }),
      makeRecord({ count: 8, ...bad, disposition: 'reject' }),
    ].join('');
    fileIn(made, '1.xml', makeReport({ records }));
    fileIn(made, '2.xml', makeReport({ domain: 'example.org' }));
    return made;
  };

  test.each([
    ['unaligned>1%', 9, 'example.com: 20 messages of 1,000 (2%) are not aligned, more than 1%.'],
    ['unaligned>1.999%', 9, 'more than 1.999%.'],
    ['unaligned>2%', 0, ''],
    ['unaligned > 19', 9, '20 messages of 1,000 (2%) are not aligned, more than 19 messages.'],
    ['unaligned>20', 0, ''],
    ['dkim-unaligned>2.5%', 9, '30 messages of 1,000 (3%) are not aligned by DKIM'],
    ['spf-unaligned>2.5%', 0, ''],
    ['QUARANTINED>11', 9, '12 messages of 1,000 (1.2%) are quarantined'],
    ['rejected>0', 9, '8 messages of 1,000 (0.8%) are rejected, more than 0 messages.'],
  ])('%s: exit %i', async (condition, exitCode, message) => {
    const outcome = await world().run(['dmarc', 'report', '.', '--fail-on', condition]);
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stdout).toContain('example.com');
  });

  test.each([
    ['unaligned', 'has no limit'],
    ['unaligned>', 'is not a condition'],
    ['unaligned>x', 'is not a condition'],
    ['unaligned>-1', 'is not a condition'],
    ['unaligned<1%', 'is not a condition'],
    ['unaligned>1%%', 'is not a condition'],
    ['unaligned>100%', 'no share can be above 100%'],
    ['unalinged>1%', 'Did you mean unaligned?'],
    ['constructor>1', 'is not a condition'],
    ['', 'is not a condition'],
  ])('%j is an error that tells what is known', async (condition, message) => {
    const outcome = await world().run(['dmarc', 'report', '.', '--fail-on', condition, '--json']);
    expect(outcome.exitCode).toBe(2);
    const { message: shown, hint } = errorOf(outcome);
    expect(`${shown} ${hint}`).toContain(message);
    expect(hint).toContain('unaligned, dkim-unaligned, spf-unaligned, quarantined, rejected');
  });

  test('without messages it fails, because nothing was judged', async () => {
    const { exitCode, stderr } = await world().run([
      ...'dmarc report . --since 2026-01-10 --fail-on'.split(' '),
      'unaligned>1%',
    ]);
    expect(exitCode).toBe(9);
    expect(stderr).toContain('There are no messages for --fail-on to judge.');
  });
});

describe('whose mail it is', () => {
  test('by the keys of the sandbox or the account, in one request', async () => {
    const world = withReports();
    const sandbox = await documentOf(world, 'reports --sandbox');
    expect(sandbox.rows[0]).toMatchObject({ source: '192.0.2.1', origin: 'yours' });

    const record = { type: 'TXT', name: 'usesend._domainkey', value: 'p=abc' };
    const domain = { id: 1, name: 'example.com', status: 'SUCCESS', dnsRecords: [record] };
    const { run, requests, world: ofAccount } = await connected({ body: [domain] });
    fileIn(ofAccount, 'google.xml', reportOf('google'));
    const { stdout } = await run('dmarc report google.xml --fields source,origin');
    expect(stdout).toBe('source\torigin\n192.0.2.1\tyours\n2001:db8::25\tforwarded\n');
    expect(requests()).toEqual(['GET /api/v1/domains']);
  });

  test('--selector needs no request', async () => {
    const { run, requests, world } = await connected();
    fileIn(world, 'google.xml', reportOf('google'));
    await run('dmarc report google.xml --selector usesend');
    expect(requests()).toEqual([]);
  });

  test('is unknown if the service does not respond, and that is said', async () => {
    const { run, world } = await connected({ status: 500, body: {} });
    fileIn(world, 'google.xml', reportOf('google'));
    const { exitCode, stdout, stderr } = await run(
      'dmarc report google.xml --retries 0 --fields origin',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe('origin\nunknown\nunknown\n');
    expect(stderr).toContain("The service did not list the account's domains");
  });
});
