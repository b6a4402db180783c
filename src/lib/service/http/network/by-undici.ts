import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { withoutWarning } from '../../../../shared/without-warning.ts';
import { unlessAborted } from '../../../base/system/abort.ts';
import { isLoopback } from './base-url.ts';
import { lookUpLoopback } from './loopback.ts';
import { type OriginClient, SendError } from './origin-client.ts';
import { speaksFirst } from './tls-codes.ts';

/** A client for an origin behind a proxy, or for an engine whose own client is not used. */
export function openByUndici({ hostname }: URL, proxy: URL | undefined): OriginClient {
  const closed = new AbortController();
  // Otherwise a connection in progress keeps the process alive until undici gives up.
  const tls = { rejectUnauthorized: true, signal: closed.signal };
  const connect = isLoopback(hostname) ? { ...tls, lookup: lookUpLoopback } : tls;
  // The caller's signal is the only timer; a second one would cause another kind of timeout.
  const common = { connect, headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher =
    proxy === undefined
      ? new Agent(common)
      : new ProxyAgent({
          ...common,
          uri: proxy.href,
          requestTls: tls,
          proxyTls: tls,
          clientFactory: (origin, options) => tunnelling(new Pool(origin, options)),
        });
  return {
    send: async ({ method, url, headers, body = null }, signal) => {
      let begun = false;
      const noting = dispatcher.compose(noticing(() => (begun = true)));
      // A ProxyAgent creates its SOCKS client at the first request, which is when it warns.
      const sent = withoutWarning('SOCKS5', () =>
        noting.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          // The operations use five methods, and undici knows all of them.
          method: method as 'GET',
          headers,
          body,
          signal,
        }),
      );
      // undici checks the signal only after it has connected.
      const reply = await unlessAborted(signal, sent).catch((error: unknown) => {
        throw new SendError(error, begun);
      });
      return { status: reply.statusCode, headers: reply.headers, body: reply.body };
    },
    close: async () => {
      closed.abort();
      await dispatcher.destroy();
    },
  };
}

/** Rejects a tunnel through which something came before the handshake. */
function tunnelling(pool: Pool): Pool {
  const connect = pool.connect.bind(pool);
  const checked = async (options: Dispatcher.ConnectOptions) => {
    const tunnel = await connect(options);
    if (tunnel.statusCode !== 200 || tunnel.socket.readableLength === 0) return tunnel;
    tunnel.socket.on('error', () => {}).destroy();
    throw speaksFirst();
  };
  return Object.assign(pool, { connect: checked });
}

/**
 * Calls `begin` just before the first byte of a request is written. A CONNECT to the proxy is not
 * such a request.
 */
function noticing(begin: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    const onRequestStart: typeof start = (...started) => {
      begin();
      start?.(...started);
    };
    return dispatch(options, Object.assign(handler, { onRequestStart }));
  };
}
