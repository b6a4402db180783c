import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../../src/lib/base/errors.ts';
import { errorOf, failureOf, key } from '../../support/connected.ts';
import { createPlace, temporaryDirectory } from '../../support/process.ts';
import { startUndescribed } from '../../support/recorder.ts';
import { createWorld, type RunOptions, type World } from '../../support/run.ts';
import { shortLimit } from '../../support/time-limits.ts';

// Made for these tests. The first two and company-ca.pem are self-signed.
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../lib/fixtures/tls/${name}.pem`, import.meta.url));
const certificates = {
  /** For 127.0.0.1 and localhost, until October 2126. */
  good: 'cert',
  /** For mail.test only. */
  otherName: 'other-name',
  /** Expired in 2020. */
  expired: 'expired',
  /** Valid from 2100. */
  early: 'not-yet-valid',
  /** Signed by company-ca.pem. */
  company: 'by-company',
} as const;

/** A working https service, and the requests it received. */
async function startSecure(certificate: string) {
  const requests: string[] = [];
  const server = createSecureServer(
    { cert: readFileSync(fixture(certificate)), key: readFileSync(fixture('key')) },
    ({ method, url }, response) => {
      requests.push(`${method} ${url}`);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[]');
    },
  );
  server.on('tlsClientError', () => {});
  const port = await listening(server);
  return { baseUrl: `https://127.0.0.1:${port}/api`, port, requests };
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  // The address of a TCP server is always an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** Makes this process trust a certificate until the test ends. */
function trust(certificate: string): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, readFileSync(fixture(certificate), 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(before));
}

interface Check {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
  readonly remedy: string | null;
}

async function examined(world: World, words = '', options: RunOptions = {}) {
  const line = `doctor --json --timeout 20 ${words}`;
  const { exitCode, stdout, stderr } = await world.run(line, options);
  if (exitCode === 0) expect(stderr).toBe('');
  else expect(exitCodes[failureOf({ stdout, stderr }).code]).toBe(exitCode);
  const checks: Check[] = JSON.parse(stdout).checks;
  const state = Object.fromEntries(checks.map((one) => [one.check, one.state]));
  const of = (name: string) => checks.find(({ check }) => check === name);
  return { exitCode, state, of, stdout };
}

function worldAt(baseUrl: string, env: Readonly<Record<string, string>> = {}): World {
  const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl, ...env });
  // Real servers send the time.
  world.clock.now = Date.now();
  return world;
}

const fine = {
  node: 'OK',
  config: 'OK',
  key: 'OK',
  url: 'OK',
  dns: 'SKIPPED',
  tls: 'OK',
  proxy: 'OK',
  clock: 'OK',
  features: 'SKIPPED',
};
/** The checks when no request reaches the service. */
const cutOff = { ...fine, key: 'SKIPPED', url: 'SKIPPED', clock: 'SKIPPED' };

describe('TLS', () => {
  test('that is valid: protocol, issuer and expiry', async () => {
    trust(certificates.good);
    const { baseUrl, requests } = await startSecure(certificates.good);
    const { exitCode, state, of } = await examined(worldAt(baseUrl));
    expect({ exitCode, state }).toEqual({ exitCode: 0, state: fine });
    expect(of('tls')?.detail).toMatch(
      /^TLSv1\.3, certificate by mailer test, \d+ days left \(until 2126-10-28\)$/,
    );
    expect(requests).toEqual(['GET /api/v1/domains', 'GET /api/v1/doc']);
  });

  test.each([
    ['2126-10-16T00:00:00Z', 'WARNING', '12 days left'],
    ['2126-10-27T00:00:00Z', 'WARNING', '1 day left'],
    ['2126-10-14T00:00:00Z', 'OK', '14 days left'],
  ])('on %s is %s: %s', async (date, state, text) => {
    trust(certificates.good);
    const { baseUrl } = await startSecure(certificates.good);
    const world = worldAt(baseUrl);
    world.clock.now = Date.parse(date);
    expect((await examined(world)).of('tls')).toMatchObject({
      state,
      detail: expect.stringContaining(text),
    });
  });

  test.each([
    [
      'signed by itself',
      certificates.good,
      undefined,
      'The certificate is self-signed (issuer: mailer test)',
      'NODE_EXTRA_CA_CERTS=/path/to/certificate.pem',
    ],
    [
      'by an authority that is not known',
      certificates.company,
      undefined,
      'The certificate is from an authority that Node does not trust (issuer: Example Company)',
      'NODE_EXTRA_CA_CERTS=/path/to/company-ca.pem',
    ],
    [
      'for another name',
      certificates.otherName,
      certificates.otherName,
      'The certificate is for mail.test, not for 127.0.0.1',
      'Use one of its names',
    ],
    [
      'expired',
      certificates.expired,
      certificates.expired,
      'The certificate expired on 2021-01-01 (issuer: 127.0.0.1)',
      'Renew it',
    ],
    [
      'not valid yet',
      certificates.early,
      certificates.early,
      'The certificate is not valid until 2100-01-01 (issuer: 127.0.0.1)',
      "Check that this machine's date",
    ],
  ])('a certificate %s: 7, and no request', async (_, certificate, trusted, detail, remedy) => {
    if (trusted !== undefined) trust(trusted);
    const { baseUrl, requests } = await startSecure(certificate);
    const { exitCode, state, of } = await examined(worldAt(baseUrl));
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, tls: 'FAILED' });
    expect(of('tls')).toMatchObject({ detail, remedy: expect.stringContaining(remedy) });
    expect(requests).toEqual([]);
  });

  test.each([
    [
      certificates.good,
      "If you trust it: $env:NODE_EXTRA_CA_CERTS = 'C:\\path\\to\\certificate.pem'",
    ],
    [
      certificates.company,
      "If it is your company's: $env:NODE_EXTRA_CA_CERTS = 'C:\\path\\to\\company-ca.pem'. Otherwise, the service may not send its intermediate certificates",
    ],
  ])('%s is trusted in PowerShell on Windows', async (certificate, remedy) => {
    const { baseUrl } = await startSecure(certificate);
    const world = worldAt(baseUrl, { LOCALAPPDATA: temporaryDirectory() });
    const { of } = await examined(world, '', { platform: 'win32' });
    expect(of('tls')).toMatchObject({ state: 'FAILED', remedy });
  });

  test('has the same text in the error of a command', async () => {
    for (const certificate of [certificates.good, certificates.company]) {
      const { baseUrl } = await startSecure(certificate);
      const { of } = await examined(worldAt(baseUrl));
      const ended = await worldAt(baseUrl).run('domain list --json --retries 0');
      const { message, hint } = errorOf(ended);
      const { detail = '', remedy } = of('tls') ?? {};
      const said = /^The (certificate .*) \(issuer: .*\)$/.exec(detail)?.[1];
      expect(message).toMatch(new RegExp(` its ${said}\\.$`));
      expect(hint).toBe(`${remedy}. For details, run mailer doctor.`);
    }
  });

  test('NODE_EXTRA_CA_CERTS that cannot be read', async () => {
    const { baseUrl } = await startSecure(certificates.company);
    const { of } = await examined(worldAt(baseUrl, { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' }));
    expect(of('tls')?.remedy).toMatch(
      /^NODE_EXTRA_CA_CERTS names \/nowhere\/ca\.pem, which cannot be read\. /,
    );
  });

  test('a port that speaks plain http', async () => {
    const service = await startUndescribed();
    const { exitCode, state, of } = await examined(
      worldAt(service.baseUrl.replace('http:', 'https:')),
    );
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, tls: 'FAILED' });
    expect(of('tls')?.detail).toMatch(/^127\.0\.0\.1:\d+ does not speak TLS on this port$/);
  });

  test('a port that hangs up', async () => {
    const port = await listening(createTcpServer((socket) => void socket.destroy()));
    const { state, of } = await examined(worldAt(`https://127.0.0.1:${port}/api`));
    expect(state).toEqual({ ...cutOff, tls: 'FAILED' });
    expect(of('tls')?.detail).toMatch(/closed the connection during the handshake$/);
  });

  test('no common protocol: the command that shows more is quoted', async () => {
    // A fatal TLS alert as the first response: handshake_failure.
    const alert = Buffer.from([0x15, 0x03, 0x03, 0, 2, 2, 40]);
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(alert));
      }),
    );
    const direct = await examined(worldAt(`https://127.0.0.1:${port}/api`));
    expect(direct.of('tls')).toMatchObject({
      detail: expect.stringMatching(
        / has no TLS version or cipher in common with Node \(ERR_SSL_\S+\)$/,
      ),
      remedy: `For details, run: openssl s_client -connect 127.0.0.1:${port}`,
    });
    const proxy = await startProxy(port);
    const hostile = worldAt('https://a;touch$x/api', { HTTPS_PROXY: `http://${proxy.host}` });
    expect((await examined(hostile)).of('tls')?.remedy).toBe(
      "For details, run: openssl s_client -connect 'a;touch$x:443' -servername 'a;touch$x'",
    );
  });

  test('a port that does not respond', async () => {
    const port = await listening(createTcpServer((socket) => void socket.on('error', () => {})));
    const world = worldAt(`https://127.0.0.1:${port}/api`);
    const { stdout } = await world.run(`doctor --json --timeout ${shortLimit}`);
    expect(JSON.parse(stdout).checks[5]).toMatchObject({
      state: 'FAILED',
      detail: expect.stringContaining('did not finish the handshake in time'),
    });
  });

  test('a closed port is reported by the URL check', async () => {
    const { exitCode, state, of } = await examined(worldAt('https://127.0.0.1:1/api'));
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, url: 'FAILED', tls: 'SKIPPED' });
    expect(of('url')?.detail).toContain('127.0.0.1:1 refused the connection');
  });
});

/**
 * A proxy for the one host `mail.test`, which is at `port` here. With `refusal`, it responds with
 * that status.
 */
async function startProxy(port: number, refusal?: number) {
  const asked: string[] = [];
  const credentials = new Set<string | undefined>();
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (refusal !== undefined) return void outgoing.writeHead(refusal).end('no');
    const { pathname: path } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = forward({ port, host: '127.0.0.1', method, headers, path }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    credentials.add(incoming.headers['proxy-authorization']);
    socket.on('error', () => {});
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  const proxyPort = await listening(server);
  return { host: `127.0.0.1:${proxyPort}`, asked, credentials };
}

const behind = 'https://mail.test/api';

describe('a proxy', () => {
  test('that opens the tunnel: it resolves the name, TLS is checked through it', async () => {
    trust(certificates.good);
    const { port, requests } = await startSecure(certificates.good);
    const proxy = await startProxy(port);
    const world = worldAt(behind, { https_proxy: `http://user:s3cr%40t@${proxy.host}` });
    const { exitCode, state, of, stdout } = await examined(world);
    expect({ exitCode, state }).toEqual({ exitCode: 0, state: fine });
    expect(of('proxy')?.detail).toBe(`https_proxy=http://***@${proxy.host} accepts connections`);
    expect(of('dns')?.detail).toBe('The proxy looks it up');
    expect(of('tls')?.detail).toContain('certificate by mailer test');
    expect(stdout).not.toContain('s3cr');
    expect(requests).toEqual(['GET /api/v1/domains', 'GET /api/v1/doc']);
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT mail.test:443']));
    const basic = `Basic ${Buffer.from('user:s3cr@t').toString('base64')}`;
    expect([...proxy.credentials]).toEqual([basic]);
  });

  test('with an untrusted certificate behind it', async () => {
    const { port, requests } = await startSecure(certificates.company);
    const proxy = await startProxy(port);
    const { exitCode, state } = await examined(
      worldAt(behind, { HTTPS_PROXY: `http://${proxy.host}` }),
    );
    expect({ exitCode, state }).toEqual({ exitCode: 7, state: { ...cutOff, tls: 'FAILED' } });
    expect(requests).toEqual([]);
  });

  test.each([
    [407, 'HTTPS_PROXY=http://user:password@'],
    [403, 'Allow mail.test on the proxy'],
  ])('that rejects with %i: 7', async (status, remedy) => {
    const proxy = await startProxy(1, status);
    const world = worldAt(behind, { HTTPS_PROXY: `http://user:s3cret@${proxy.host}` });
    const { exitCode, state, of, stdout } = await examined(world);
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, proxy: 'FAILED', tls: 'SKIPPED' });
    expect(of('proxy')).toMatchObject({
      detail: `HTTPS_PROXY=http://***@${proxy.host} rejected the connection to mail.test: it responded with ${status}`,
      remedy: expect.stringContaining(remedy),
    });
    expect(of('url')?.detail).toContain('not tried, as proxy failed');
    expect(stdout).not.toContain('s3cret');
  });

  test('at a closed port: 7', async () => {
    const { exitCode, state, of } = await examined(
      worldAt(behind, { HTTPS_PROXY: 'http://user:s3cret@127.0.0.1:1' }),
    );
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, proxy: 'FAILED', tls: 'SKIPPED' });
    expect(of('proxy')?.detail).toBe(
      'HTTPS_PROXY=http://***@127.0.0.1:1 cannot be used: 127.0.0.1:1 refused the connection',
    );
    expect(of('proxy')?.remedy).toContain('unset HTTPS_PROXY');
  });

  test('with an untrusted certificate of its own: 7, and its password is not sent', async () => {
    const { port, requests } = await startSecure(certificates.company);
    const { exitCode, state, of } = await examined(
      worldAt(behind, { HTTPS_PROXY: `https://user:s3cret@127.0.0.1:${port}` }),
    );
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, proxy: 'FAILED', tls: 'SKIPPED' });
    expect(of('proxy')?.detail).toMatch(/cannot be used: .*certificate/);
    expect(requests).toEqual([]);
  });

  test('whose name does not exist: 7', async () => {
    const { of } = await examined(worldAt(behind, { HTTPS_PROXY: 'proxy.invalid:3128' }));
    expect(of('proxy')?.detail).toContain('the name proxy.invalid was not found');
  });

  test('that is not a proxy URL: 7, and its value is not shown', async () => {
    const { exitCode, state, of, stdout } = await examined(
      worldAt(behind, { HTTPS_PROXY: 'ftp://user:s3cret@proxy' }),
    );
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, proxy: 'FAILED', tls: 'SKIPPED' });
    expect(of('proxy')?.detail).toBe('HTTPS_PROXY is not the URL of a proxy');
    expect(stdout).not.toContain('s3cret');
  });

  test.each([
    [undefined, 0, 'OK'],
    [407, 7, 'FAILED'],
  ])('for plain http, answering %s: %i', async (refusal, exitCode, state) => {
    const service = await startUndescribed({ body: [] });
    const proxy = await startProxy(Number(new URL(service.url).port), refusal);
    const world = worldAt('http://mail.test/api', { HTTP_PROXY: proxy.host });
    const found = await examined(world, '--allow-http');
    expect(found.exitCode).toBe(exitCode);
    expect(found.state).toMatchObject({ proxy: state, tls: 'SKIPPED', dns: 'SKIPPED' });
    expect(found.state.url).toBe(state === 'OK' ? 'WARNING' : 'SKIPPED');
    expect(proxy.asked[0]).toBe('GET http://mail.test/api/v1/domains');
  });

  test('of SOCKS at a closed port: 7', async () => {
    const { exitCode, state } = await examined(
      worldAt(behind, { HTTPS_PROXY: 'socks5://127.0.0.1:1' }),
    );
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...cutOff, proxy: 'FAILED', tls: 'SKIPPED' });
  });

  test('is not used where NO_PROXY reports it', async () => {
    const { state, of } = await examined(
      worldAt('https://mail.invalid/api', {
        HTTPS_PROXY: 'http://127.0.0.1:1',
        no_proxy: '.invalid',
      }),
    );
    expect(state).toMatchObject({ proxy: 'OK', dns: 'FAILED' });
    expect(of('proxy')?.detail).toBe('None: NO_PROXY includes this host');
  });
});

describe('the program, as a process', () => {
  test('NODE_EXTRA_CA_CERTS adds the certificate of a company', async () => {
    const { baseUrl } = await startSecure(certificates.company);
    const place = createPlace({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl });
    const without = await place.run('doctor --quiet');
    expect(without).toMatchObject({
      exitCode: 7,
      stdout: 'tls\n',
      stderr: 'Error: These checks failed: tls.\n',
    });
    const env = { NODE_EXTRA_CA_CERTS: fixture('company-ca') };
    const { exitCode, stdout } = await place.run('doctor', { env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^tls\tOK\tTLSv1\.3, certificate by Example Company, /m);
  });

  test('a key command that does not end delays it no longer than other checks', async () => {
    const { baseUrl } = await startUndescribed({ status: 401, body: { error: 'no key' } });
    const place = createPlace();
    const profiles = { default: { baseUrl, keyCommand: 'sleep 20 2>/dev/null; echo late' } };
    await place.run('config set retries 1');
    writeFileSync(join(place.configDirectory, 'config.json'), JSON.stringify({ profiles }), {
      mode: 0o600,
    });
    const { exitCode, stdout } = await place.run(`doctor --quiet --timeout ${shortLimit}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: 'key\n' });
  });
});
