import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from './base-url.ts';
import { lookUpLoopback } from './loopback.ts';
import { type OriginClient, SendError } from './origin-client.ts';

/** Milliseconds to connect, and to keep an idle connection, as in undici. */
const connectTimeout = 10_000;
const idleTimeout = 4000;

type Exchange = [response: IncomingMessage, sent: ClientRequest];

/** A client for an origin without a proxy, by Node's own HTTP client. */
export async function openDirect({ protocol, hostname }: URL): Promise<OriginClient> {
  const isSecure = protocol === 'https:';
  const { Agent, request } = isSecure ? await import('node:https') : await import('node:http');
  const agent = new Agent({
    keepAlive: true,
    timeout: idleTimeout,
    rejectUnauthorized: true,
    ...(isLoopback(hostname) ? { lookup: lookUpLoopback } : {}),
  });
  const send: OriginClient['send'] = async (wanted, signal) => {
    const { method, url, headers, body } = wanted;
    let isReused = false;
    try {
      const [response, sent] = await new Promise<Exchange>((resolve, reject) => {
        // Node would send the body of a DELETE without its length.
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const all = { ...headers, ...length };
        const options = { agent, method, headers: all, signal };
        // Nothing is sent before the connection is ready, so an earlier failure is one of
        // connecting.
        let begun = false;
        let answered = false;
        const fail = (error: unknown) => reject(new SendError(error, begun));
        const sent = request(url, options, (response) => {
          answered = begun;
          if (begun) resolve([response, sent]);
          // This is the rest of an earlier response on the connection, not a response to this
          // request.
          else sent.destroy();
        });
        sent.on('error', fail);
        // On a 101, Node drops the request without an error; without this, the wait would never
        // end.
        sent.on('close', () => {
          if (!answered) fail(lost());
        });
        sent.on('socket', (socket) => {
          isReused = sent.reusedSocket;
          whenConnected(socket, isSecure, () => {
            begun = true;
            sent.end(body);
          });
        });
      });
      const { statusCode = 0, headers: received } = response;
      return { status: statusCode, headers: received, body: readWhileWriting(response, sent) };
    } catch (error) {
      // The service has closed this idle connection: try the next one, finally a new one.
      const isStale = isReused && error instanceof SendError && !error.begun && !signal.aborted;
      if (!isStale) throw error;
      return await send(wanted, signal);
    }
  };
  return { send, close: async () => agent.destroy() };
}

/**
 * The response's body. It ends only after the request has been written: a service may respond
 * before it has read everything, and closing the connection then would cut off a request that it
 * accepted.
 */
async function* readWhileWriting(
  response: IncomingMessage,
  sent: ClientRequest,
): AsyncGenerator<Uint8Array> {
  yield* response;
  // The response is there, so an error of the request no longer matters.
  if (!sent.writableFinished && !sent.closed)
    await new Promise((resolve) => sent.once('close', resolve));
}

/** Calls `use` when the connection is ready; gives up if that takes too long. */
function whenConnected(socket: Socket, isSecure: boolean, use: () => void): void {
  if (!socket.connecting) {
    // A service may have closed it after its response. Node notices in its next turn, not in this
    // one.
    setImmediate(() => setImmediate(() => (socket.writable ? use() : socket.destroy(lost()))));
    return;
  }
  // On Node 22, only this event reports a reset after an early response; unheard, it would end the
  // process.
  socket.on('error', () => {});
  const timer = setTimeout(() => {
    const late = { code: 'ETIMEDOUT', syscall: 'connect' };
    socket.destroy(Object.assign(new Error('The connection was not made in time.'), late));
  }, connectTimeout);
  const stop = () => clearTimeout(timer);
  socket.once(isSecure ? 'secureConnect' : 'connect', () => {
    stop();
    use();
  });
  socket.once('close', stop);
}

function lost(): Error {
  return Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' });
}
