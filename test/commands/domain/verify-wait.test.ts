import { describe, expect, test } from 'vitest';
import { InterruptedError, TerminatedError } from '../../../src/lib/base/errors.ts';
import { connected, errorOf, failureOf } from '../../support/connected.ts';
import { startDns } from '../../support/dns-server.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { domainWithRecords, longKey, published, publishedBut } from './dns-domains.ts';
import { domain, forever, liveDomain } from './domains.ts';

const started: Answer = { body: { message: 'Iniciada' } };

/** The response to a request for `a.example`, in this status. */
function state(status: string, fields: Readonly<Record<string, unknown>> = {}): Answer {
  return { body: domain(4, 'a.example', { status, ...fields }) };
}

/** The response to a list, with `a.example` in this status. */
function listed(status: string, fields: Readonly<Record<string, unknown>> = {}): Answer {
  return { body: [domain(4, 'a.example', { status, ...fields })] };
}

const verifying = { isVerifying: true };

/** The response of live servers to a request for a domain that does not exist. */
const crashed = { status: 500, body: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'no' } } };

/** The responses up to the start of a verification of `a.example`, which then has this status. */
function begun(status: string, fields: Readonly<Record<string, unknown>> = {}): Answer[] {
  return [listed(status, fields), state(status, fields), started];
}

/** Follows the verification of `a.example` through these responses. */
async function follow(before: readonly Answer[], ...replies: readonly Answer[]) {
  const { world, requests } = await connected(...before, ...replies);
  const outcome = await world.run('domain verify a.example --wait --force --interval 5s --json');
  return { ...outcome, document: JSON.parse(outcome.stdout || '{}'), requests: requests() };
}

test('follows a verification to SUCCESS: 0, a line for each change, the domain on stdout', async () => {
  const world = createWorld();
  const { exitCode, stdout, stderr } = await world.run(
    'domain verify example.org --sandbox --wait',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    'domain.id\t2\ndomain.name\texample.org\noutcome\tsuccess\ndomain.status\tSUCCESS\nseconds\t5\ndomain.errorMessage\t\n',
  );
  const records = (word: string) =>
    `MX mail ${word}, TXT usesend._domainkey ${word}, TXT mail ${word}, TXT _dmarc NOT_STARTED`;
  expect(stderr.split('\n')).toEqual([
    `example.org: PENDING, being verified; ${records('PENDING')}`,
    `example.org: SUCCESS; ${records('SUCCESS')}`,
    'example.org is verified, after 5 s.',
    '',
  ]);
});

/** A live server's `a.example`, with the domain at each request during its verification. */
function live(before: Readonly<Record<string, unknown>>, ...looks: readonly object[]): Answer[] {
  return forever(liveDomain(domainWithRecords(before), looks));
}

test('a verification that advances only when the domain is requested by its id: 0', async () => {
  const looks = [{ status: 'PENDING' }, { status: 'SUCCESS', isVerifying: false }];
  const { world, requests } = await connected(...live({ status: 'NOT_STARTED' }, ...looks));
  const { exitCode, stderr } = await world.run('domain verify a.example --wait');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('a.example is verified, after 2 s.\n');
  expect(requests()).toEqual([
    'GET /api/v1/domains',
    'GET /api/v1/domains/4',
    'PUT /api/v1/domains/4/verify',
    'GET /api/v1/domains/4',
    'GET /api/v1/domains/4',
  ]);
});

test('FAILED, still marked as being verified as on live servers: 9, and the missing records', async () => {
  const dns = await startDns(publishedBut('k._domainkey.a.example', 'TXT'));
  const { world } = await connected(...live({}, {}, {}, { status: 'FAILED' }));
  const { exitCode, stdout } = await world.run('domain verify 4 --wait', {
    dns: { machineServers: [dns.address] },
  });
  expect(exitCode).toBe(9);
  expect(stdout).toContain('outcome\tfailed\ndomain.status\tFAILED\nseconds\t5\n');
  expect(stdout).toContain('\nTXT\tk._domainkey.a.example\tmissing\ttrue\t');
});

describe('FAILED before, and only the domain by its id has the time of the last check', () => {
  /** The verification ends at the first request, with this time by the service's clock. */
  async function verifiedAt(before: string | null, after: string) {
    const failed = (lastCheckedTime?: string | null) =>
      domain(4, 'a.example', { status: 'FAILED', isVerifying: true, lastCheckedTime });
    let checked = before;
    const answer: Answer = (response, { method, path }) => {
      if (method === 'PUT') checked = after;
      const body = path.endsWith('/4') ? failed(checked) : [failed()];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(method === 'PUT' ? { message: 'ok' } : body));
    };
    const { world } = await connected(...forever(answer));
    return (await world.run('domain verify 4 --wait --wait-timeout 3m')).exitCode;
  }

  // This machine's clock is at 10:00.
  test.each(['2026-01-15T08:00:07Z', '2026-01-15T10:00:07Z', '2026-01-15T12:00:07Z'])(
    'after another check it has ended, whatever its time: %s',
    async (after) => {
      expect(await verifiedAt('2026-01-15T07:00:00Z', after)).toBe(9);
    },
  );

  test.each(['2026-01-15T08:00:00Z', '2026-01-15T12:00:00Z'])(
    'while that time does not change, it continues: %s',
    async (before) => {
      expect(await verifiedAt(before, before)).toBe(10);
    },
  );
});

test('a verification that does not advance: 10 on timeout', async () => {
  const { world, requests } = await connected(...live({}));
  const { exitCode, stderr } = await world.run('domain verify 4 --wait --wait-timeout 1m');
  expect(exitCode).toBe(10);
  expect(stderr).toContain('Error: The wait timed out: a.example is still being verified.\n');
  expect(requests().filter((one) => one.startsWith('PUT'))).toHaveLength(1);
});

test.each([
  ['no such endpoint', { status: 404, body: '404 Not Found' }],
  ['no such method', { status: 405, body: { error: { code: 'METHOD_NOT_ALLOWED' } } }],
])('%s: the list is polled, and the endpoint not requested again', async (_, answer) => {
  const { exitCode, requests } = await follow(
    begun('PENDING'),
    ...[answer, listed('PENDING', verifying), listed('PENDING', verifying), listed('SUCCESS')],
  );
  expect(exitCode).toBe(0);
  expect(requests.slice(3)).toEqual([
    'GET /api/v1/domains/4',
    ...Array.from({ length: 3 }, () => 'GET /api/v1/domains'),
  ]);
});

test.each([
  ['that fails', crashed],
  // Perhaps only while the service is being updated.
  ['with a web page', { body: '<!doctype html><title>Mail</title>' }],
])('an endpoint %s is requested again only at the next poll', async (_, answer) => {
  const { exitCode, requests } = await follow(
    begun('PENDING'),
    ...[answer, listed('PENDING', verifying), answer, listed('PENDING', verifying)],
    state('SUCCESS'),
  );
  expect(exitCode).toBe(0);
  expect(requests.slice(3)).toEqual([
    ...['GET /api/v1/domains/4', 'GET /api/v1/domains'],
    ...['GET /api/v1/domains/4', 'GET /api/v1/domains'],
    'GET /api/v1/domains/4',
  ]);
});

test('a verified domain: 0 at once, and nothing is started', async () => {
  const { world, requests } = await connected(...live({ status: 'SUCCESS' }));
  const { exitCode, stdout, stderr } = await world.run('domain verify a.example --wait');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('outcome\tsuccess\ndomain.status\tSUCCESS\nseconds\t0\n');
  expect(stderr).toBe(
    'a.example is already verified.\nTo verify it again, add --force.\nIn DNS, as seen from here: DNS could not be queried, so the published records are unknown.\n',
  );
  expect(requests()).toEqual(['GET /api/v1/domains']);
  expect(world.clock.pauses).toEqual([]);
  const json = await world.run('domain verify a.example --wait --json');
  expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'success', already: true, seconds: 0 });
});

test('--fields: shown fields can be selected, though nested in the response', async () => {
  const { world } = await connected(...live({ status: 'SUCCESS' }));
  const { stdout } = await world.run('domain verify a.example --wait --fields name,status,seconds');
  expect(stdout).toBe('name\ta.example\nstatus\tSUCCESS\nseconds\t0\n');
});

test('--force verifies it again', async () => {
  const looks = [{ status: 'SUCCESS', isVerifying: false }];
  const { world, requests } = await connected(...live({ status: 'SUCCESS' }, ...looks));
  const { exitCode, stderr } = await world.run('domain verify a.example --wait --force');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('a.example is verified, after 5 s.\n');
  expect(requests()).toContain('PUT /api/v1/domains/4/verify');
});

test('--force says that a verified domain is not verified again yet when time is up', async () => {
  const settled = { status: 'SUCCESS', isVerifying: false };
  const { world } = await connected(...live({ status: 'SUCCESS' }, settled));
  const { exitCode, stderr } = await world.run(
    'domain verify a.example --wait --force --wait-timeout 1s',
  );
  expect(exitCode).toBe(10);
  expect(stderr).toContain(
    'Error: The wait timed out: a.example is not verified again yet.\nHint: To keep waiting: mailer domain verify a.example --wait --force',
  );
});

test('the pauses grow up to half a minute, and end when time is up', async () => {
  const pending = Array.from({ length: 20 }, () => state('PENDING', verifying));
  const { world, requests } = await connected(...begun('PENDING'), ...pending);
  const { exitCode } = await world.run(
    'domain verify a.example --wait --wait-timeout 3m --heartbeat 0',
  );
  expect(exitCode).toBe(10);
  expect(world.clock.pauses).toEqual([
    2000, 3000, 4500, 6750, 10125, 15187.5, 22781.25, 30_000, 30_000, 30_000, 25_656.25,
  ]);
  expect(requests().filter((one) => one.startsWith('PUT'))).toHaveLength(1);
});

test('--interval sets the pauses; the time limit is 30 minutes by default', async () => {
  const pending = Array.from({ length: 4 }, () => state('PENDING', verifying));
  const { world } = await connected(...begun('PENDING'), ...pending);
  await world.run('domain verify 4 --wait --interval 10m --heartbeat 0');
  expect(world.clock.pauses).toEqual([600_000, 600_000, 600_000]);
});

test('--json: one document, and nothing on stderr', async () => {
  const before = { body: [domainWithRecords({ status: 'NOT_STARTED' })] };
  const after = domainWithRecords({ status: 'SUCCESS', novel: 1 });
  const dns = await startDns(published);
  const { world } = await connected(
    before,
    { body: domainWithRecords({ status: 'NOT_STARTED' }) },
    started,
    { body: after },
  );
  const { exitCode, stdout, stderr } = await world.run('domain verify a.example --wait --json', {
    dns: { machineServers: [dns.address] },
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'success',
    seconds: 0,
    domain: after,
    dns: { domain: 'a.example', ok: true, resolvers: [{ source: 'system' }] },
  });
});

test('a recommended record that receivers ignore does not fail a verified domain', async () => {
  const dns = await startDns(publishedBut('_dmarc.a.example', 'TXT', 'v=DMARC1; p=block'));
  const { world } = await connected({ body: [domainWithRecords({ status: 'SUCCESS' })] });
  const { exitCode, stdout } = await world.run('domain verify a.example --wait --json', {
    dns: { machineServers: [dns.address] },
  });
  expect(exitCode).toBe(0);
  const { ok, records } = JSON.parse(stdout).dns;
  expect(ok).toBe(true);
  expect(records[3]).toMatchObject({ status: 'wrong', required: false });
});

test.each([
  [
    'an SPF record with an error',
    'mail.a.example',
    'v=spf1 include:amazonses.com ip4:no -all',
    'wrong',
  ],
  ['a revoked key', 'k._domainkey.a.example', 'v=DKIM1; p=', 'wrong'],
  ['a key that is gone', 'k._domainkey.a.example', undefined, 'missing'],
] as const)('%s fails a domain that the service calls verified', async (_, name, value, status) => {
  const values = value === undefined ? [] : [value];
  const dns = await startDns(publishedBut(name, 'TXT', ...values));
  const verified = { body: [domainWithRecords({ status: 'SUCCESS' })] };
  const { world } = await connected(verified, verified);
  const line = 'domain verify a.example --wait';
  const { exitCode, stdout, stderr } = await world.run(`${line} --resolver ${dns.address}`);
  expect(exitCode).toBe(9);
  expect(stdout).toContain(`TXT\t${name}\t${status}\ttrue`);
  expect(stderr).toContain('a.example is verified, but receivers would not use a required record.');
  // The resolver of this machine may still have the answer from before.
  const cached = await world.run(line, { dns: { machineServers: [dns.address] } });
  expect(cached.exitCode).toBe(0);
  expect(cached.stderr).toContain(`In DNS, as seen from here: Of 3 required records: 1 ${status}.`);
});

test('FAILED: 9, and the log lists what is missing, expected and found', async () => {
  const records = publishedBut('k._domainkey.a.example', 'TXT');
  const dns = await startDns(records.filter(([name]) => name !== '_dmarc.a.example'));
  const failed = domainWithRecords({ status: 'FAILED', errorMessage: 'DKIM not found' });
  const { world } = await connected(
    { body: [domainWithRecords(verifying)] },
    { body: domainWithRecords(verifying) },
    started,
    { body: domainWithRecords(verifying) },
    { body: failed },
  );
  const { exitCode, stdout, stderr } = await world.run('domain verify a.example --wait', {
    dns: { machineServers: [dns.address] },
  });
  expect(exitCode).toBe(9);
  const [fields, rows] = stdout.split('\n\n');
  expect(fields).toContain(
    'outcome\tfailed\ndomain.status\tFAILED\nseconds\t2\ndomain.errorMessage\tDKIM not found',
  );
  expect(rows).toBe(
    [
      'dns.records.type\tdns.records.fqdn\tdns.records.status\tdns.records.required\tdns.records.expected\tdns.records.found\tdns.records.problem',
      `TXT\tk._domainkey.a.example\tmissing\ttrue\t${longKey}\t\tk._domainkey.a.example does not exist.`,
      'TXT\t_dmarc.a.example\tmissing\tfalse\tv=DMARC1; p=none; rua=mailto:dmarc@a.example\t\t_dmarc.a.example does not exist.',
      '',
    ].join('\n'),
  );
  expect(stderr).toMatch(
    /\nOf 3 required records: 1 missing\.\nError: Verification of a\.example failed: DKIM not found\n$/,
  );
});

test('--resolver: the named servers are asked, not those of the machine', async () => {
  const machine = await startDns(published);
  const broken = await startDns([], { failing: { '': 'SERVFAIL' } });
  const chosen = await startDns(publishedBut('mail.a.example', 'MX'));
  const { world } = await connected(
    { body: [domainWithRecords()] },
    { body: domainWithRecords() },
    started,
    {
      body: domainWithRecords({ status: 'FAILED' }),
    },
  );
  const { exitCode, stdout } = await world.run(
    `domain verify 4 --wait --json --resolver ${broken.address} --resolver ${chosen.address}`,
    { dns: { machineServers: [machine.address] } },
  );
  expect(exitCode).toBe(9);
  expect(JSON.parse(stdout).dns).toMatchObject({
    ok: false,
    resolvers: [{ source: 'given', servers: [broken.address, chosen.address] }],
    records: [{ type: 'MX', status: 'missing' }, {}, {}, {}],
  });
  expect(machine.questions).toEqual([]);
});

test('FAILED with --json: 9, the document on stdout, the failure on stderr', async () => {
  const dns = await startDns(publishedBut('mail.a.example', 'MX'));
  const { world } = await connected(
    { body: [domainWithRecords()] },
    { body: domainWithRecords() },
    started,
    {
      body: domainWithRecords({ status: 'FAILED' }),
    },
  );
  const { exitCode, stdout, stderr } = await world.run('domain verify 4 --wait --json', {
    dns: { machineServers: [dns.address] },
  });
  expect(exitCode).toBe(9);
  expect(failureOf({ stdout, stderr })).toEqual({
    code: 'wait_failed',
    message: 'Verification of a.example failed.',
  });
  const document = JSON.parse(stdout);
  expect(document).toMatchObject({ outcome: 'failed', domain: { status: 'FAILED' } });
  expect(document.dns.records[0]).toMatchObject({ status: 'missing', type: 'MX', found: [] });
});

test('all is published although the service reports FAILED: a note', async () => {
  const dns = await startDns(published);
  const { world } = await connected(
    { body: [domainWithRecords()] },
    { body: domainWithRecords() },
    started,
    {
      body: domainWithRecords({ status: 'FAILED' }),
    },
  );
  const { exitCode, stdout, stderr } = await world.run('domain verify 4 --wait', {
    dns: { machineServers: [dns.address] },
  });
  expect(exitCode).toBe(9);
  expect(stdout).not.toContain('Expected');
  expect(stderr).toContain('All required records are correct.\n');
});

test('time is up: 10, and failed look-ups are reported', async () => {
  const pending = Array.from({ length: 4 }, () => ({ body: domainWithRecords(verifying) }));
  const { world } = await connected(
    { body: [domainWithRecords()] },
    { body: domainWithRecords() },
    started,
    ...pending,
  );
  const { exitCode, stdout, stderr } = await world.run(
    'domain verify a.example --wait --wait-timeout 5s',
  );
  expect(exitCode).toBe(10);
  expect(stdout).toContain('outcome\ttimeout\ndomain.status\tPENDING\nseconds\t5\n');
  expect(stdout).toContain('unknown\ttrue\t10 feedback-smtp.eu-west-1.amazonses.com\t\t');
  expect(stderr).toContain(
    'DNS could not be queried, so the published records are unknown.\nError: The wait timed out: a.example is still being verified.\nHint: To keep waiting: mailer domain verify a.example --wait\n',
  );
});

test('time is up: the command to continue is quoted, and for the same service', async () => {
  const name = 'example.com; touch x';
  const one = domain(4, name, { status: 'PENDING', ...verifying });
  const pending = { body: one };
  const { world, service } = await connected({ body: [one] }, pending, started, pending, pending);
  const { exitCode, stderr } = await world.run(
    `domain verify 4 --wait --wait-timeout 2s --base-url ${service.baseUrl}`,
  );
  expect(exitCode).toBe(10);
  expect(stderr).toContain(
    ` To keep waiting: mailer domain verify '${name}' --wait --base-url ${service.baseUrl}\n`,
  );
});

test('seconds are rounded for people, and exact for programs', async () => {
  const waited = async (flags: string) => {
    const slow: Answer = (response) => {
      world.clock.advance(1014);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(domain(4, 'a.example', { status: 'SUCCESS' })));
    };
    const { world } = await connected(...begun('PENDING'), slow);
    return await world.run(`domain verify a.example --wait ${flags}`);
  };
  const { stdout, stderr } = await waited('');
  expect(stdout).toContain('seconds\t1.014\n');
  expect(stderr).toContain('a.example is verified, after 1 s.\n');
  expect(JSON.parse((await waited('--json')).stdout)).toMatchObject({ seconds: 1.014 });
});

test.each<[string, Answer[], Answer[], object]>([
  [
    'a SUCCESS of before, and nothing is verified: not at the first look',
    begun('SUCCESS'),
    [state('SUCCESS'), state('SUCCESS')],
    { exitCode: 0, looks: 2 },
  ],
  [
    'a SUCCESS of before, while it is verified anew, does not end it',
    begun('SUCCESS'),
    [state('SUCCESS', verifying), state('SUCCESS', verifying), state('FAILED')],
    { exitCode: 9 },
  ],
  [
    'a SUCCESS of before, until the service shows that the verification has begun',
    begun('SUCCESS'),
    [state('SUCCESS'), state('SUCCESS', verifying), state('FAILED')],
    { exitCode: 9 },
  ],
  [
    'a FAILED of before does not end it',
    begun('FAILED'),
    [state('FAILED'), state('FAILED', verifying), state('PENDING', verifying), state('SUCCESS')],
    { exitCode: 0 },
  ],
  [
    'FAILED again, after it was seen under way',
    begun('FAILED'),
    [state('FAILED', verifying), state('FAILED')],
    { exitCode: 9 },
  ],
  [
    'FAILED again, by the time of the check',
    begun('FAILED', { lastCheckedTime: '2026-01-01T00:00:00Z' }),
    [
      state('FAILED', { ...verifying, lastCheckedTime: null }),
      state('FAILED', { ...verifying, lastCheckedTime: '2026-01-01T00:00:00Z' }),
      state('FAILED', { ...verifying, lastCheckedTime: '2026-01-15T10:00:00Z' }),
    ],
    { exitCode: 9 },
  ],
  [
    'FAILED again, without a trace of it for a minute',
    begun('FAILED'),
    Array.from({ length: 13 }, () => state('FAILED')),
    { exitCode: 9 },
  ],
  [
    'TEMPORARY_FAILURE, NOT_STARTED and words of tomorrow go on',
    begun('NOT_STARTED'),
    [
      state('NOT_STARTED'),
      state('TEMPORARY_FAILURE'),
      state('REVIEWING', verifying),
      state('SUCCESS', verifying),
    ],
    { exitCode: 0 },
  ],
])('%s', async (_, before, replies, expected) => {
  const { exitCode, requests } = await follow(before, ...replies);
  expect({ exitCode, looks: requests.length - 3 }).toEqual({ ...expected, looks: replies.length });
});

test('an unavailable service is waited for, beyond the retries', async () => {
  const gone: Answer = (response) => {
    response.destroy();
  };
  const { world } = await connected(
    ...begun('PENDING'),
    gone,
    gone,
    { status: 503, body: 'down' },
    { status: 503, body: 'down' },
    { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'Slowly' } } },
    { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'Slowly' } } },
    state('SUCCESS'),
  );
  const { exitCode, stderr } = await world.run('domain verify a.example --wait --retries 1');
  expect(exitCode).toBe(0);
  expect(stderr.match(/Still waiting\./g)).toHaveLength(3);
  expect(stderr).toContain('Slowly. Still waiting.');
});

test('a service that stays unavailable: 7 on timeout, since when, and the last known status', async () => {
  const down = Array.from({ length: 20 }, () => ({ status: 503, body: 'down' }));
  const words = 'domain verify a.example --wait --retries 0 --wait-timeout 20s';
  const looks = [...begun('PENDING'), state('PENDING', verifying)];
  const { world } = await connected(...looks, ...down);
  const { exitCode, stdout, stderr } = await world.run(words);
  expect(exitCode).toBe(7);
  expect(stdout).toContain('outcome\tunreachable\ndomain.status\tPENDING\n');
  expect(stdout).not.toContain('dns.records');
  expect(stderr).toContain(
    '\nError: The service has been unavailable since 2026-01-15T10:00:02.000Z: The service responded with 503: down. The last known status of a.example is PENDING.\nHint: To keep waiting: mailer domain verify a.example --wait\n',
  );
  const again = await connected(...looks, ...down);
  const outcome = await again.run(`${words} --json`);
  expect(failureOf(outcome)).toMatchObject({
    code: 'unavailable',
    unreachableSince: '2026-01-15T10:00:02.000Z',
    last: 'PENDING',
  });
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    outcome: 'unreachable',
    unreachableSince: '2026-01-15T10:00:02.000Z',
    domain: { status: 'PENDING' },
    dns: null,
  });
});

test('a service that responds again before the time is up: 10, with a status that is not stale', async () => {
  const { world } = await connected(
    ...[...begun('PENDING'), { status: 503, body: 'down' }, state('PENDING', verifying)],
  );
  const { exitCode, stderr } = await world.run(
    'domain verify a.example --wait --retries 0 --wait-timeout 2s',
  );
  expect(exitCode).toBe(10);
  expect(stderr).toContain('Error: The wait timed out: a.example is still being verified.\n');
});

test('the pauses between retries end with the wait', async () => {
  const down = Array.from({ length: 40 }, () => ({ status: 503, body: 'down' }));
  const { world, requests } = await connected(...begun('PENDING'), ...down);
  const { exitCode } = await world.run('domain verify a.example --wait --wait-timeout 10s', {
    random: () => 0.999,
  });
  expect(exitCode).toBe(7);
  const waited = world.clock.pauses.reduce((sum, pause) => sum + pause, 0);
  expect(waited).toBeGreaterThanOrEqual(10_000);
  expect(waited).toBeLessThanOrEqual(11_000);
  expect(requests().length).toBeGreaterThan(5);
});

test('a service that asks to wait past the deadline gets no other request', async () => {
  const busy = { status: 503, headers: { 'retry-after': '50' }, body: 'busy' };
  const { world, requests } = await connected(...begun('PENDING'), busy, state('SUCCESS'));
  const { exitCode } = await world.run('domain verify a.example --wait --wait-timeout 20s');
  expect(exitCode).toBe(7);
  expect(requests()).toHaveLength(4);
  expect(world.clock.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(20_000);
});

test('a start without a response ends with the wait, and is an error', async () => {
  const { world } = await connected(listed('PENDING'), state('PENDING'), () => {});
  const { exitCode, stderr } = await world.run('domain verify a.example --wait --wait-timeout 1ms');
  expect(exitCode).toBe(7);
  expect(stderr).toContain('did not respond within 1.001 s');
});

test.each<[string, Answer[], number]>([
  ['a key that was withdrawn', [{ status: 403, body: { error: 'Invalid API token' } }], 3],
  ['a domain that was deleted', [crashed, { body: [] }], 4],
  ['the same, where that is no crash', [{ status: 404, body: { error: 'Gone' } }, { body: [] }], 4],
])('%s ends it: an error', async (_, replies, code) => {
  const { exitCode, stdout, stderr } = await follow(begun('PENDING'), ...replies);
  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
  expect(errorOf({ stdout, stderr }).hint).toMatch(/^The verification of a\.example was started\./);
});

test('an error keeps its own hint between what was started and how to continue', async () => {
  const refused = { status: 403, body: { error: { code: 'FORBIDDEN', message: 'no' } } };
  const { world } = await connected(...begun('PENDING'), refused);
  const { exitCode, stderr } = await world.run('domain verify a.example --wait');
  expect(exitCode).toBe(3);
  expect(stderr.split('\n')).toEqual([
    'Error: no',
    'Hint: The verification of a.example was started.',
    expect.stringMatching(/^Check the key in MAILER_API_KEY, .*: mailer whoami$/),
    'To keep waiting: mailer domain verify a.example --wait',
    '',
  ]);
});

test.each(['', ' --wait'])('a conflict reports that nothing was started: 5 (%s)', async (wait) => {
  const conflict = { status: 409, body: { error: { message: 'already verifying' } } };
  const { world } = await connected(
    listed('PENDING'),
    ...(wait ? [state('PENDING')] : []),
    conflict,
  );
  const outcome = await world.run(`domain verify a.example --json${wait}`);
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome)).toMatchObject({
    code: 'conflict',
    message: 'already verifying',
    hint: 'This verification was not started; another one may be running. Check its status: mailer domain get a.example',
  });
});

test('a conflict after a lost response does not claim that nothing was started', async () => {
  const conflict = { status: 409, body: { error: { message: 'already verifying' } } };
  const { world } = await connected(listed('PENDING'), { status: 502, body: {} }, conflict);
  const outcome = await world.run('domain verify a.example --json');
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome).hint).toBe(
    'This verification may have been started. Check its status: mailer domain get a.example',
  );
});

test.each(['nowhere.example', '99'])(
  'no domain %s: 4 at once, nothing is started',
  async (named) => {
    const { world, requests } = await connected(listed('PENDING'));
    const { exitCode } = await world.run(`domain verify ${named} --wait`);
    expect(exitCode).toBe(4);
    expect(requests()).toEqual(['GET /api/v1/domains']);
    expect(world.clock.pauses).toEqual([]);
  },
);

test('a verification that cannot be started is not waited for', async () => {
  const { world } = await connected(listed('PENDING'), state('PENDING'), {
    status: 404,
    body: { error: 'Gone' },
  });
  const { exitCode, stderr } = await world.run('domain verify a.example --wait');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 4,
    stderr: expect.stringContaining('Error: Gone'),
  });
});

test.each([
  [130, new InterruptedError('Interrupted.')],
  [143, new TerminatedError('Terminated.')],
])(
  'a signal ends it: %d, and it reports that the verification was started',
  async (code, reason) => {
    const controller = new AbortController();
    const { world } = await connected(...begun('PENDING'), (response) => {
      controller.abort(reason);
      response.destroy();
    });
    const line = 'domain verify a.example --wait --json';
    const outcome = await world.run(line, { signal: controller.signal });
    expect(outcome.exitCode).toBe(code);
    expect(errorOf(outcome)).toMatchObject({
      code: reason.code,
      hint: 'The verification of a.example was started.\nTo keep waiting: mailer domain verify a.example --wait',
    });
  },
);

test('--quiet prints the id and nothing else', async () => {
  const { world } = await connected(...begun('PENDING'), state('PENDING'), state('SUCCESS'));
  expect(await world.run('domain verify a.example --wait -q')).toEqual({
    exitCode: 0,
    stdout: '4\n',
    stderr: '',
  });
});

test('on a terminal there are no lines beside the spinner', async () => {
  const { world } = await connected(...begun('PENDING'), state('PENDING'), state('SUCCESS'));
  const { stdout, stderr } = await world.run('domain verify a.example --wait', {
    terminal: 80,
    env: { NO_COLOR: '1' },
  });
  expect(stdout).toContain('Outcome  success\n');
  expect(stderr).not.toContain('a.example: PENDING\n');
});

test('a terminal without a size gets lines, and tables of the usual width', async () => {
  const { world } = await connected(...begun('PENDING'), state('SUCCESS'));
  const { stderr } = await world.run('domain verify a.example --wait', { terminal: 0 });
  expect(stderr).toContain('a.example: SUCCESS\n');
  const table = await world.run('domain list --sandbox', { terminal: 0, env: { NO_COLOR: '1' } });
  expect(table.stdout).toContain('NOT_STARTED  us-east-1');
});

test('records from the service cannot control the terminal', async () => {
  const hostile = domain(4, 'a.example', {
    status: '\u001b[2J',
    dnsRecords: [{ type: 'TXT', name: '\u001b]0;x\u0007', value: '\u001b[31m', ttl: 'Auto' }],
  });
  const { world } = await connected({ body: [hostile] }, started, { body: hostile });
  const { stdout, stderr } = await world.run(
    'domain verify 4 --wait --wait-timeout 1ms --interval 1ms --debug',
    { terminal: 80, env: { NO_COLOR: '1' } },
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test('--dry-run shows the request that starts it', async () => {
  const world = createWorld();
  const byId = await world.run('domain verify 7 --wait --wait-timeout 10m --dry-run');
  expect(byId.exitCode).toBe(0);
  expect(byId.stdout).toMatch(/^PUT \{base_url\}\/v1\/domains\/7\/verify\n/);
  const byName = await world.run('domain verify a.example --wait --dry-run --json');
  expect(JSON.parse(byName.stdout)).toMatchObject({ method: 'PUT' });
});

test.each([
  ['--interval 5s', '--interval needs --wait'],
  ['--wait-timeout 5s', '--wait-timeout needs --wait'],
  ['--resolver 9.9.9.9', '--resolver needs --wait'],
  ['--wait --resolver dns.example', '--resolver: "dns.example" is not an IP address'],
  ['--wait --interval 0', '--interval: "0" is not a duration'],
  ['--wait --wait-timeout 0', '--wait-timeout: "0" is not a duration'],
  ['--wait --interval soon', '--interval: "soon" is not a duration'],
  ['--wait=SUCCESS', '--wait takes no value'],
])('%s: 2, and nothing is sent', async (flags, message) => {
  const { world, requests } = await connected();
  const { exitCode, stderr } = await world.run(`domain verify a.example ${flags}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('--wait may stand before the domain', async () => {
  const { world } = await connected(...begun('PENDING'), state('SUCCESS'));
  expect((await world.run('domain verify --wait a.example -q')).stdout).toBe('4\n');
});
