import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connected, errorOf, key } from '../../support/connected.ts';
import { createPlace } from '../../support/process.ts';
import { type Recorder, startRecorder } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { shortLimit } from '../../support/time-limits.ts';

const empty = { body: { data: [], count: 0 } };
const list = 'email list --json --allow-http';
const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com', '--json'],
  ...['--subject', 'Hi', '--text', 'Hello', '--allow-http'],
];

interface Proxy {
  readonly url: string;
  /** The requests to it: `GET http://host/path` or `CONNECT host:port`. */
  readonly asked: readonly string[];
  readonly credentials: readonly (string | undefined)[];
}

/**
 * A proxy for the one host `mail.test`, which is the recorder. With `refusal`, it responds with
 * that status.
 */
async function startProxy(target: Recorder, refusal?: number): Promise<Proxy> {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const { port } = new URL(target.url);
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    credentials.push(incoming.headers['proxy-authorization']);
    if (refusal !== undefined) return void outgoing.writeHead(refusal).end('proxy says no');
    const { method, headers } = incoming;
    const { pathname, search } = new URL(incoming.url ?? '');
    const options = { port, host: '127.0.0.1', method, headers, path: pathname + search };
    const onward = forward(options, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    credentials.push(incoming.headers['proxy-authorization']);
    socket.on('error', () => {});
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
  });
  const url = await listening(server);
  return { url, asked, credentials };
}

async function listening(server: Server | TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

/** A world whose service has a name that only a proxy can resolve. */
function worldBehind(env: Readonly<Record<string, string>>, baseUrl = 'http://mail.test/api') {
  return createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl, ...env });
}

describe('HTTP_PROXY', () => {
  test.each(['HTTP_PROXY', 'http_proxy'])('%s carries plain http', async (name) => {
    const service = await startRecorder({ body: { emailId: 'em_1' } });
    const proxy = await startProxy(service);
    const { exitCode, stdout } = await worldBehind({ [name]: proxy.url }).run(send);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"emailId":"em_1"}\n' });
    expect(proxy.asked).toHaveLength(1);
    expect(proxy.asked[0]).toContain('mail.test');
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/emails',
      headers: { authorization: `Bearer ${key}`, host: 'mail.test' },
    });
  });

  test('may have no scheme', async () => {
    const service = await startRecorder(empty);
    const proxy = await startProxy(service);
    const world = worldBehind({ HTTP_PROXY: proxy.url.replace('http://', '') });
    expect((await world.run(list)).exitCode).toBe(0);
    expect(proxy.asked).toHaveLength(1);
  });

  test('its user and password are sent to the proxy only', async () => {
    const service = await startRecorder(empty);
    const proxy = await startProxy(service);
    const url = proxy.url.replace('http://', 'http://user:s3cr3t@');
    const { exitCode, stderr } = await worldBehind({ HTTP_PROXY: url }).run(`${list} --debug`);
    expect(exitCode).toBe(0);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('user:s3cr3t').toString('base64')}`]);
    expect(stderr).not.toContain('s3cr3t');
  });

  test('HTTPS_PROXY carries https in a tunnel, and the key is not shown to it', async () => {
    const service = await startRecorder();
    const proxy = await startProxy(service);
    const world = worldBehind({ HTTPS_PROXY: proxy.url }, 'https://mail.test/api');
    const { exitCode } = await world.run('email list --json --retries 0');
    // The recorder behind the tunnel has no TLS, so the request fails here.
    expect(exitCode).toBe(7);
    expect(proxy.asked).toEqual(['CONNECT mail.test:443']);
    expect(service.requests).toEqual([]);
  });

  test('only the environment of the run counts', async () => {
    const { run, service } = await connected(empty);
    process.env.http_proxy = 'http://127.0.0.1:1';
    onTestFinished(() => void delete process.env.http_proxy);
    expect((await run('email list')).exitCode).toBe(0);
    expect(service.requests).toHaveLength(1);
    const world = worldBehind({}, 'http://mail.invalid/api');
    const { stderr } = await world.run('email list --allow-http --retries 0');
    expect(stderr).toContain('mail.invalid');
    expect(stderr).not.toContain('127.0.0.1');
  });
});

describe('no proxy is used', () => {
  test.each(['127.0.0.1', 'localhost'])('for this machine, as %s', async (host) => {
    const service = await startRecorder(empty);
    const proxy = await startProxy(service);
    const baseUrl = service.baseUrl.replace('127.0.0.1', host);
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    expect((await worldBehind(env, baseUrl).run('email list --json')).exitCode).toBe(0);
    expect(proxy.asked).toEqual([]);
    expect(service.requests).toHaveLength(1);
  });

  test.each(['mail.test', '.test', 'other.example, mail.test', '*', 'mail.test:80'])(
    'with NO_PROXY=%s',
    async (noProxy) => {
      const service = await startRecorder();
      const proxy = await startProxy(service);
      const world = worldBehind({ HTTP_PROXY: proxy.url, NO_PROXY: noProxy });
      const outcome = await world.run(`${list} --retries 0`);
      // Without the proxy, the name does not exist.
      expect(outcome.exitCode).toBe(7);
      expect(errorOf(outcome).message).toContain('mail.test');
      expect(proxy.asked).toEqual([]);
    },
  );

  test.each(['', 'other.test', 'test.example', 'mail.test:81', 'ail.test'])(
    'NO_PROXY=%s does not match it',
    async (noProxy) => {
      const service = await startRecorder(empty);
      const proxy = await startProxy(service);
      const world = worldBehind({ HTTP_PROXY: proxy.url, NO_PROXY: noProxy });
      expect((await world.run(list)).exitCode).toBe(0);
      expect(proxy.asked).toHaveLength(1);
    },
  );
});

describe('a proxy that does not work is 7', () => {
  test('at a closed port, with a known outcome', async () => {
    const service = await startRecorder();
    await service.close();
    const outcome = await worldBehind({ HTTP_PROXY: service.url }).run(send);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
  });

  test.each([407, 403])(
    'if it responds to a tunnel with %i, at once, and names the proxy',
    async (status) => {
      const service = await startRecorder();
      const proxy = await startProxy(service, status);
      const world = worldBehind({ HTTPS_PROXY: proxy.url }, 'https://mail.test/api');
      const outcome = await world.run(send);
      expect(outcome.exitCode).toBe(7);
      const error = errorOf(outcome);
      const { host } = new URL(proxy.url);
      expect(error.message).toBe(
        `The proxy ${host} from HTTPS_PROXY rejected the connection to mail.test: it responded with ${status}.`,
      );
      const password = `Add user name and password to HTTPS_PROXY (http://user:password@${host}).`;
      expect(error.hint?.includes(password)).toBe(status === 407);
      expect(error).not.toHaveProperty('idempotencyKey');
      expect(proxy.asked).toHaveLength(1);
    },
  );

  test('if it does not respond, after the time limit of the request', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => {}));
    const url = await listening(silent);
    const world = worldBehind({ HTTPS_PROXY: url }, 'https://mail.test/api');
    const outcome = await world.run(`${list} --timeout ${shortLimit} --retries 1`);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome).message).toBe(
      `No connection to mail.test through the proxy ${new URL(url).host} from HTTPS_PROXY within ${shortLimit} s. Nothing was sent.`,
    );
    const place = createPlace({ MAILER_API_KEY: key, MAILER_BASE_URL: 'https://mail.test/api' });
    const env = { HTTPS_PROXY: url };
    const finished = await place.run(`${list} --timeout ${shortLimit} --retries 0`, { env });
    expect(finished.exitCode).toBe(7);
  });

  test('if it requires a password for plain http', async () => {
    const service = await startRecorder();
    const proxy = await startProxy(service, 407);
    const outcome = await worldBehind({ HTTP_PROXY: proxy.url }).run(send);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome).message).toMatch(/proxy.*407/i);
    expect(proxy.asked).toHaveLength(1);
  });

  test('a tunnel that it rejects with 502 is retried', async () => {
    const service = await startRecorder();
    const proxy = await startProxy(service, 502);
    const world = worldBehind({ HTTPS_PROXY: proxy.url }, 'https://mail.test/api');
    expect((await world.run(send)).exitCode).toBe(7);
    expect(proxy.asked).toHaveLength(5);
  });

  test.each(['socks5', 'socks'])(
    'if it speaks %s, and stderr is the error alone',
    async (scheme) => {
      const place = createPlace({ MAILER_API_KEY: key, MAILER_BASE_URL: 'https://mail.test/api' });
      const env = { HTTPS_PROXY: `${scheme}://127.0.0.1:1` };
      const outcome = await place.run('domain list --json --retries 0', { env });
      expect(outcome.exitCode).toBe(7);
      expect(errorOf(outcome)).toMatchObject({ code: 'unavailable' });
    },
  );

  test.each([
    'http://',
    'ftp://proxy:21',
    'http://user:s3cr3t@:80',
    'http://[s3cr3t',
    'http://user:s3cr3t%zz@proxy:80',
  ])('if %s is not a proxy URL; its password is not shown', async (value) => {
    const outcome = await worldBehind({ HTTPS_PROXY: value }).run(send);
    expect(outcome.exitCode).toBe(7);
    const { code, message, hint } = errorOf(outcome);
    expect(code).toBe('unavailable');
    expect(message).toContain('HTTPS_PROXY');
    expect(`${message} ${hint}`).not.toContain('s3cr3t');
  });
});

describe('a proxy that cannot be connected to is named, with its variable and without its password', () => {
  test.each([
    ['https_proxy', 'http://me:secret@127.0.0.1:1', '127.0.0.1:1', 'refused the connection'],
    ['HTTPS_PROXY', 'proxy.invalid', 'proxy.invalid:80', 'was not found'],
    ['HTTPS_PROXY', 'proxy.invalid:3128', 'proxy.invalid:3128', 'was not found'],
    ['HTTPS_PROXY', 'socks5://127.0.0.1:1', '127.0.0.1:1', 'refused the connection'],
  ])('%s=%s', async (variable, value, name, what) => {
    const world = worldBehind({ [variable]: value }, 'https://mail.example.com/api');
    const outcome = await world.run([...send, '--retries', '0']);
    expect(outcome.exitCode).toBe(7);
    const { message } = errorOf(outcome);
    expect(message).toBe(`The proxy ${name} from ${variable} ${what}.`);
  });
});
