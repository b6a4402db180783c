import { isIP } from 'node:net';
import {
  maxReplyBytes,
  type Transport,
  TransportError,
  type TransportOptions,
  tooLarge,
  type WireReply,
  type WireRequest,
} from '../../system/wire.ts';
import type { ShellSystem } from '../../text/shell-quote.ts';
import { openDirect } from './direct.ts';
import { hostAndPort, type NamedProxy, readProxies } from './proxies.ts';
import { type UnreadReply, type Way, WayError } from './way.ts';

/** Failures that the next try would only repeat. */
const permanent = /^(ENOTFOUND$|CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * The way to the service over the network, through the proxies that `env` names. TLS is always
 * verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. Throws an `UnavailableError` when a
 * variable is not the URL of a proxy.
 */
export function openNetwork({ env, platform, node }: TransportOptions): Transport {
  const routeTo = readProxies(env);
  const ways = new Map<string, Promise<Way>>();
  const open = async (target: URL, proxy: URL | undefined): Promise<Way> => {
    // Bun's own client reports failures in other words.
    if (proxy === undefined && node.bun === undefined) return await openDirect(target);
    return (await import('./by-undici.ts')).openByUndici(target, proxy);
  };
  return {
    send: async (request, signal) => {
      const route = routeTo(request.url);
      const proxy = route.kind === 'proxy' ? route.proxy : undefined;
      const name = `${proxy?.url.href} ${request.url.origin}`;
      const way = ways.get(name) ?? open(request.url, proxy?.url);
      ways.set(name, way);
      return await send(request, signal, { way: await way, proxy, shell: { env, platform } });
    },
    // Nothing is under way any more, or nobody waits for it.
    close: async () => {
      const opened = await Promise.allSettled(ways.values());
      await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.close()));
    },
  };
}

/** How a request gets to its service, and for whose shell advice is to be. */
interface Sender {
  readonly way: Way;
  readonly proxy: NamedProxy | undefined;
  readonly shell: ShellSystem;
}

async function send(
  request: WireRequest,
  signal: AbortSignal,
  { way, ...sender }: Sender,
): Promise<WireReply> {
  try {
    const reply = await way.send(request, signal);
    const headers = flatten(reply.headers);
    return {
      status: reply.status,
      headers,
      body: await readText(reply.body, headers['content-encoding'], signal),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TransportError) throw error;
    throw await toTransportError(error, request.url, sender);
  }
}

/** The body as text, without the encoding that a proxy may have put on it. */
async function readText(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (contentEncoding === undefined) return await textOf(limited(body));
  const { decodeContent } = await import('./content-encoding.ts');
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(body)) chunks.push(chunk);
  return await textOf([await decodeContent(Buffer.concat(chunks), contentEncoding, signal)]);
}

/** Text of bytes as they come, so that a large response is not kept twice. */
async function textOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxReplyBytes) throw tooLarge();
    yield chunk;
  }
}

function flatten(headers: UnreadReply['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

async function toTransportError(
  error: unknown,
  url: URL,
  { proxy, shell }: Omit<Sender, 'way'>,
): Promise<TransportError> {
  const cause = rootCause(error);
  const code = codeOf(cause) ?? '';
  const refused = proxyRefusal(cause);
  if (refused !== undefined) {
    return new TransportError(
      `The proxy rejected the connection to ${url.host}: it responded with ${refused}.`,
      { unsent: true, permanent: refused < 500, proxyStatus: refused, cause: error },
    );
  }
  const text = cause instanceof Error ? cause.message : String(cause);
  const unsent = error instanceof WayError && !error.begun;
  const tls = await whyUnsafe(code, text, shell);
  const message =
    tls === undefined
      ? ((unsent ? proxyFailure(code, proxy) : undefined) ?? describe(text, code, url))
      : `No secure connection to ${url.host}: ${tls.reason}.`;
  return new TransportError(message, {
    hint: tls?.hint,
    unsent,
    permanent: permanent.test(code),
    cause: error instanceof WayError ? error.cause : error,
  });
}

/** Why there is no safe connection, as the end of a sentence; undefined for failures of other kinds. */
async function whyUnsafe(
  code: string,
  text: string,
  shell: ShellSystem,
): Promise<{ reason: string; hint: string } | undefined> {
  if (!/CERT|TLS|SSL|SIGNED|VERIFY|EPROTO/.test(code)) return undefined;
  // What knows these codes is not loaded for failures of other kinds.
  const { tlsFailure } = await import('./tls-failure.ts');
  const more = 'For details, run mailer doctor.';
  const known = tlsFailure(code, shell);
  if (known === undefined) return { reason: text.trim().replace(/\.$/, ''), hint: more };
  const { subject, predicate, remedy } = known;
  const isCertificate = subject === 'certificate';
  const hints = [remedy === undefined ? '' : `${remedy}.`, isCertificate ? more : ''];
  return {
    reason: `${isCertificate ? 'its certificate' : 'it'} ${predicate}`,
    hint: hints.filter(Boolean).join(' '),
  };
}

/** The status with which a proxy itself rejected a request; undici has it in the message only. */
function proxyRefusal(error: unknown): number | undefined {
  const text = error instanceof Error ? error.message : '';
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(text) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** What a failure of connecting says of the proxy, the one host that is connected to then. */
function proxyFailure(code: string, proxy: NamedProxy | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  const { variable, url } = proxy;
  const which = `The proxy ${url.hostname}:${hostAndPort(url).port} from ${variable}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `${which} refused the connection.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${which} was not found.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${which} could not be reached.`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${which} did not accept a connection in time.`;
    case 'UND_ERR_PRX_CONN':
    case 'UND_ERR_PRX_TLS':
      return `${which} could not be used.`;
    default:
      return undefined;
  }
}

function describe(text: string, code: string, url: URL): string {
  const { host } = url;
  switch (code) {
    case 'ECONNREFUSED':
      return text.includes(host)
        ? `${host} refused the connection.`
        : `No connection to ${host}: ${text}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return isIP(url.hostname) === 0
        ? `The name ${url.hostname} was not found.`
        : `${host} could not be reached.`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `${host} did not accept a connection in time.`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return `The connection to ${host} was lost.`;
    default:
      return `The request to ${host} failed: ${text}`;
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
