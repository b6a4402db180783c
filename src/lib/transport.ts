import { isIP } from 'node:net';
import { Agent, EnvHttpProxyAgent, request as undiciRequest } from 'undici';
import { isLoopback } from './base-url.ts';
import { UnavailableError } from './errors.ts';
import {
  maxReplyBytes,
  type Transport,
  TransportError,
  type TransportOptions,
  type WireReply,
  type WireRequest,
} from './wire.ts';

/** Failures before a request has left: nothing was carried out. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
]);

/** Failures that the next try would only repeat. */
const permanent = /^(ENOTFOUND$|CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Those of TLS itself that stand at its beginning: no TLS there, or not one that both speak. */
const handshake =
  /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|TLSV1_ALERT_PROTOCOL_VERSION)$/;

/** The scheme of a proxy may be left out. */
const proxySchemes = /^(https?|socks5?):$/;

/**
 * The way to the service over the network. Proxies come from `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` of `env`; this machine is never reached through one, so that a key that may go over
 * plain http here stays here. TLS is always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says.
 */
export function openNetwork({ env }: TransportOptions): Transport {
  const tls = { rejectUnauthorized: true };
  // The caller's signal is the only clock; two would give two kinds of timeout.
  const common = { connect: tls, headersTimeout: 0, bodyTimeout: 0 };
  const direct = new Agent(common);
  const proxied = new EnvHttpProxyAgent({
    ...common,
    httpProxy: proxyUrl(env, 'HTTP_PROXY'),
    httpsProxy: proxyUrl(env, 'HTTPS_PROXY'),
    noProxy: env.no_proxy || env.NO_PROXY || '',
    requestTls: tls,
    proxyTls: tls,
  });
  return {
    send: (request, signal) =>
      send(request, signal, isLoopback(request.url.hostname) ? direct : proxied),
    // Nothing is under way any more, or nobody waits for it.
    close: async () => {
      await Promise.all([direct.destroy(), proxied.destroy()]);
    },
  };
}

/** The URL of a proxy, empty when there is none. Its value may hold a password: it is not shown. */
function proxyUrl(env: TransportOptions['env'], name: 'HTTP_PROXY' | 'HTTPS_PROXY'): string {
  const value = env[name.toLowerCase()] || env[name] || '';
  if (value === '') return '';
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url !== null && proxySchemes.test(url.protocol)) return url.href;
  throw new UnavailableError(`${name} is not the URL of a proxy.`, {
    hint: 'Write it as http://host:port',
  });
}

async function send(
  request: WireRequest,
  signal: AbortSignal,
  dispatcher: Agent | EnvHttpProxyAgent,
): Promise<WireReply> {
  try {
    const reply = await undiciRequest(request.url, {
      // The operations use five methods, all known to undici.
      method: request.method as 'GET',
      headers: request.headers,
      body: request.body ?? null,
      signal,
      dispatcher,
    });
    return {
      status: reply.statusCode,
      headers: flatten(reply.headers),
      body: await readText(reply.body),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TransportError) throw error;
    throw toTransportError(error, request.url);
  }
}

/** The body as UTF-8 text; bytes past `maxReplyBytes` are not read. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxReplyBytes) {
      throw new TransportError(`The answer is larger than ${maxReplyBytes} bytes.`, {
        unsent: false,
        tooLarge: true,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function toTransportError(error: unknown, url: URL): TransportError {
  const cause = rootCause(error);
  const code = codeOf(cause) ?? '';
  const refused = proxyRefusal(cause);
  if (refused !== undefined) {
    return new TransportError(
      `The proxy does not let through to ${url.host}: it answered ${refused}.`,
      {
        unsent: true,
        permanent: refused < 500,
        cause: error,
      },
    );
  }
  return new TransportError(describe(cause, code, url), {
    unsent: isBeforeSending(cause, code),
    permanent: permanent.test(code),
    cause: error,
  });
}

/** Whether a failure is one of connecting: the same code may come of a connection in use. */
function isBeforeSending(cause: unknown, code: string): boolean {
  if (permanent.test(code)) return !code.startsWith('ERR_SSL_') || handshake.test(code);
  const call = cause instanceof Error && 'syscall' in cause ? cause.syscall : 'connect';
  return beforeSending.has(code) && (call === 'connect' || call === 'getaddrinfo');
}

/** The status with which a proxy itself refused a request; undici has it in the message only. */
function proxyRefusal(error: unknown): number | undefined {
  const text = error instanceof Error ? error.message : '';
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(text) ?? [];
  return status === undefined ? undefined : Number(status);
}

function describe(cause: unknown, code: string, url: URL): string {
  const host = url.host;
  const text = cause instanceof Error ? cause.message : String(cause);
  switch (code) {
    case 'ECONNREFUSED':
      // The message names the address, which may be a proxy's.
      return text.includes(host)
        ? `${host} refused the connection.`
        : `No connection to ${host}: ${text}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return isIP(url.hostname) === 0
        ? `The name ${url.hostname} was not found.`
        : `${host} could not be reached.`;
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${host} did not accept a connection in time.`;
    case 'UND_ERR_PRX_CONN':
    case 'UND_ERR_PRX_TLS':
      return `No connection to ${host}: the proxy could not be used.`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return `The connection to ${host} broke off.`;
    default:
      return /CERT|TLS|SSL|SIGNED|VERIFY|EPROTO/.test(code)
        ? `No safe connection to ${host}: ${text}`
        : `The request to ${host} failed: ${text}`;
  }
}

/** undici wraps what happened; connection attempts to several addresses come as an aggregate. */
function rootCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && codeOf(error) === undefined && error.cause !== undefined) {
    return rootCause(error.cause);
  }
  return error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
