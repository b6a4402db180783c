import { Resolver } from 'node:dns/promises';
import { isIPv4, isIPv6 } from 'node:net';
import type { Dns, DnsAnswer, DnsOptions, DnsType } from '../../system/dns.ts';

/** What a test replaces, because it is outside its control. */
export interface DnsEnvironment {
  /** Instead of the DNS servers that the machine is configured to use. */
  readonly machineServers?: readonly string[];
  /** Instead of 53, for addresses without a port. */
  readonly port?: number;
}

/**
 * A packet may get lost, so the question is asked again after this part of the timeout. By another resolver:
 * Node's own would no longer accept a late response to the first packet.
 */
const beforeSecond = 1 / 3;

/** Opens DNS look-ups with Node's resolver. */
export function openDns(options: DnsOptions, environment: DnsEnvironment = {}): Dns {
  const { timeout, signal } = options;
  const servers = options.servers ?? environment.machineServers ?? new Resolver().getServers();
  return {
    servers,
    async lookUp(name, type) {
      let failure: DnsAnswer = { kind: 'failed', reason: 'No DNS server is known.' };
      for (const server of servers) {
        signal.throwIfAborted();
        const address = withPort(server, environment.port ?? 53);
        const outcome = await ask(address, name, type, { timeout, signal });
        if (Array.isArray(outcome)) return { kind: 'found', values: outcome };
        if (outcome === 'ENODATA') return { kind: 'none', exists: true };
        if (outcome === 'ENOTFOUND') return { kind: 'none', exists: false };
        failure = { kind: 'failed', reason: reasonOf(outcome, server, timeout) };
      }
      return failure;
    },
  };
}

/** The values, or the error code. */
async function ask(
  server: string,
  name: string,
  type: DnsType,
  { timeout, signal }: Pick<DnsOptions, 'timeout' | 'signal'>,
): Promise<string[] | string> {
  // One for each question, because cancelling ends all questions of a resolver.
  const resolvers: Resolver[] = [];
  const query = async (): Promise<string[] | string> => {
    const resolver = new Resolver({ timeout, tries: 1 });
    resolvers.push(resolver);
    try {
      resolver.setServers([server]);
      const values = await resolve(resolver, name, type);
      return values.length === 0 ? 'ENODATA' : values;
    } catch (error) {
      if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
        return error.code;
      }
      throw error;
    }
  };
  const ended = Promise.withResolvers<string[] | string>();
  const second = setTimeout(() => {
    query().then(ended.resolve, ended.reject);
  }, timeout * beforeSecond);
  const end = setTimeout(() => ended.resolve('ETIMEOUT'), timeout);
  const abort = () => ended.resolve('ECANCELLED');
  signal.addEventListener('abort', abort, { once: true });
  query().then(ended.resolve, ended.reject);
  try {
    const outcome = await ended.promise;
    signal.throwIfAborted();
    return outcome;
  } finally {
    clearTimeout(second);
    clearTimeout(end);
    signal.removeEventListener('abort', abort);
    for (const resolver of resolvers) resolver.cancel();
  }
}

async function resolve(resolver: Resolver, name: string, type: DnsType): Promise<string[]> {
  switch (type) {
    case 'MX': {
      const records = await resolver.resolveMx(name);
      return records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`);
    }
    case 'TXT': {
      const records = await resolver.resolveTxt(name);
      // Node decodes octets as Latin-1; non-ASCII text in DNS is UTF-8.
      return records.map((strings) => Buffer.from(strings.join(''), 'latin1').toString('utf8'));
    }
    case 'CNAME':
      return await resolver.resolveCname(name);
    case 'NS':
      return await resolver.resolveNs(name);
    case 'SOA':
      return [(await resolver.resolveSoa(name)).nsname];
    case 'A':
      return await resolver.resolve4(name);
    case 'AAAA':
      return await resolver.resolve6(name);
  }
}

function withPort(server: string, port: number): string {
  if (isIPv4(server)) return `${server}:${port}`;
  if (isIPv6(server)) return `[${server}]:${port}`;
  return server;
}

function reasonOf(code: string, server: string, timeout: number): string {
  switch (code) {
    case 'ETIMEOUT':
      return `${server} did not respond within ${timeout / 1000} s.`;
    case 'ESERVFAIL':
      return `${server} could not resolve it (SERVFAIL).`;
    case 'EREFUSED':
      return `${server} refused the query (REFUSED).`;
    case 'ECONNREFUSED':
      return `${server} cannot be reached.`;
    case 'EBADNAME':
      return 'This is not a valid DNS name.';
    default:
      return `${server} gave no usable response (${code}).`;
  }
}
