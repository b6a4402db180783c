import { isIPv6 } from 'node:net';
import type { DnsType } from '../../../base/system/dns.ts';
import { quantity } from '../../../base/text/quantity.ts';
import { plainName } from '../../mail-authentication/ask.ts';
import { type Asker, evidenceOf } from './asker.ts';
import type { DomainCheck } from './finding.ts';

/** The zone that a domain is in. */
export interface Zone {
  readonly name: string;
  /** The addresses of its name servers that have it. */
  readonly addresses: readonly string[];
}

type Question = readonly [name: string, type: DnsType];

interface NameServer {
  readonly host: string;
  readonly address: string | undefined;
  /** `silent`: it did not respond, which may be because of a firewall here. */
  readonly state: 'good' | 'lame' | 'silent' | 'unknown';
  readonly reason: string;
}

const mostServers = 8;

/**
 * Finds the zone of a domain and asks each of its name servers. From then on, names in the zone are asked there,
 * because a resolver may remember older records. Undefined if only chosen servers are to be asked, or if none of
 * the zone's own can be reached from here.
 */
export async function findZone(check: DomainCheck): Promise<Zone | undefined> {
  const { mail, asker, tell } = check;
  if (!asker.canAskServers) return undefined;
  const found = await namesOfServers(mail.domain, asker);
  if (found === undefined) return undefined;
  const { zone, hosts } = found;
  const servers = await Promise.all(
    hosts.slice(0, mostServers).map((one) => probe(one, zone, asker)),
  );
  const good = servers.filter(({ state }) => state === 'good');
  const isBad = ({ state }: NameServer) => state === 'lame' || state === 'silent';
  if (good.length === 0 && !servers.some(({ state }) => state === 'lame')) return undefined;
  for (const { host, reason } of servers.filter(isBad)) {
    tell('server-lame', `${host}, a name server of ${zone}, ${reason}`);
  }
  const addresses = good.flatMap(({ address }) => address ?? []);
  if (addresses.length === 0) return undefined;
  asker.preferServers(zone, addresses);
  await compareDelegation(check, zone, addresses);
  return { name: zone, addresses };
}

/** The closest name at or above the domain that has NS records. */
async function namesOfServers(domain: string, asker: Asker) {
  const labels = domain.split('.');
  for (let start = 0; start < labels.length; start++) {
    const zone = labels.slice(start).join('.');
    const answer = await asker.askAt(undefined, zone, 'NS');
    if (answer.kind === 'found') return { zone, hosts: answer.values.map(plainName).sort() };
    if (answer.kind === 'failed') return undefined;
  }
  return undefined;
}

async function probe(host: string, zone: string, asker: Asker): Promise<NameServer> {
  const address = await addressOf(host, asker);
  const as = (state: NameServer['state'], reason = '') => {
    return { host, address: address ?? undefined, state, reason };
  };
  if (address === undefined) return as('lame', 'has no address.');
  // A failed look-up says nothing about the server.
  if (address === null) return as('unknown');
  const answer = await asker.askAt(address, zone, 'SOA');
  if (answer.kind === 'failed') {
    if (/\((SERVFAIL|REFUSED)\)/.test(answer.reason)) {
      return as('lame', `does not have the zone: ${answer.reason}`);
    }
    // Many machines have no IPv6.
    if (isIPv6(address)) return as('unknown');
    return as('silent', `cannot be reached: ${answer.reason}`);
  }
  if (answer.kind === 'none' || answer.authoritative === false) {
    return as('lame', `does not have the zone: ${address} gives no authoritative answer.`);
  }
  return as('good');
}

/** An address, IPv4 if there is one; null if the look-up failed. */
async function addressOf(host: string, asker: Asker): Promise<string | null | undefined> {
  let failed = false;
  for (const type of ['A', 'AAAA'] as const) {
    const answer = await asker.askAt(undefined, host, type);
    if (answer.kind === 'found') return answer.values[0];
    failed ||= answer.kind === 'failed';
  }
  return failed ? null : undefined;
}

/** Compares the name servers that the zone above names with those that the zone itself names. */
async function compareDelegation(
  { asker, tell }: DomainCheck,
  zone: string,
  [own = '']: readonly string[],
): Promise<void> {
  const above = zone.split('.').slice(1).join('.');
  const parents = above === '' ? undefined : await namesOfServers(above, asker);
  if (parents === undefined) return;
  const addresses = await Promise.all(
    parents.hosts.slice(0, 2).map((one) => addressOf(one, asker)),
  );
  const inside = await asker.askAt(own, zone, 'NS');
  if (inside.kind !== 'found') return;
  const itself = inside.values.map(plainName);
  for (const address of addresses) {
    if (typeof address !== 'string') continue;
    const outside = await asker.askAt(address, zone, 'NS');
    if (outside.kind !== 'none' || outside.referral === undefined) continue;
    const given = outside.referral.map(plainName);
    const extra = given.filter((one) => !itself.includes(one));
    const missing = itself.filter((one) => !given.includes(one));
    if (extra.length + missing.length === 0) return;
    const parts = [
      ...(extra.length === 0 ? [] : [`${extra.join(', ')} only in ${parents.zone}`]),
      ...(missing.length === 0 ? [] : [`${missing.join(', ')} only in ${zone}`]),
    ];
    tell('delegation', `The name servers of ${zone} differ: ${parts.join('; ')}.`, {
      evidence: [
        { question: `NS ${zone}`, server: address, answer: given },
        { question: `NS ${zone}`, server: own, answer: itself },
      ],
    });
    return;
  }
}

/** Compares the answers of all name servers of a zone. The first one is what the other checks have used. */
export async function compareServers(
  { asker, tell }: DomainCheck,
  { name: zone, addresses }: Zone,
  questions: readonly Question[],
): Promise<void> {
  for (const [name, type] of questions) {
    if (name !== zone && !name.endsWith(`.${zone}`)) continue;
    const answers = await Promise.all(
      addresses.map(async (address) =>
        evidenceOf(name, type, await asker.askAt(address, name, type)),
      ),
    );
    const text = ({ answer }: { answer: readonly string[] }) => answer.toSorted().join('\n');
    const [first] = answers;
    const others = answers.filter((one) => first !== undefined && text(one) !== text(first));
    if (first === undefined || others.length === 0) continue;
    const named = others.map(({ server }) => server ?? '').join(', ');
    const verb = others.length === 1 ? 'differs' : 'differ';
    const message = `${type} ${name}: of ${quantity(addresses.length, 'name server')}, ${named} ${verb} from ${first.server ?? ''}.`;
    tell('server-differs', message, { evidence: [first, ...others] });
  }
}

/** Finds a resolver that remembers that a record does not exist, although the zone has it. */
export async function findRemembered(
  { asker, tell }: DomainCheck,
  questions: readonly Question[],
): Promise<void> {
  for (const [name, type] of questions) {
    const answer = await asker.askAt(undefined, name, type);
    if (answer.kind !== 'none' || answer.ttl === undefined) continue;
    const own = await asker.ask(name, type);
    if (own.kind !== 'found') continue;
    const minutes = Math.max(1, Math.round(answer.ttl / 60));
    const message = `${type} ${name} exists, but other resolvers may say no for ${quantity(minutes, 'more minute')}.`;
    tell('negative-cache', message, { evidence: [evidenceOf(name, type, answer)] });
  }
}
