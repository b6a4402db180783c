import type { Writable } from 'node:stream';
import type { ConnectionLost } from './connection-lost.ts';

/** An answer of Node's HTTP server, of which nothing has gone out. */
interface Outgoing extends Writable {
  statusCode: number;
  setHeader(name: string, value: string | number): unknown;
}

/** Closes the connection of `outgoing`, after the part of its answer that is to go out. */
export async function loseConnection(
  { cutReply }: ConnectionLost,
  outgoing: Outgoing,
): Promise<void> {
  if (cutReply !== undefined) {
    const body = Buffer.from(await cutReply.arrayBuffer());
    outgoing.statusCode = cutReply.status;
    for (const [name, value] of cutReply.headers) outgoing.setHeader(name, value);
    outgoing.setHeader('Content-Length', body.length);
    const half = body.subarray(0, Math.floor(body.length / 2));
    await new Promise((resolve) => outgoing.write(half, resolve));
  }
  outgoing.destroy();
}
