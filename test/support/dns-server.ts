import dns2 from 'dns2';
import { onTestFinished } from 'vitest';

/** A record in a test's zone. Names have no trailing dot; MX values look like `10 mx.example`. */
export type ZoneRecord = readonly [
  name: string,
  type: 'MX' | 'TXT' | 'CNAME' | 'NS' | 'SOA' | 'A' | 'AAAA',
  value: string | readonly string[],
  /** In seconds; 60 if absent. Of an SOA, it is also how long a name may be remembered as missing. */
  ttl?: number,
];

export interface DnsServerOptions {
  /**
   * Names, or `TYPE name`, with this response code, without a response, with one to the first question only, once it is
   * repeated, or with one that says that it is cut off. The empty name means every name.
   */
  readonly failing?: Readonly<
    Record<string, 'SERVFAIL' | 'REFUSED' | 'silent' | 'late' | 'cut off'>
  >;
  /** Whether responses follow CNAMEs, as those of a resolver do; an authoritative server does not. */
  readonly recursive?: boolean;
  /** Where it listens; 127.0.0.1 and a free port if absent. All addresses 127.x.x.x are this machine on Linux. */
  readonly host?: string;
  readonly port?: number;
  /** Zones that belong to other servers: it refers to their NS records, as the servers of the zone above do. */
  readonly delegated?: readonly string[];
}

/** A DNS server on loopback, over UDP and TCP, that responds from a list of records. */
export interface DnsServer {
  /** Address and port, as `--resolver` takes them. */
  readonly address: string;
  readonly port: number;
  /** The questions it got, as `TYPE name`, in order. */
  readonly questions: readonly string[];
  /** The records; may be changed at any time. */
  records: readonly ZoneRecord[];
}

const { Packet } = dns2;

/** Starts a server; it is closed after the test. */
export async function startDns(
  records: readonly ZoneRecord[],
  options: DnsServerOptions = {},
): Promise<DnsServer> {
  const questions: string[] = [];
  const held = new Map<string, () => void>();
  const handle: dns2.DnsHandler = (request, send) => {
    const [question] = request.questions;
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    questions.push(`${Packet.typeName(question.type)} ${name}`);
    const { failing: all } = options;
    const failing = all?.[`${Packet.typeName(question.type)} ${name}`] ?? all?.[name] ?? all?.[''];
    if (failing === 'silent') return;
    const respond = () => {
      const response = Packet.createResponseFromRequest(request);
      response.header.aa = options.recursive === true ? 0 : 1;
      if (failing === 'cut off') response.header.tc = 1;
      else if (failing !== undefined && failing !== 'late') {
        response.header.rcode = Packet.RCODE[failing];
      } else answer(response, server.records, name, question.type, options);
      // The client may be gone.
      send(response).catch(() => {});
    };
    if (failing !== 'late') return respond();
    const key = `${question.type} ${name}`;
    const first = held.get(key);
    if (first === undefined) held.set(key, respond);
    else first();
  };
  const { host = '127.0.0.1' } = options;
  const { port, close } = await listen(handle, host, options.port);
  onTestFinished(close);
  const server: DnsServer = { address: `${host}:${port}`, port, questions, records };
  return server;
}

function answer(
  response: dns2.Packet,
  records: readonly ZoneRecord[],
  name: string,
  type: number,
  { recursive = false, delegated = [] }: DnsServerOptions,
): void {
  const isAround = (zone: string) => name === zone || name.endsWith(`.${zone}`);
  const given = delegated.find(isAround);
  if (given !== undefined) {
    const isOfZone = ([owner, one]: ZoneRecord) => owner === given && one === 'NS';
    response.header.aa = 0;
    response.authorities.push(...records.filter(isOfZone).map(resource));
    return;
  }
  const start = records.find(([zone, one]) => one === 'SOA' && isAround(zone));
  let owner = name;
  for (let hops = 0; hops < 8; hops++) {
    const here = records.filter(([one]) => one.toLowerCase() === owner);
    if (here.length === 0) response.header.rcode = Packet.RCODE.NXDOMAIN;
    const wanted = here.filter(([, one]) => Packet.TYPE[one] === type);
    for (const record of wanted) response.answers.push(resource(record));
    const alias = here.find(([, one]) => one === 'CNAME');
    if (wanted.length > 0) return;
    if (alias === undefined) {
      if (start !== undefined) response.authorities.push(resource(start));
      return;
    }
    response.answers.push(resource(alias));
    owner = String(alias[2]);
    if (!recursive) return;
  }
}

function resource([name, type, value, ttl = 60]: ZoneRecord): dns2.Packet.Resource {
  const text = typeof value === 'string' ? value : value.join('');
  const base = { name, type: Packet.TYPE[type], class: Packet.CLASS.IN, ttl };
  const made = (data: object) => Object.assign(new Packet.Resource(base), data);
  switch (type) {
    case 'MX': {
      const [priority, exchange = ''] = text.split(' ');
      return made({ priority: Number(priority), exchange });
    }
    case 'TXT':
      return made({ data: typeof value === 'string' ? [value] : [...value] });
    case 'NS':
      return made({ ns: text });
    case 'CNAME':
      return made({ domain: text });
    case 'SOA':
      return made({
        primary: text,
        admin: `hostmaster.${name}`,
        ...{ serial: 1, refresh: 60, retry: 60, expiration: 60, minimum: ttl },
      });
    default:
      return made({ address: text });
  }
}

/** UDP on a free port and TCP on the same one. */
async function listen(
  handle: dns2.DnsHandler,
  host: string,
  wanted = 0,
): Promise<{ port: number; close(): void }> {
  for (;;) {
    const udp = dns2.createUDPServer(handle);
    await udp.listen(wanted, host);
    const { port } = udp.address();
    const tcp = dns2.createTCPServer(handle);
    const taken = await new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(true));
      tcp.listen(port, host, () => resolve(false));
    });
    if (taken) {
      udp.close();
      if (wanted !== 0) throw new Error(`port ${wanted} is in use at ${host}`);
      continue;
    }
    return {
      port,
      close() {
        udp.close();
        tcp.close();
      },
    };
  }
}
