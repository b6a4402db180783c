import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import dns2 from 'dns2';
import { attempt } from '../../../../shared/attempt.ts';
import type { DnsAnswer } from '../../../../shared/dns-answer.ts';
import type { Dns, DnsOptions, DnsType } from '../../../base/system/dns.ts';
import { type DnsPlace, DnsTimeout, overTcp, overUdp, responds } from './dns-exchange.ts';

/** What a test replaces, because it is outside its control. */
export interface DnsEnvironment {
  /** Instead of the DNS servers that the machine is configured to use. */
  readonly machineServers?: readonly string[];
  /** Instead of 53, for addresses without a port. */
  readonly port?: number;
}

const { Packet } = dns2;

type Limits = Pick<DnsOptions, 'timeout' | 'signal'>;

/**
 * Opens DNS look-ups. Node's own resolver tells neither the TTL of a TXT nor how long a server may say that a
 * name does not exist.
 */
export function openDns(options: DnsOptions, environment: DnsEnvironment = {}): Dns {
  const { signal } = options;
  const servers = options.servers ?? environment.machineServers ?? getServers();
  return {
    servers,
    async lookUp(name, type) {
      let failure: DnsAnswer = { kind: 'failed', reason: 'No DNS server is known.' };
      for (const server of servers) {
        signal.throwIfAborted();
        const place = placeOf(server, environment.port ?? 53);
        try {
          const response = await ask(place, name, type, options);
          const answer = answerIn(response, name, type, server);
          if (answer.kind !== 'failed') return answer;
          failure = answer;
        } catch (error) {
          signal.throwIfAborted();
          failure = { kind: 'failed', reason: reasonOf(error, server, options.timeout), server };
        }
      }
      return failure;
    },
  };
}

/** The largest response over UDP: what no network splits (RFC 9715, 3.1). */
const largestPacket = 1232;

async function ask(
  place: DnsPlace,
  name: string,
  type: DnsType,
  limits: Limits,
): Promise<dns2.Packet> {
  const response = await exchange(place, queryFor(name, type, true), limits);
  const { FORMERR, NOTIMP } = Packet.RCODE;
  // Old servers reject a query that says how much they may send.
  const isOld = response.header.rcode === FORMERR || response.header.rcode === NOTIMP;
  return isOld ? await exchange(place, queryFor(name, type, false), limits) : response;
}

async function exchange(place: DnsPlace, query: dns2.Packet, limits: Limits): Promise<dns2.Packet> {
  const accept = (message: Buffer) => {
    const response = attempt(() => Packet.parse(message), undefined);
    return response !== undefined && responds(query, response) ? response : undefined;
  };
  const sent = query.toBuffer();
  const response = await overUdp(sent, place, accept, limits);
  return response.header.tc === 1 ? await overTcp(sent, place, accept, limits) : response;
}

function queryFor(name: string, type: DnsType, extended: boolean): dns2.Packet {
  if (!isName(name)) throw new InvalidName();
  const query = new Packet(new Packet.Header({ id: Packet.uuid(), rd: 1 }));
  query.questions.push(new Packet.Question(name, Packet.TYPE[type], Packet.CLASS.IN));
  if (extended) {
    const option = Packet.Resource.EDNS([], { udpPayloadSize: largestPacket });
    query.additionals.push(new Packet.Resource({ ...option, name: '' }));
  }
  return query;
}

class InvalidName extends Error {}

/** Labels of 1 to 63 octets, 253 in all (RFC 1035, 2.3.4). */
function isName(name: string): boolean {
  const labels = name.split('.');
  return name.length <= 253 && labels.every((one) => one.length >= 1 && one.length <= 63);
}

function answerIn(response: dns2.Packet, name: string, type: DnsType, server: string): DnsAnswer {
  const { rcode, aa } = response.header;
  const { NOERROR, NXDOMAIN } = Packet.RCODE;
  if (rcode !== NOERROR && rcode !== NXDOMAIN) {
    return { kind: 'failed', reason: reasonOf(rcode, server, 0), server };
  }
  if (response.header.tc === 1) {
    return { kind: 'failed', reason: `${server} sent a response that is cut off.`, server };
  }
  if (response.errors.some(({ section }) => section !== 'additionals')) {
    return { kind: 'failed', reason: `${server} sent a record that cannot be read.`, server };
  }
  const given = { authoritative: aa === 1, server };
  const chain = aliased(response.answers, name);
  const records = chain.filter((one) => one.type === Packet.TYPE[type]);
  if (records.length > 0) {
    const ttl = Math.min(...chain.map((one) => one.ttl));
    const values = records.map((one) => textOf(one, type));
    return { kind: 'found', values, ttl, ...given };
  }
  const soa = response.authorities.find((one) => one.type === Packet.TYPE.SOA);
  const ttl = soa === undefined ? {} : { ttl: Math.min(soa.ttl, soa.minimum ?? soa.ttl) };
  const others = response.authorities.filter((one) => one.type === Packet.TYPE.NS);
  const referral =
    soa === undefined && others.length > 0 ? { referral: others.map(({ ns }) => ns ?? '') } : {};
  return { kind: 'none', exists: rcode !== NXDOMAIN, ...ttl, ...referral, ...given };
}

/** The records of a name and of those that it is an alias of, as far as the response has them. */
function aliased(answers: readonly dns2.Packet.Resource[], name: string): dns2.Packet.Resource[] {
  const names = new Set([name.toLowerCase()]);
  // A set may grow while it is iterated.
  for (const owner of names) {
    for (const one of answers) {
      const isAlias = one.type === Packet.TYPE.CNAME && one.name.toLowerCase() === owner;
      if (isAlias && one.domain !== undefined) names.add(one.domain.toLowerCase());
    }
  }
  return answers.filter((one) => names.has(one.name.toLowerCase()));
}

function textOf(one: dns2.Packet.Resource, type: DnsType): string {
  switch (type) {
    case 'MX':
      return `${one.priority} ${one.exchange || '.'}`;
    case 'TXT':
      return Array.isArray(one.data) ? one.data.join('') : '';
    case 'CNAME':
    case 'PTR':
      return one.domain ?? '';
    case 'NS':
      return one.ns ?? '';
    case 'SOA':
      return one.primary ?? '';
    case 'A':
    case 'AAAA':
      return one.address ?? '';
  }
}

function placeOf(server: string, port: number): DnsPlace {
  if (isIP(server) !== 0) return { host: server, port };
  const [, host = server, own = String(port)] = /^\[?(.*?)\]?:(\d+)$/.exec(server) ?? [];
  return { host, port: Number(own) };
}

/** A sentence about an error, or about the code of a response. */
function reasonOf(cause: unknown, server: string, timeout: number): string {
  if (cause instanceof DnsTimeout) return `${server} did not respond within ${timeout / 1000} s.`;
  if (cause instanceof InvalidName) return 'This is not a valid DNS name.';
  if (cause === Packet.RCODE.SERVFAIL) return `${server} could not resolve it (SERVFAIL).`;
  if (cause === Packet.RCODE.REFUSED) return `${server} refused the query (REFUSED).`;
  const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
  if (code === 'ECONNREFUSED') return `${server} cannot be reached.`;
  return `${server} gave no usable response (${String(code)}).`;
}
