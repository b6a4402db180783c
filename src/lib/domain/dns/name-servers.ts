import type { Dns, DnsOptions } from '../../system/dns.ts';
import type { System } from '../../system/system.ts';

/** DNS servers that were asked, and the reason for choosing them. */
export interface Asked {
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

/** Chooses the DNS servers to ask about a name. */
export type ChooseServers = (name: string) => Promise<{ asked: Asked; dns: Pick<Dns, 'lookUp'> }>;

/** The DNS of the embedded service, which only knows its own domains. */
export function sandboxServers(dns: Pick<Dns, 'lookUp'>): ChooseServers {
  const chosen = { asked: { source: 'sandbox' as const, servers: [] }, dns };
  return async () => chosen;
}

/** How long a name server may take to respond to the first query, in milliseconds. */
const probeTime = 2000;

/**
 * The given servers; otherwise the zone's own name servers if they can be reached, because a resolver caches
 * "not there" for minutes or hours after a record is published; otherwise the system's.
 */
export async function chooseServers(
  system: Pick<System, 'dns' | 'signal'>,
  { given = [], timeout }: { readonly given?: readonly string[]; readonly timeout: number },
): Promise<ChooseServers> {
  const open = (servers?: readonly string[], patience = timeout) =>
    system.dns({ servers, timeout: patience, signal: system.signal } satisfies DnsOptions);
  if (given.length > 0) {
    const chosen = { asked: { source: 'given' as const, servers: given }, dns: await open(given) };
    return async () => chosen;
  }
  const machine = await open();
  const fallback = {
    asked: { source: 'system' as const, servers: machine.servers },
    dns: machine,
  };
  const probe = async (zone: string, address: string): Promise<boolean> => {
    const dns = await open([address], Math.min(probeTime, timeout));
    return (await dns.lookUp(zone, 'SOA')).kind === 'found';
  };
  const serversOf = memo(async (zone: string) => {
    const addresses = await reachable(await addressesOf(zone, machine), (one) => probe(zone, one));
    if (addresses.length === 0) return undefined;
    const asked = { source: 'authoritative' as const, zone, servers: addresses };
    return { asked, dns: await open(addresses) };
  });
  const nameServers = memo((zone: string) => machine.lookUp(zone, 'NS'));
  return async (name) => {
    for (const zone of zonesAround(name)) {
      const answer = await nameServers(zone);
      if (answer.kind === 'failed') break;
      if (answer.kind === 'found') return (await serversOf(zone)) ?? fallback;
    }
    return fallback;
  };

  /** IPv4 first, because more machines can reach it. */
  async function addressesOf(zone: string, dns: Dns): Promise<string[]> {
    const answer = await nameServers(zone);
    const hosts = answer.kind === 'found' ? answer.values.slice(0, mostHosts) : [];
    const found = await Promise.all(
      (['A', 'AAAA'] as const).flatMap((type) => hosts.map((host) => dns.lookUp(host, type))),
    );
    return [...new Set(found.flatMap((one) => (one.kind === 'found' ? one.values : [])))];
  }
}

const mostHosts = 4;

/** The name and its parents, down to two labels: nobody can publish records in a top-level domain. */
function zonesAround(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

async function reachable(
  addresses: readonly string[],
  probe: (address: string) => Promise<boolean>,
): Promise<string[]> {
  const answers = await Promise.all(addresses.map(probe));
  return addresses.filter((_, index) => answers[index] === true);
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
