import type { DnsAnswer } from '../../../../shared/dns-answer.ts';
import type { Dns, DnsOptions } from '../../../base/system/dns.ts';
import type { System } from '../../../base/system/system.ts';

/** DNS servers that were asked, and the reason for choosing them. */
export interface QueriedServers {
  /**
   * `given` on the command line, `authoritative` for the zone, those of this `system`, or the one in the
   * `sandbox`, which has no address.
   */
  readonly source: 'given' | 'authoritative' | 'system' | 'sandbox';
  /** The zone that they serve, if they are authoritative. */
  readonly zone?: string;
  /** Addresses, with a port unless it is 53. */
  readonly servers: readonly string[];
}

/** A DNS server. The one of the sandbox has no address. */
export interface Server {
  readonly address: string | undefined;
  readonly lookUp: Dns['lookUp'];
}

/** The DNS servers for a name. */
export interface Chosen extends Omit<QueriedServers, 'servers'> {
  readonly servers: readonly Server[];
  /** Whether one answer is enough, because they should all find the same; each server of a zone is asked. */
  readonly inTurn: boolean;
}

/** Chooses the DNS servers to ask about a name. */
export type ChooseServers = (name: string) => Promise<Chosen>;

/** Where to ask. */
export interface DnsChoice {
  /** For the records of a domain. */
  readonly choose: ChooseServers;
  /** For names of others, as receivers ask; absent if they cannot be asked. */
  readonly resolve?: Dns['lookUp'];
}

/** The DNS of the embedded service, which only knows its own domains. */
export function sandboxServers(dns: Pick<Dns, 'lookUp'>): DnsChoice {
  const servers = [{ address: undefined, lookUp: dns.lookUp.bind(dns) }];
  return { choose: async () => ({ source: 'sandbox', servers, inTurn: true }) };
}

/** How long a name server may take to respond to the first query, in milliseconds. */
const probeTime = 2000;

/**
 * The given servers; otherwise all of the zone's own name servers that can be reached, because a resolver caches
 * "not there" for minutes or hours after a record is published; otherwise the system's.
 */
export async function chooseServers(
  system: Pick<System, 'dns' | 'signal'>,
  { given = [], timeout }: { readonly given?: readonly string[]; readonly timeout: number },
): Promise<Required<DnsChoice>> {
  const open = async (servers?: readonly string[], patience = timeout): Promise<Dns> => {
    const options: DnsOptions = { servers, timeout: patience, signal: system.signal };
    const dns = await system.dns(options);
    return { ...dns, lookUp: async (name, type) => settled(await dns.lookUp(name, type)) };
  };
  const openEach = async (addresses: readonly string[]): Promise<Server[]> =>
    await Promise.all(
      addresses.map(async (address) => {
        const dns = await open([address]);
        return { address, lookUp: dns.lookUp };
      }),
    );
  const machine = await open();
  if (given.length > 0) {
    const chosen = { source: 'given', servers: await openEach(given), inTurn: true } as const;
    const resolver = await open(given);
    return {
      choose: async () => chosen,
      // A name server that was given knows its own zones only.
      async resolve(name, type) {
        const answer = await resolver.lookUp(name, type);
        return answer.kind === 'failed' ? await machine.lookUp(name, type) : answer;
      },
    };
  }
  const own = await openEach(machine.servers);
  const fallback: Chosen = { source: 'system', servers: own, inTurn: true };
  const probe = async (zone: string, address: string): Promise<boolean> => {
    const dns = await open([address], Math.min(probeTime, timeout));
    const answer = await dns.lookUp(zone, 'SOA');
    return answer.kind === 'found' && answer.authoritative !== false;
  };
  const serversOf = memo(async (zone: string): Promise<Chosen> => {
    const all = await addressesOf(zone, machine);
    const isReached = await Promise.all(all.map((one) => probe(zone, one)));
    const addresses = all.filter((_, index) => isReached[index]);
    if (addresses.length === 0) return fallback;
    return { source: 'authoritative', zone, servers: await openEach(addresses), inTurn: false };
  });
  const nameServers = memo((zone: string) => machine.lookUp(zone, 'NS'));
  return {
    async choose(name) {
      for (const zone of zonesAround(name)) {
        const answer = await nameServers(zone);
        if (answer.kind === 'failed') break;
        if (answer.kind === 'found') return await serversOf(zone);
      }
      return fallback;
    },
    resolve: machine.lookUp,
  };

  async function addressesOf(zone: string, dns: Dns): Promise<string[]> {
    const answer = await nameServers(zone);
    const hosts = answer.kind === 'found' ? answer.values.slice(0, mostHosts) : [];
    const found = await Promise.all(
      hosts.flatMap((host) => (['A', 'AAAA'] as const).map((type) => dns.lookUp(host, type))),
    );
    return [...new Set(found.flatMap((one) => (one.kind === 'found' ? one.values : [])))];
  }
}

/** An answer that leaves a name to other servers says nothing about it. */
function settled(answer: DnsAnswer): DnsAnswer {
  if (answer.kind !== 'none' || answer.referral === undefined) return answer;
  const { server = 'The server', referral } = answer;
  return { kind: 'failed', reason: `${server} leaves this name to ${referral.join(', ')}.` };
}

/** As many as the root has; a zone with more is a mistake or worse. */
const mostHosts = 13;

/** The name and its parents, down to two labels: nobody can publish records in a top-level domain. */
function zonesAround(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** A function that does its work only once per word. */
function memo<Value>(work: (word: string) => Promise<Value>): (word: string) => Promise<Value> {
  const results = new Map<string, Promise<Value>>();
  return (word) => {
    const known = results.get(word) ?? work(word);
    results.set(word, known);
    return known;
  };
}
