import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { errorOf, key } from '../../support/connected.ts';
import { type Need, needing } from '../../support/needs.ts';
import { createPlace, temporaryDirectory } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { shortLimit } from '../../support/time-limits.ts';

// Made for these tests, self-signed, valid until 2126.
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../lib/fixtures/tls/${name}`, import.meta.url));
/** For 127.0.0.1 and localhost. */
const certificate = fixture('cert.pem');
/** For mail.test only. */
const otherName = fixture('other-name.pem');

/** An https service with this certificate. `requests` are those that reached HTTP. */
async function startSecure(cert = certificate): Promise<{ baseUrl: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(
    { cert: readFileSync(cert), key: readFileSync(fixture('key.pem')) },
    (request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.setHeader('content-type', 'application/json');
      response.end('{"data":[],"count":0,"emailId":"em_1"}');
    },
  );
  server.on('tlsClientError', () => {});
  return { baseUrl: await listening(server, 'https'), requests };
}

async function listening(server: ReturnType<typeof createPlainServer>, scheme: string) {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  // The address of a TCP server is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return `${scheme}://127.0.0.1:${port}/api`;
}

const loopback6: Need = {
  isMet: Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  ),
  why: 'this machine has no IPv6',
};

const credentials = (baseUrl: string) => ({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl });
const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--json'],
];

test('an untrusted certificate is 7, at once, and nothing was sent', async () => {
  const { baseUrl, requests } = await startSecure();
  const world = createWorld(credentials(baseUrl));
  const outcome = await world.run(send);
  expect(outcome.exitCode).toBe(7);
  const error = errorOf(outcome);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(error.message).toMatch(/ its certificate is self-signed\.$/);
  expect(error.hint).toContain('export NODE_EXTRA_CA_CERTS=/path/to/certificate.pem');
  expect(error).not.toHaveProperty('idempotencyKey');
  expect(world.clock.pauses).toEqual([]);
  expect(requests).toEqual([]);
});

test('on Windows, the hint is for PowerShell', async () => {
  const { baseUrl } = await startSecure();
  const world = createWorld({ ...credentials(baseUrl), LOCALAPPDATA: temporaryDirectory() });
  const { hint } = errorOf(await world.run(send, { platform: 'win32' }));
  expect(hint).toContain("$env:NODE_EXTRA_CA_CERTS = 'C:\\path\\to\\certificate.pem'");
  expect(hint).not.toContain('export');
});

test('https to a port that speaks plain http is 7, and nothing was sent', async () => {
  const plain = createPlainServer((_, response) => void response.end('{}'));
  const baseUrl = await listening(plain, 'https');
  const outcome = await createWorld(credentials(baseUrl)).run(send);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
  expect(errorOf(outcome).message).toMatch(/ it does not speak TLS on this port\.$/);
});

test('a failed handshake is reported in plain words, with the code', async () => {
  const server = createServer({
    ...{ cert: readFileSync(certificate), key: readFileSync(fixture('key.pem')) },
    ...{ ciphers: 'AES128-SHA', maxVersion: 'TLSv1.2', minVersion: 'TLSv1.2' },
  });
  server.on('tlsClientError', () => {});
  const baseUrl = await listening(server, 'https');
  const outcome = await createWorld(credentials(baseUrl)).run([...send, '--retries', '0']);
  expect(outcome.exitCode).toBe(7);
  expect(errorOf(outcome).message).toMatch(
    /^No secure connection to 127\.0\.0\.1:\d+: it (?:has no TLS version or cipher in common with Node|offers no TLS version that Node accepts) \(ERR_SSL_\S+\)\.$/,
  );
});

describe('while a connection is being made', () => {
  /** A server that accepts connections and sends nothing. */
  async function startSilent(connected: () => void = () => {}): Promise<string> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      onTestFinished(() => void socket.destroy());
      connected();
    });
    return `https://127.0.0.1:${await listeningPort(server)}/api`;
  }

  test('the time limit reports that nothing was sent', async () => {
    const baseUrl = await startSilent();
    const outcome = await createWorld(credentials(baseUrl)).run([
      ...send,
      ...['--timeout', String(shortLimit), '--retries', '0'],
    ]);
    expect(outcome.exitCode).toBe(7);
    const error = errorOf(outcome);
    expect(error.message).toBe(
      `No connection to ${new URL(baseUrl).host} within ${shortLimit} s. Nothing was sent.`,
    );
    expect(error).not.toHaveProperty('idempotencyKey');
  });

  test.each([
    [send, 'Nothing was sent.'],
    [['email', 'list', '--json'], undefined],
  ])('Ctrl-C reports that nothing was sent, if that matters: %j', async (words, hint) => {
    const ctrlC = new AbortController();
    const baseUrl = await startSilent(() => ctrlC.abort(new InterruptedError('Interrupted.')));
    const outcome = await createWorld(credentials(baseUrl)).run(words, { signal: ctrlC.signal });
    expect(outcome.exitCode).toBe(130);
    if (hint === undefined) expect(outcome.stderr).toBe('');
    else expect(errorOf(outcome)).toEqual({ code: 'interrupted', message: 'Interrupted.', hint });
  });
});

test(
  'a closed port of an IPv6 address is reported with the address as written',
  needing(loopback6),
  async () => {
    const outcome = await createWorld(credentials('http://[::1]:1/api')).run([
      ...send,
      '--retries',
      '0',
    ]);
    expect(errorOf(outcome).message).toBe('[::1]:1 refused the connection.');
  },
);

test('plain http to a port that speaks https is 7', async () => {
  const { baseUrl, requests } = await startSecure();
  const world = createWorld(credentials(baseUrl.replace('https:', 'http:')));
  expect((await world.run([...send, '--retries', '0'])).exitCode).toBe(7);
  expect(requests).toEqual([]);
});

describe('the program, as a process', () => {
  test.each(['0', 'false'])('NODE_TLS_REJECT_UNAUTHORIZED=%s changes nothing', async (value) => {
    const { baseUrl, requests } = await startSecure();
    const place = createPlace(credentials(baseUrl));
    const outcome = await place.run('email list --retries 0', {
      env: { NODE_TLS_REJECT_UNAUTHORIZED: value },
    });
    expect(outcome.exitCode).toBe(7);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toMatch(/^Error: .*certificate/im);
    expect(requests).toEqual([]);
  });

  test.each(['email list --retries 0', 'doctor', 'whoami'])(
    'Node does not warn that it changed something: %s',
    async (words) => {
      const { baseUrl } = await startSecure();
      const env = { ...credentials(baseUrl), NODE_TLS_REJECT_UNAUTHORIZED: '0' };
      const { exitCode, stderr } = await createPlace().run(`${words} --json`, { env });
      expect(exitCode).toBe(7);
      // All of stderr is one JSON document.
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unavailable' } });
    },
  );

  test('NODE_EXTRA_CA_CERTS makes it trusted', async () => {
    const { baseUrl, requests } = await startSecure();
    const place = createPlace(credentials(baseUrl));
    const outcome = await place.run('email list --json', {
      env: { NODE_EXTRA_CA_CERTS: certificate },
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests).toEqual([`GET /api/v1/emails?page=1 Bearer ${key}`]);
  });

  test('a certificate for another name is rejected, even when its issuer is trusted', async () => {
    const { baseUrl, requests } = await startSecure(otherName);
    const outcome = await createPlace(credentials(baseUrl)).run('email list', {
      env: { NODE_EXTRA_CA_CERTS: otherName },
    });
    expect(outcome.exitCode).toBe(7);
    expect(outcome.stderr).toMatch(
      /^Error: .*127\.0\.0\.1.* its certificate is for another name\.$/m,
    );
    expect(requests).toEqual([]);
  });
});

/** A service behind a proxy that breaks the connection with plain text once an email has arrived. */
async function startInterrupted(): Promise<{ port: number; emails: string[] }> {
  const emails: string[] = [];
  const between: Socket[] = [];
  const service = createTlsServer(
    // With TLS 1.2, plain text causes the same error code as at the start of a connection.
    {
      cert: readFileSync(certificate),
      key: readFileSync(fixture('key.pem')),
      maxVersion: 'TLSv1.2',
    },
    (socket) => {
      let text = '';
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (!text.includes('"subject"')) return;
        emails.push(/^idempotency-key: (\S+)/im.exec(text)?.[1] ?? '');
        text = '';
        for (const one of between)
          one.write('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
      });
    },
  );
  service.on('tlsClientError', () => {});
  const servicePort = await listeningPort(service);
  const before = createTcpServer((socket) => {
    const onward = connect(servicePort, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
    between.push(socket);
    onTestFinished(() => void socket.destroy());
  });
  return { port: await listeningPort(before), emails };
}

async function listeningPort(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // The address of a TCP server is always an AddressInfo.
  return (server.address() as AddressInfo).port;
}

test('plain text instead of a response over TLS leaves the outcome unknown', async () => {
  const { port, emails } = await startInterrupted();
  const place = createPlace(credentials(`https://127.0.0.1:${port}/api`));
  const outcome = await place.run([...send, '--retries', '0'], {
    env: { NODE_EXTRA_CA_CERTS: certificate },
  });
  expect(outcome.exitCode).toBe(7);
  expect(emails).toHaveLength(1);
  // A connection existed, so the message must not suspect a wrong port.
  expect(errorOf(outcome).message).toMatch(
    // The engine of the executable does not tell how it was lost.
    /^The (?:secure )?connection to 127\.0\.0\.1:\d+ was lost(?: \(ERR_SSL_\w+\))?\.$/,
  );
  // The idempotency key, to repeat the request without sending a second email.
  expect(outcome.stderr).toContain(emails[0]);
});

describe('plain http to a port for TLS', () => {
  const page = '<center>The plain HTTP request was sent to HTTPS port</center>';
  const rejected = (body: string, type: string) =>
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

  test.each([
    ['an alert', Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46])],
    ["nginx's page", rejected(page, 'text/html')],
    [
      "Go's sentence",
      'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    ],
    [
      "Apache's page",
      rejected("You're speaking plain HTTP to an SSL-enabled server port.", 'text/html'),
    ],
  ])('%s: the error says so, at once, and nothing was sent', async (_, response) => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.once('data', () => socket.end(response));
    });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const world = createWorld(credentials(`http://127.0.0.1:${port}/api`));
    const outcome = await world.run(send);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome)).toMatchObject({
      message: `127.0.0.1:${port} expects https on this port.`,
      hint: expect.stringContaining('Write https:// in the base URL.'),
    });
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
    expect(connections).toBe(1);
  });
});

describe('SSL_CERT_FILE, in the program itself', () => {
  test('names the authorities that are trusted', async () => {
    const { baseUrl, requests } = await startSecure();
    const place = createPlace({ ...credentials(baseUrl), SSL_CERT_FILE: certificate });
    expect(await place.run('email list --json')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests).toHaveLength(1);
  });

  test('they take the place of others; those of NODE_EXTRA_CA_CERTS count, too', async () => {
    const { baseUrl, requests } = await startSecure();
    const env = { ...credentials(baseUrl), SSL_CERT_FILE: otherName };
    expect((await createPlace(env).run('email list --json --retries 0')).exitCode).toBe(7);
    const both = createPlace({ ...env, NODE_EXTRA_CA_CERTS: certificate });
    expect((await both.run('email list --json')).exitCode).toBe(0);
    expect(requests).toHaveLength(1);
  });

  test.each(['/nowhere.pem', fixture('key.pem'), fileURLToPath(import.meta.url)])(
    '%s has none: the error names the variable, and nothing is sent',
    async (path) => {
      const { baseUrl, requests } = await startSecure();
      const place = createPlace({ ...credentials(baseUrl), SSL_CERT_FILE: path });
      const { exitCode, stderr } = await place.run('email list --retries 0');
      expect(exitCode).toBe(7);
      expect(stderr).toContain(`Error: SSL_CERT_FILE names ${path}, which has no certificates.\n`);
      expect(stderr).toContain(
        'Hint: Correct SSL_CERT_FILE, or unset it to trust the usual authorities.',
      );
      expect(requests).toEqual([]);
    },
  );

  test('is not read for plain http', async () => {
    const { baseUrl } = await startRecorder({ body: { data: [], count: 0 } });
    const place = createPlace({ ...credentials(baseUrl), SSL_CERT_FILE: '/nowhere.pem' });
    expect(await place.run('email list --json')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
