import type { AddressInfo, Socket } from 'node:net';
import dns2 from 'dns2';
import type { DnsAnswer } from '../../shared/dns-answer.ts';

export interface ServeDnsOptions {
  /** The IP address to listen on. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly lookUp: (name: string, type: string) => Promise<DnsAnswer>;
}

const { Packet } = dns2;

/** The only opcode that is answered (RFC 1035, section 4.1.1). */
const standardQuery = 0;

/** How many seconds resolvers may cache a record: none, because tests change records. */
const ttl = 0;

/** Attempts to get one port for both TCP and UDP. */
const tries = 20;

/**
 * Serves DNS over UDP and TCP, as an authoritative server does. Rejects with Node's error, whose `code` is
 * `EADDRINUSE` if the port is in use.
 */
export async function serveDns(options: ServeDnsOptions) {
  for (let left = tries; ; left--) {
    try {
      return await listen(options);
    } catch (error) {
      // Another program may have the port that TCP got for UDP.
      const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (options.port !== 0 || left === 0 || !inUse) throw error;
    }
  }
}

async function listen({ host, port, lookUp }: ServeDnsOptions) {
  const handle: dns2.DnsHandler = (request, send) => {
    // Otherwise, two servers could respond to each other's responses forever.
    if (request.header.qr === 1) return;
    respond(request, lookUp)
      .then(send)
      // The client has stopped waiting for it.
      .catch(() => {});
  };
  const tcp = dns2.createTCPServer(handle);
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeTcp = async () => {
    const closed = new Promise((resolve) => tcp.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await new Promise<void>((resolve, reject) => {
    tcp.once('error', reject);
    tcp.listen(port, host, resolve);
  });
  // The server listens on a port, not on a pipe.
  const { port: bound, family } = tcp.address() as AddressInfo;
  const udp = dns2.createUDPServer({ type: family === 'IPv6' ? 'udp6' : 'udp4' });
  udp.on('request', handle);
  try {
    await new Promise<void>((resolve, reject) => {
      udp.once('error', reject);
      udp.listen(bound, host).then(() => resolve(), reject);
    });
  } catch (error) {
    await closeTcp();
    throw error;
  }
  return {
    port: bound,
    async close() {
      await Promise.all([closeTcp(), new Promise<void>((resolve) => udp.close(resolve))]);
    },
  };
}

async function respond(
  request: dns2.Packet,
  lookUp: ServeDnsOptions['lookUp'],
): Promise<dns2.Packet> {
  const response = Packet.createResponseFromRequest(request);
  response.header.aa = 1;
  if (request.header.opcode !== standardQuery) {
    response.header.rcode = Packet.RCODE.NOTIMP;
    return response;
  }
  const [question] = request.questions;
  if (question === undefined || request.header.qdcount !== 1) {
    response.header.rcode = Packet.RCODE.FORMERR;
    return response;
  }
  const { name, type } = question;
  try {
    const answer = await lookUp(name.replace(/\.$/, ''), Packet.typeName(type));
    if (answer.kind === 'found') {
      response.answers.push(...answer.values.map((value) => resource(name, type, value)));
    } else if (answer.kind === 'failed') response.header.rcode = Packet.RCODE.SERVFAIL;
    else if (!answer.exists) response.header.rcode = Packet.RCODE.NXDOMAIN;
  } catch {
    response.header.rcode = Packet.RCODE.SERVFAIL;
  }
  return response;
}

function resource(name: string, type: number, value: string): dns2.Packet.Resource {
  const record = new Packet.Resource({ name, type, class: Packet.CLASS.IN, ttl });
  switch (type) {
    case Packet.TYPE.MX: {
      const [priority, exchange = ''] = value.split(' ');
      return Object.assign(record, { priority: Number(priority), exchange });
    }
    case Packet.TYPE.A:
      return Object.assign(record, { address: value });
    case Packet.TYPE.CNAME:
      return Object.assign(record, { domain: value });
    case Packet.TYPE.NS:
      return Object.assign(record, { ns: value });
    case Packet.TYPE.SOA: {
      const times = { serial: 1, refresh: 3600, retry: 600, expiration: 86_400, minimum: 3600 };
      return Object.assign(record, { primary: value, admin: `hostmaster.${name}`, ...times });
    }
    default:
      return Object.assign(record, { data: strings(value) });
  }
}

/** The strings of a TXT record, each at most 255 bytes. */
function strings(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  return Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.subarray(255 * index, 255 * (index + 1)),
  );
}
