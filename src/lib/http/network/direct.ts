import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from './base-url.ts';
import { lookUpLoopback } from './loopback.ts';
import { type OriginClient, SendError } from './origin-client.ts';

/** How long a connection may take to be made, and then to wait for the next request, as in undici. */
const connectTimeout = 10_000;
const idleTimeout = 4000;

type Exchange = [response: IncomingMessage, sent: ClientRequest];

/** The way to an origin without a proxy, with Node's own client. */
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
        // Of a DELETE, Node would send a body without its length.
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const all = { ...headers, ...length };
        const options = { agent, method, headers: all, signal };
        // Nothing leaves before: a failure until then is certain to be one of connecting.
        let begun = false;
        const fail = (error: unknown) => reject(new SendError(error, begun));
        const sent = request(url, options, (response) => {
          if (begun) resolve([response, sent]);
          // What is left over of an earlier response on this connection is not the one to this request.
          else sent.destroy();
        });
        sent.on('error', fail);
        // Node gives up a request that is answered 101 without an error; nothing would end the wait.
        sent.on('close', () => fail(lost()));
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
      // A connection that the service has closed since: the next one is tried, at last a new one.
      const isStale = isReused && error instanceof SendError && !error.begun && !signal.aborted;
      if (!isStale) throw error;
      return await send(wanted, signal);
    }
  };
  return { send, close: async () => agent.destroy() };
}

/**
 * The response's body. It ends when the request has been written too: a service may respond before
 * it has read everything, and closing the connection then would cut off what it accepted.
 */
async function* readWhileWriting(
  response: IncomingMessage,
  sent: ClientRequest,
): AsyncGenerator<Uint8Array> {
  yield* response;
  // An error of the request changes nothing now: the response is there.
  if (!sent.writableFinished && !sent.closed)
    await new Promise((resolve) => sent.once('close', resolve));
}

/** Calls `use` once a connection is made, and gives it up when that takes too long. */
function whenConnected(socket: Socket, isSecure: boolean, use: () => void): void {
  if (!socket.connecting) {
    // A service may have closed it after its response: Node reads that in its next turn, not in this one.
    setImmediate(() => setImmediate(() => (socket.writable ? use() : socket.destroy(lost()))));
    return;
  }
  // Node 22 reports a reset after an early response here only, and would end the process.
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
