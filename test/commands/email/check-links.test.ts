import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { isPublicAddress } from '../../../src/shared/public-address.ts';
import { createWorld, type RunOptions } from '../../support/run.ts';
import { shortLimit } from '../../support/time-limits.ts';

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../lib/fixtures/tls/${name}`, import.meta.url)));

/** The port of a local server, which is closed when the test ends. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  // The address of a TCP server is always an AddressInfo.
  return (server.address() as AddressInfo).port;
}

/** A site, and the requests it received. */
async function startSite(respond: RequestListener) {
  const requests: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host?.split(':')[0]}${request.url}`);
    headers.push(request.headers);
    respond(request, response);
  });
  return { port: await listening(server), requests, headers };
}

const statusOnly =
  (status: (method: string, url: string) => number, location?: string): RequestListener =>
  (request, response) => {
    const code = status(request.method ?? '', request.url ?? '');
    response.writeHead(code, location === undefined ? {} : { location }).end();
  };

interface Internet {
  /** The addresses of a name, at each look-up. */
  readonly lookUp?: (host: string) => readonly string[];
  readonly isPublic?: (address: string) => boolean;
  readonly patience?: number;
  readonly env?: Record<string, string>;
}

/** Checks HTML with these links. All names lead to this machine, which counts as public. */
async function checkLinks(links: readonly string[], internet: Internet = {}) {
  const { run, home } = createWorld();
  const anchors = links.map((link) => `<p><a href="${link}">x</a></p>`).join('\n');
  writeFileSync(join(home, 'a.html'), `<meta name="color-scheme" content="light">${anchors}`);
  const { lookUp = () => ['127.0.0.1'], env = {}, patience = 10_000 } = internet;
  const { isPublic = (address) => address === '127.0.0.1' } = internet;
  const pages: RunOptions['pages'] = { lookUp: async (host) => lookUp(host), isPublic, patience };
  const options = { pages, env: { MAILER_API_KEY: 'us_secret_key_1', ...env } };
  const line = 'email check a.html --links --jsonl --ignore link-http';
  const { stdout, stderr, exitCode } = await run(line, options);
  const findings = stdout
    .split('\n')
    .filter((one) => one !== '')
    .map((one): Record<string, unknown> => JSON.parse(one));
  return { findings, stderr, exitCode, codes: findings.map(({ code }) => code) };
}

test('a page that is there: asked once, without content, credentials and key', async () => {
  const { port, requests, headers } = await startSite(statusOnly(() => 200));
  const link = `http://user:pass@shop.example:${port}/a?b=1&amp;c=2`;
  const { findings, exitCode } = await checkLinks([`${link}#top`, link]);
  expect(findings).toEqual([]);
  expect(exitCode).toBe(0);
  expect(requests).toEqual(['HEAD shop.example/a?b=1&c=2']);
  expect(Object.keys(headers[0] ?? {}).sort()).toEqual([
    'accept',
    'connection',
    'host',
    'user-agent',
  ]);
  expect(JSON.stringify(headers)).not.toContain('secret');
});

test('without --links, nobody is asked', async () => {
  const { run } = createWorld();
  const lookUp = () => expect.unreachable('a name was looked up');
  const pages = { lookUp, isPublic: () => true, patience: 1 };
  const html = '<a href="https://shop.example/">x</a>';
  const { exitCode } = await run(['email', 'check', '--html', html, '--subject', 'x'], { pages });
  expect(exitCode).toBe(0);
});

test.each([
  [404, 'link-broken', 'error', 9],
  [410, 'link-broken', 'error', 9],
  [403, 'link-unavailable', 'warning', 0],
  [429, 'link-unavailable', 'warning', 0],
  [500, 'link-unavailable', 'warning', 0],
  [503, 'link-unavailable', 'warning', 0],
])('%i is %s', async (status, code, severity, exitCode) => {
  const { port } = await startSite(statusOnly(() => status));
  const checked = await checkLinks([`http://shop.example:${port}/x`]);
  expect(checked.exitCode).toBe(exitCode);
  expect(checked.findings).toMatchObject([{ code, severity, line: 1, count: 1 }]);
  expect(checked.findings[0]?.message).toContain(String(status));
});

test.each([405, 501, 403, 404])(
  'a server that responds to HEAD with %i gets a GET',
  async (status) => {
    const { port, requests } = await startSite(
      statusOnly((method) => (method === 'HEAD' ? status : 200)),
    );
    expect((await checkLinks([`http://shop.example:${port}/x`])).findings).toEqual([]);
    expect(requests).toEqual(['HEAD shop.example/x', 'GET shop.example/x']);
  },
);

test('429 is not asked a second time', async () => {
  const { port, requests } = await startSite(statusOnly(() => 429));
  await checkLinks([`http://shop.example:${port}/x`]);
  expect(requests).toHaveLength(1);
});

test('a name that does not exist is an error', async () => {
  const { findings, exitCode } = await checkLinks(['https://shop.example/'], {
    lookUp: () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND shop.example'), { code: 'ENOTFOUND' });
    },
  });
  expect(findings).toMatchObject([{ code: 'link-broken' }]);
  expect(exitCode).toBe(9);
});

test('a server that does not answer', async () => {
  const port = await listening(createTcpServer(() => {}));
  const link = `http://silent.example:${port}/`;
  const { findings, ...outcome } = await checkLinks([link], { patience: 1000 * shortLimit });
  expect(outcome).toMatchObject({ codes: ['link-unavailable'], exitCode: 0 });
  expect(findings[0]?.message).toContain('did not respond in time.');
});

test('a server that breaks off, speaks no HTTP, or does not listen', async () => {
  const rude = createTcpServer((socket) => socket.destroy());
  const other = createTcpServer((socket) => socket.end('220 ready\r\n'));
  const ports = await Promise.all([rude, other].map(listening));
  const closed = createTcpServer();
  ports.push(await listening(closed));
  await new Promise((resolve) => closed.close(resolve));
  const links = ports.map((port, index) => `http://s${index}.example:${port}/`);
  const { findings, ...outcome } = await checkLinks(links);
  const codes = Array(3).fill('link-unavailable');
  expect(outcome).toMatchObject({ codes, exitCode: 0 });
  const messages = findings.map(({ message }) => String(message).replace(/^"[^"]+" /, ''));
  expect(messages).toEqual([
    'closed the connection.',
    'did not send a valid HTTP response.',
    'refused the connection.',
  ]);
});

test('the next address is tried where one cannot be reached', async () => {
  const { port, requests } = await startSite(statusOnly(() => 200));
  const { findings } = await checkLinks([`http://shop.example:${port}/`], {
    lookUp: () => ['127.0.0.2', '127.0.0.1'],
    isPublic: () => true,
  });
  expect(findings).toEqual([]);
  expect(requests).toHaveLength(1);
});

test('https: the certificate is that of the name, and trusted', async () => {
  const server = createSecureServer(
    { cert: fixture('cert.pem'), key: fixture('key.pem') },
    (_, response) => response.end(),
  );
  server.on('tlsClientError', () => {});
  const port = await listening(server);
  const { findings } = await checkLinks([`https://shop.example:${port}/`]);
  expect(findings).toMatchObject([{ code: 'link-unavailable', severity: 'warning' }]);
  expect(findings[0]?.message).toContain('its certificate is self-signed');
});

describe('redirects', () => {
  test('are followed, and told with their end', async () => {
    const { port, requests } = await startSite((request, response) => {
      const next = { '/1': '/2', '/2': '../3?x=1' }[request.url ?? ''];
      response.writeHead(next === undefined ? 200 : 302, next ? { location: next } : {}).end();
    });
    const { findings } = await checkLinks([`http://a.example:${port}/1`]);
    const message = `"http://a.example:${port}/1" leads to "http://a.example:${port}/3?x=1".`;
    expect(findings).toMatchObject([{ code: 'link-redirect', severity: 'info', message }]);
    expect(requests).toHaveLength(3);
  });

  test('to a page that does not exist', async () => {
    const { port } = await startSite((request, response) => {
      const isFirst = request.url === '/1';
      response.writeHead(isFirst ? 301 : 404, isFirst ? { location: '/gone' } : {}).end();
    });
    const { findings } = await checkLinks([`http://a.example:${port}/1`]);
    expect(findings).toMatchObject([{ code: 'link-broken' }]);
    expect(findings[0]?.message).toContain('/gone');
  });

  test('without end: five are followed', async () => {
    const { port, requests } = await startSite((request, response) => {
      const next = Number(request.url?.slice(1)) + 1;
      response.writeHead(307, { location: `/${next}` }).end();
    });
    const { codes } = await checkLinks([`http://a.example:${port}/1`]);
    expect(codes).toEqual(['link-unavailable']);
    expect(requests).toHaveLength(6);
  });

  test('to what is no web page, or no URL', async () => {
    const { port } = await startSite((request, response) => {
      const location = request.url === '/app' ? 'market://details?id=1' : 'http://[';
      response.writeHead(302, { location }).end();
    });
    const site = `http://a.example:${port}`;
    const { codes } = await checkLinks([`${site}/app`, `${site}/none`]);
    expect(codes).toEqual(['link-redirect', 'link-unavailable']);
  });

  test.each([
    'http://127.0.0.1:PORT/secret',
    'http://localhost:PORT/secret',
    'http://0x7f.1:PORT/secret',
    'http://2130706433:PORT/secret',
    'http://[::ffff:127.0.0.1]:PORT/secret',
    'http://169.254.169.254/latest/meta-data/',
    'http://inside.example:PORT/secret',
  ])('to %s are not followed', async (target) => {
    const inside = await startSite(statusOnly(() => 200));
    const location = target.replace('PORT', String(inside.port));
    // Only another address of this machine counts as public.
    const outside = await startOn('127.0.0.9', location);
    const { findings, exitCode } = await checkLinks([`http://shop.example:${outside.port}/`], {
      lookUp: (host) => (host === 'shop.example' ? ['127.0.0.9'] : addressesOf(host)),
      isPublic: (address) => address === '127.0.0.9' || isPublicAddress(address),
    });
    expect(findings).toMatchObject([{ code: 'link-private', severity: 'warning' }]);
    expect(findings[0]?.message).toContain('no request was sent');
    expect(exitCode).toBe(0);
    expect(outside.requests).toEqual(['HEAD /']);
    expect(inside.requests).toEqual([]);
  });
});

/** Resolves an address to itself, as a resolver does. */
function addressesOf(host: string): readonly string[] {
  return /^[\d.]+$|:/.test(host) ? [host] : ['127.0.0.1'];
}

async function startOn(address: string, location: string) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(302, { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    server.close();
  });
  // The address of a TCP server is always an AddressInfo.
  return { port: (server.address() as AddressInfo).port, requests };
}

describe('addresses that are not public', () => {
  test.each([
    [['10.0.0.1']],
    [['127.0.0.1', '10.0.0.1']],
    [['127.0.0.1', '::ffff:10.0.0.1']],
    [['fd00::1', '127.0.0.1']],
  ])('%j: nobody is asked, not even at another one', async (addresses) => {
    const { port, requests } = await startSite(statusOnly(() => 200));
    const { findings } = await checkLinks([`http://shop.example:${port}/`], {
      lookUp: () => addresses,
    });
    expect(findings).toMatchObject([{ code: 'link-private', severity: 'warning' }]);
    expect(requests).toEqual([]);
  });

  test('a name that leads elsewhere the second time: the connection goes where the first led', async () => {
    const { port, requests } = await startSite(statusOnly(() => 200));
    const addresses = [['127.0.0.1'], ['10.0.0.1']];
    let lookUps = 0;
    const { findings } = await checkLinks([`http://shop.example:${port}/`], {
      lookUp: () => addresses[lookUps++] ?? [],
    });
    expect(findings).toEqual([]);
    expect(lookUps).toBe(1);
    expect(requests).toEqual(['HEAD shop.example/']);
  });

  test('the same after HEAD: the address is looked at again before GET', async () => {
    const { port, requests } = await startSite(statusOnly(() => 405));
    const addresses = [['127.0.0.1'], ['10.0.0.1']];
    let lookUps = 0;
    const { codes } = await checkLinks([`http://shop.example:${port}/`], {
      lookUp: () => addresses[lookUps++] ?? [],
    });
    expect(codes).toEqual(['link-private']);
    expect(requests).toEqual(['HEAD shop.example/']);
  });

  test('written in the link: an error, as without --links, and nobody is asked', async () => {
    const links = ['http://127.1/', 'http://[::1]/', 'http://0x7f.1/', 'http://100.64.0.1/'];
    const { codes } = await checkLinks(links, {
      lookUp: () => expect.unreachable('it was looked up'),
    });
    expect(codes).toEqual(links.map(() => 'link-private'));
  });
});

test('behind a proxy: a usage error, and nobody is asked', async () => {
  const { port, requests } = await startSite(statusOnly(() => 200));
  const link = `http://shop.example:${port}/`;
  const env = { HTTP_PROXY: `http://127.0.0.1:${port}` };
  const { exitCode, stderr } = await checkLinks([link], { env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--links does not work through a proxy (HTTP_PROXY)');
  expect(requests).toEqual([]);
  const exempt = await checkLinks([link], { env: { ...env, NO_PROXY: '*' } });
  expect(exempt.findings).toEqual([]);
  expect(requests).toHaveLength(1);
});

test('a redirect to where a proxy is needed: nobody is asked there', async () => {
  const { port, requests } = await startSite((request, response) => {
    const location = `http://other.example:${request.socket.localPort}/`;
    response.writeHead(302, { location }).end();
  });
  const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: 'shop.example' };
  const { findings } = await checkLinks([`http://shop.example:${port}/`], { env });
  expect(findings).toMatchObject([{ code: 'link-unavailable' }]);
  expect(findings[0]?.message).toContain('is behind a proxy: no request was sent');
  expect(requests).toEqual(['HEAD shop.example/']);
});

test('four at a time, 200 in all', async () => {
  const held: ServerResponse[] = [];
  const lookUpsAtRelease: number[] = [];
  let lookUps = 0;
  const { port, requests } = await startSite((_, response) => {
    held.push(response);
    if (held.length < 4) return;
    lookUpsAtRelease.push(lookUps);
    for (const one of held.splice(0)) one.end();
  });
  const links = Array.from({ length: 203 }, (_, index) => `http://a.example:${port}/${index}`);
  const lookUp = () => {
    lookUps++;
    return ['127.0.0.1'];
  };
  const { findings, stderr } = await checkLinks(links, { lookUp });
  expect(findings).toEqual([]);
  expect(requests).toHaveLength(200);
  expect(lookUpsAtRelease).toEqual(Array.from({ length: 50 }, (_, index) => 4 * (index + 1)));
  expect(stderr).toContain('The email has 203 links; only the first 200 were requested.');
});

test('of a text without HTML, links are those in it, without the end of the sentence', async () => {
  const { port, requests } = await startSite(statusOnly(() => 404));
  const { run } = createWorld();
  const text = `See http://a.example:${port}/x, (http://a.example:${port}/y) or\nhttp://a.example:${port}/{{ z }}.`;
  const { stdout } = await run(['email', 'check', '--text', text, '--subject', 'x', '--links'], {
    pages: { lookUp: async () => ['127.0.0.1'], isPublic: () => true, patience: 10_000 },
  });
  expect(requests.map((one) => one.split(' ')[1]).sort()).toEqual([
    'a.example/x',
    'a.example/x',
    'a.example/y',
    'a.example/y',
  ]);
  expect(stdout).toMatch(/^error\ttext\t1\t5\t1\tlink-broken/m);
});

test('Ctrl-C ends it', async () => {
  const silent = createTcpServer(() => ctrlC.abort(new InterruptedError('Interrupted.')));
  const ctrlC = new AbortController();
  const port = await listening(silent);
  const { run } = createWorld();
  const html = `<a href="http://a.example:${port}/">x</a>`;
  const { exitCode } = await run(['email', 'check', '--html', html, '--links'], {
    signal: ctrlC.signal,
    pages: { lookUp: async () => ['127.0.0.1'], isPublic: () => true, patience: 10_000 },
  });
  expect(exitCode).toBe(130);
});
