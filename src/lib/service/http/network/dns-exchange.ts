import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type dns2 from 'dns2';
import { unlessAborted } from '../../../base/system/abort.ts';
import type { DnsOptions } from '../../../base/system/dns.ts';

/** A server's address and port. */
export interface DnsPlace {
  readonly host: string;
  readonly port: number;
}

/** Of the whole exchange. */
type Limits = Pick<DnsOptions, 'timeout' | 'signal'>;

/** A packet may get lost, so a query is sent again after this part of the timeout. */
const beforeSecond = 1 / 3;

/** Sends one query over UDP, and resolves with the first response that `accept` takes. */
export async function overUdp<Response>(
  query: Buffer,
  { host, port }: DnsPlace,
  accept: (message: Buffer) => Response | undefined,
  { timeout, signal }: Limits,
): Promise<Response> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const ended = Promise.withResolvers<Response>();
  const send = () => socket.send(query, (error) => error && ended.reject(error));
  // Only a connected socket hears that a port is closed, and nothing from other addresses.
  socket.on('connect', send);
  socket.on('error', ended.reject);
  socket.on('message', (message) => {
    const response = accept(message);
    if (response !== undefined) ended.resolve(response);
  });
  const again = setTimeout(send, timeout * beforeSecond);
  const late = setTimeout(() => ended.reject(new DnsTimeout()), timeout);
  try {
    socket.connect(port, host);
    return await unlessAborted(signal, ended.promise);
  } finally {
    clearTimeout(again);
    clearTimeout(late);
    socket.close();
  }
}

/** Sends one query over TCP (RFC 7766), for a response too long for a packet. */
export async function overTcp<Response>(
  query: Buffer,
  { host, port }: DnsPlace,
  accept: (message: Buffer) => Response | undefined,
  { timeout, signal }: Limits,
): Promise<Response> {
  const socket = connect({ host, port });
  const ended = Promise.withResolvers<Response>();
  let received = Buffer.alloc(0);
  socket.on('connect', () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
  });
  socket.on('error', ended.reject);
  socket.on('end', () => ended.reject(new Error('The connection was closed.')));
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece]);
    if (received.length < 2) return;
    const end = 2 + received.readUInt16BE();
    if (received.length < end) return;
    const response = accept(received.subarray(2, end));
    if (response === undefined) ended.reject(new Error('The response is not to this query.'));
    else ended.resolve(response);
  });
  const late = setTimeout(() => ended.reject(new DnsTimeout()), timeout);
  try {
    return await unlessAborted(signal, ended.promise);
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}

/** A server did not respond in time. */
export class DnsTimeout extends Error {}

/** Whether a message responds to a query: forged ones are unlikely to repeat its id and question. */
export function responds(query: dns2.Packet, response: dns2.Packet): boolean {
  const [asked] = query.questions;
  const [repeated] = response.questions;
  return (
    response.header.qr === 1 &&
    response.header.id === query.header.id &&
    // An error may leave out the question.
    (repeated === undefined
      ? response.header.rcode !== 0
      : repeated.type === asked?.type && repeated.name.toLowerCase() === asked.name.toLowerCase())
  );
}
