import {
  type Ask,
  isDomainName,
  plainName,
} from '../../src/lib/domains/mail-authentication/ask.ts';
import {
  expandMacros,
  type MacroString,
  usesMacro,
} from '../../src/lib/domains/mail-authentication/spf-macro.ts';
import { spfLimits } from '../../src/lib/domains/mail-authentication/spf-problems.ts';
import {
  isSpf,
  parseSpf,
  type SpfDirective,
} from '../../src/lib/domains/mail-authentication/spf-record.ts';
import { type Octets, parseAddress } from '../../src/shared/ip-address.ts';

export type SpfResult =
  | 'none'
  | 'neutral'
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'temperror'
  | 'permerror';

/** A message as a receiver sees it. */
export interface SpfSubject {
  /** The address of the server that sends it. */
  readonly ip: string;
  /** The address of MAIL FROM; empty for a bounce. */
  readonly sender: string;
  /** The name in HELO or EHLO. */
  readonly helo: string;
}

/**
 * What a receiver concludes from the records as the program reads them: the result of SPF for a message (RFC 7208, 4),
 * without the explanation of a failure. Only tests evaluate: see docs/decisions/mail-authentication.md. A `TypeError` if
 * `ip` is no IP address.
 */
export async function checkHost(
  { ip, sender, helo }: SpfSubject,
  ask: Ask,
): Promise<{ readonly result: SpfResult; readonly reason?: string }> {
  const address = parseAddress(ip);
  if (address === undefined) throw new TypeError(`${ip} is no IP address`);
  const at = sender.lastIndexOf('@');
  const origin = sender === '' ? helo : sender.slice(at + 1);
  const session: Session = {
    ip: unmapped(address),
    local: sender.slice(0, Math.max(at, 0)) || 'postmaster',
    ...{ origin, helo, ask },
    count: { lookups: 0, voidLookups: 0 },
  };
  try {
    return { result: await check(origin, session) };
  } catch (error) {
    if (error instanceof Stop) return { result: error.result, reason: error.message };
    throw error;
  }
}

interface Session {
  readonly ip: Octets;
  readonly local: string;
  readonly origin: string;
  readonly helo: string;
  readonly ask: Ask;
  readonly count: { lookups: number; voidLookups: number };
}

/** An error that ends the whole evaluation. */
class Stop extends Error {
  readonly result: 'temperror' | 'permerror';
  constructor(result: 'temperror' | 'permerror', message: string) {
    super(message);
    this.result = result;
  }
}

const results = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

async function check(given: string, session: Session): Promise<SpfResult> {
  const domain = plainName(given);
  if (!isDomainName(domain)) return 'none';
  const records = (await values(domain, 'TXT', session)).filter(isSpf);
  const [record] = records;
  if (record === undefined) return 'none';
  if (records.length > 1) throw new Stop('permerror', `${domain} has several SPF records.`);
  const { terms, errors } = parseSpf(record);
  const [error] = errors;
  if (error !== undefined) throw new Stop('permerror', `${error.text}: ${error.sentence}`);
  for (const term of terms) {
    if (term.kind === 'directive' && (await matches(term, domain, session))) {
      return results[term.qualifier];
    }
  }
  const redirect = terms.find((one) => one.kind === 'modifier' && one.name === 'redirect');
  if (redirect?.kind !== 'modifier') return 'neutral';
  countLookup(session);
  const result = await check(await target(redirect.value, domain, session), session);
  if (result === 'none') throw new Stop('permerror', `${redirect.text}: it has no SPF record.`);
  return result;
}

async function matches(term: SpfDirective, domain: string, session: Session): Promise<boolean> {
  const { mechanism, network, prefix4, prefix6 } = term;
  if (mechanism === 'all') return true;
  const { ip } = session;
  const prefix = ip.length === 4 ? prefix4 : prefix6;
  const covers = (text: string) => {
    const address = parseAddress(text);
    return address !== undefined && inNetwork(ip, address, prefix);
  };
  if (network !== undefined) return inNetwork(ip, network, prefix);
  countLookup(session);
  const name = term.domain === undefined ? domain : await target(term.domain, domain, session);
  if (mechanism !== 'include' && !isDomainName(name)) return false;
  switch (mechanism) {
    case 'a':
      return (await counted(name, addressType(ip), session)).some(covers);
    case 'exists':
      return (await counted(name, 'A', session)).length > 0;
    case 'mx': {
      const servers = await counted(name, 'MX', session);
      if (servers.length > spfLimits.names) {
        throw new Stop('permerror', `${name} has more than ${spfLimits.names} MX records.`);
      }
      for (const server of servers) {
        const host = plainName(server.split(' ')[1] ?? '');
        if (host !== '' && (await values(host, addressType(ip), session)).some(covers)) return true;
      }
      return false;
    }
    case 'ptr': {
      const names = await validatedNames(session);
      countVoid(names.isVoid, session);
      return names.valid.some((one) => one === name || one.endsWith(`.${name}`));
    }
    default: {
      const result = await check(name, session);
      if (result === 'none') throw new Stop('permerror', `${term.text}: it has no SPF record.`);
      return result === 'pass';
    }
  }
}

function countLookup({ count }: Session): void {
  count.lookups += 1;
  if (count.lookups > spfLimits.lookups) {
    throw new Stop('permerror', `It needs more than ${spfLimits.lookups} look-ups.`);
  }
}

/** The values of a term's own look-up: two may have none. */
async function counted(name: string, type: Type, session: Session): Promise<readonly string[]> {
  const found = await values(name, type, session);
  countVoid(found.length === 0, session);
  return found;
}

function countVoid(isVoid: boolean, { count }: Session): void {
  if (isVoid) count.voidLookups += 1;
  if (count.voidLookups > spfLimits.voidLookups) {
    throw new Stop('permerror', `More than ${spfLimits.voidLookups} look-ups have no answer.`);
  }
}

type Type = Parameters<Ask>[1];

async function values(name: string, type: Type, { ask }: Session): Promise<readonly string[]> {
  const answer = await ask(name, type);
  if (answer.kind === 'failed') throw new Stop('temperror', answer.reason);
  return answer.kind === 'found' ? answer.values : [];
}

function addressType(ip: Octets): 'A' | 'AAAA' {
  return ip.length === 4 ? 'A' : 'AAAA';
}

/** The names of the sending server that lead back to it (RFC 7208, 5.5). A failed look-up yields none. */
async function validatedNames({ ip, ask }: Session) {
  const zone = ip.length === 4 ? 'in-addr.arpa' : 'ip6.arpa';
  const answer = await ask(`${dotted(ip).split('.').reverse().join('.')}.${zone}`, 'PTR');
  const names = answer.kind === 'found' ? answer.values.slice(0, spfLimits.names) : [];
  const valid = await Promise.all(
    names.map(async (name) => {
      const addresses = await ask(plainName(name), addressType(ip));
      const found = addresses.kind === 'found' ? addresses.values : [];
      return found.some((one) => inNetwork(ip, parseAddress(one) ?? [], ip.length * 8));
    }),
  );
  return {
    valid: names.filter((_, index) => valid[index]).map(plainName),
    isVoid: answer.kind === 'none',
  };
}

/** A domain-spec with its macros replaced, shortened from the left to 253 octets (RFC 7208, 7.3). */
async function target(text: MacroString, domain: string, session: Session): Promise<string> {
  const { ip, local, origin, helo } = session;
  const p = usesMacro(text, 'p') ? await hostName(domain, session) : undefined;
  const v = ip.length === 4 ? 'in-addr' : 'ip6';
  const known = {
    s: `${local}@${origin}`,
    l: local,
    o: origin,
    d: domain,
    i: dotted(ip),
    h: helo,
    v,
    p,
  };
  let name = plainName(expandMacros(text, known) ?? '');
  while (name.length > 253 && name.includes('.')) name = name.slice(name.indexOf('.') + 1);
  return name;
}

/** `%{p}`: of the server's names the domain itself, else one below it, else any. It counts as a look-up. */
async function hostName(domain: string, session: Session): Promise<string> {
  countLookup(session);
  const { valid: names, isVoid } = await validatedNames(session);
  countVoid(isVoid, session);
  const below = names.find((one) => one.endsWith(`.${domain}`));
  return names.find((one) => one === domain) ?? below ?? names[0] ?? 'unknown';
}

/** The IPv4 address of an address of a server, if IPv6 only wraps one (`::ffff:192.0.2.1`); else the address. */
function unmapped(address: Octets): Octets {
  const isMapped = address.slice(0, 12).every((octet, index) => octet === (index < 10 ? 0 : 255));
  return address.length === 16 && isMapped ? address.slice(12) : address;
}

/** Whether an address and a network agree in the first `prefix` bits; never across families. */
function inNetwork(address: Octets, network: Octets, prefix: number): boolean {
  if (address.length !== network.length) return false;
  return address.every((octet, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8));
    return (octet ^ (network[index] ?? 0)) >> (8 - bits) === 0;
  });
}

/** The address as `%{i}` and PTR have it: `192.0.2.1`, or the 32 hexadecimal digits of IPv6, with dots. */
function dotted(address: Octets): string {
  if (address.length === 4) return address.join('.');
  return address.flatMap((octet) => [...octet.toString(16).padStart(2, '0')]).join('.');
}
