import {
  maxReplyBytes,
  type Transport,
  TransportError,
  type TransportOptions,
  tooLarge,
  type WireReply,
  type WireRequest,
} from '../../../base/system/wire.ts';
import type { ShellSystem } from '../../../base/text/shell-quote.ts';
import { openDirect } from './direct.ts';
import { type OriginClient, SendError, type UnreadReply } from './origin-client.ts';
import { hostAndPort, isAddress, type NamedProxy, readProxies } from './proxies.ts';
import { isTlsCode } from './tls-codes.ts';
import { opensslName, tlsFailure } from './tls-failure.ts';

/** Failures that a retry would only repeat. */
const permanent = /^(ENOTFOUND$|CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * A transport over the network, through the proxies that `env` names. Always verifies TLS, even
 * with `NODE_TLS_REJECT_UNAUTHORIZED`. Throws an `UnavailableError` if a variable is not the URL of
 * a proxy. `tlsReady` is called before the first connection over TLS; if it throws, nothing is sent.
 */
export function openNetwork(
  { env, platform, node }: TransportOptions,
  tlsReady: () => Promise<void> = async () => {},
): Transport {
  const routeTo = readProxies(env);
  const clients = new Map<string, Promise<OriginClient>>();
  const open = async (target: URL, proxy: URL | undefined): Promise<OriginClient> => {
    if (target.protocol === 'https:' || proxy?.protocol === 'https:') await tlsReady();
    // Bun's own client reports failures in other words.
    if (proxy === undefined && node.bun === undefined) return await openDirect(target);
    return (await import('./by-undici.ts')).openByUndici(target, proxy);
  };
  return {
    send: async (request, signal) => {
      const route = routeTo(request.url);
      const proxy = route.kind === 'proxy' ? route.proxy : undefined;
      const name = `${proxy?.url.href} ${request.url.origin}`;
      const client = clients.get(name) ?? open(request.url, proxy?.url);
      clients.set(name, client);
      return await send(request, signal, { client: await client, proxy, shell: { env, platform } });
    },
    // No request is in progress any more, or nobody waits for it.
    close: async () => {
      const opened = await Promise.allSettled(clients.values());
      await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.close()));
    },
  };
}

/** How a request reaches the service, and the shell that advice is for. */
interface Sender {
  readonly client: OriginClient;
  readonly proxy: NamedProxy | undefined;
  readonly shell: ShellSystem;
}

async function send(
  request: WireRequest,
  signal: AbortSignal,
  { client, ...sender }: Sender,
): Promise<WireReply> {
  try {
    const reply = await client.send(request, signal);
    const headers = flatten(reply.headers);
    const body = await readText(reply.body, headers['content-encoding'], signal);
    if (reply.status === 400 && saysItIsTls(body, request.url)) throw expectsTls(request.url);
    return { status: reply.status, headers, body };
  } catch (error) {
    if (signal.aborted) {
      const isUnsent = error instanceof SendError && !error.begun;
      throw isUnsent ? notBegun(request.url, sender.proxy, error) : signal.reason;
    }
    if (error instanceof TransportError) throw error;
    throw await toTransportError(error, request.url, sender);
  }
}

/** The body as text, decoded if a proxy has encoded it. */
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

/** Decodes text as its bytes arrive, so that a large response is in memory only once. */
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

/** The error of a request that was ended here before any of it was sent. */
function notBegun({ host }: URL, proxy: NamedProxy | undefined, cause: unknown): TransportError {
  const through = proxy === undefined ? '' : ` through the proxy ${nameOf(proxy)}`;
  return new TransportError(`No connection to ${host}${through}`, { unsent: true, cause });
}

async function toTransportError(
  error: unknown,
  url: URL,
  { proxy, shell }: Omit<Sender, 'client'>,
): Promise<TransportError> {
  const cause = rootCause(error);
  const code = codeOf(cause) ?? '';
  if (code.startsWith('HPE_') && isTlsAlert(cause)) return expectsTls(url);
  const refused = proxyRefusal(cause);
  if (refused !== undefined) {
    const which = proxy === undefined ? 'The proxy' : `The proxy ${nameOf(proxy)}`;
    return new TransportError(
      `${which} rejected the connection to ${url.host}: it responded with ${refused}.`,
      {
        unsent: true,
        permanent: refused < 500,
        proxyStatus: refused,
        hint: refused === 407 && proxy !== undefined ? aboutPassword(proxy) : undefined,
        cause: error,
      },
    );
  }
  const text = cause instanceof Error ? cause.message : String(cause);
  const unsent = error instanceof SendError && !error.begun;
  const tls = isTlsCode(code) ? await whyUnsafe(code, text, unsent, url, shell) : undefined;
  const message =
    tls?.message ?? (unsent ? proxyFailure(code, proxy) : undefined) ?? describe(cause, code, url);
  return new TransportError(message, {
    hint: tls?.hint,
    unsent,
    permanent: permanent.test(code),
    cause: error instanceof SendError ? error.cause : error,
  });
}

/** What nginx, Apache and Go say on a port for TLS to a request in plain HTTP, in a page or in plain text. */
const plainHttpRejected =
  /plain HTTP request was sent to HTTPS port|plain HTTP to an SSL-enabled server port|HTTP request to an HTTPS server/i;

function saysItIsTls(body: string, { protocol }: URL): boolean {
  return protocol === 'http:' && !/^\s*[{[]/.test(body) && plainHttpRejected.test(body);
}

/** Whether a parser stopped at a TLS record of type alert (RFC 8446, 5.1), with which such a port may answer. */
function isTlsAlert(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Node has the bytes; undici has a string of them.
  if ('rawPacket' in error)
    return error.rawPacket instanceof Uint8Array && error.rawPacket[0] === 0x15;
  return 'data' in error && typeof error.data === 'string' && error.data.startsWith('\x15');
}

function expectsTls({ host }: URL): TransportError {
  return new TransportError(`${host} expects https on this port.`, {
    unsent: true,
    permanent: true,
    hint: 'Write https:// in the base URL.',
  });
}

/** Why there is no secure connection, or why it was lost, and what to do. */
async function whyUnsafe(
  code: string,
  text: string,
  unsent: boolean,
  { host }: URL,
  shell: ShellSystem,
): Promise<{ message: string; hint?: string }> {
  // The connection had been made, so the words about handshakes do not apply.
  if (!unsent) {
    return { message: `The secure connection to ${host} was lost (${opensslName(code, text)}).` };
  }
  const { subject, predicate, remedy } = tlsFailure(code, text, shell);
  const what = subject === 'certificate' ? 'its certificate' : 'it';
  const details = subject === 'certificate' || remedy === undefined;
  const hints = [
    remedy === undefined ? '' : `${remedy}.`,
    details ? 'For details, run mailer doctor.' : '',
  ];
  return {
    message: `No secure connection to ${host}: ${what} ${predicate}.`,
    hint: hints.filter(Boolean).join(' '),
  };
}

/** The status with which the proxy itself rejected a request. undici has it only in the message. */
function proxyRefusal(error: unknown): number | undefined {
  const text = error instanceof Error ? error.message : '';
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(text) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** A proxy's host and port, and the variable that names it. Never its password. */
function nameOf({ variable, url }: NamedProxy): string {
  return `${url.hostname}:${hostAndPort(url).port} from ${variable}`;
}

function aboutPassword({ variable, url }: NamedProxy): string {
  return `Add user name and password to ${variable} (${url.protocol}//user:password@${url.host}).`;
}

const [refused, late] = ['refused the connection', 'did not accept a connection in time'];

/** What a connection failure says about the proxy: it is the only host to connect to. */
const failuresOfProxy: Readonly<Record<string, string>> = {
  ECONNREFUSED: refused,
  ...{ ENOTFOUND: 'was not found', EAI_AGAIN: 'was not found' },
  ...{ EHOSTUNREACH: 'could not be reached', ENETUNREACH: 'could not be reached' },
  ...{ ETIMEDOUT: late, UND_ERR_CONNECT_TIMEOUT: late },
  ...{ UND_ERR_PRX_CONN: 'could not be used', UND_ERR_PRX_TLS: 'could not be used' },
};

function proxyFailure(code: string, proxy: NamedProxy | undefined): string | undefined {
  const failure = failuresOfProxy[code];
  return proxy && failure && `The proxy ${nameOf(proxy)} ${failure}.`;
}

function describe(cause: unknown, code: string, url: URL): string {
  const { host } = url;
  const text = cause instanceof Error ? cause.message : String(cause);
  switch (code) {
    case 'ECONNREFUSED':
      return `${host} refused the connection.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return isAddress(url)
        ? `${host} could not be reached.`
        : `The name ${url.hostname} was not found.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return `${host} could not be reached: this machine has no route to it (${code}).`;
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

/** The cause that undici wraps. Attempts to connect to several addresses are an aggregate. */
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
