import type { DnsAnswer } from '../../../../shared/dns-answer.ts';
import type { Dns, DnsType } from '../../../base/system/dns.ts';
import { type Ask, plainName } from '../../mail-authentication/ask.ts';
import type { Evidence, Failure } from './deep-shapes.ts';

type LookUp = Dns['lookUp'];

/** The DNS servers of a command. */
export interface DnsPlaces {
  /** The servers that were chosen, or those of the system. */
  readonly main: LookUp;
  /** Looks up at a name server with this address; undefined if only the chosen ones are to be asked. */
  readonly at: ((address: string) => LookUp) | undefined;
}

export type Asker = ReturnType<ReturnType<typeof createAskers>>;

/** Questions at the same time: more would overrun the buffers of small resolvers. */
const together = 32;
/** Questions for each domain: what is published must not make the program ask without end. */
const mostQuestions = 400;
const mostAliases = 8;

/** Returns a function that makes what asks DNS about one domain, with one cache and one limit for all domains. */
export function createAskers(places: DnsPlaces) {
  const cache = new Map<string, Promise<DnsAnswer>>();
  const zones = new Map<string, readonly string[]>();
  const limited = limit(together);

  return () => {
    const failed = new Map<string, string>();
    const loops = new Set<string>();
    let questions = 0;
    const askAt = (
      address: string | undefined,
      name: string,
      type: DnsType,
    ): Promise<DnsAnswer> => {
      const key = `${address ?? ''} ${type} ${name}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      questions += 1;
      if (questions > mostQuestions) {
        const reason = `This domain needs more than ${mostQuestions} DNS queries; the rest were not sent.`;
        return Promise.resolve({ kind: 'failed', reason });
      }
      const lookUp = (address !== undefined && places.at?.(address)) || places.main;
      const answer = limited(() => lookUp(name, type));
      cache.set(key, answer);
      return answer;
    };
    const askHere = async (name: string, type: DnsType): Promise<DnsAnswer> => {
      const zone = [...zones.keys()]
        .filter((one) => name === one || name.endsWith(`.${one}`))
        .sort((one, other) => other.length - one.length)[0];
      for (const address of (zone !== undefined && zones.get(zone)) || []) {
        const answer = await askAt(address, name, type);
        // A part of the zone may belong to other servers.
        if (answer.kind !== 'failed' && !isReferral(answer)) return answer;
      }
      return await askAt(undefined, name, type);
    };
    const follow = async (name: string, type: DnsType): Promise<DnsAnswer> => {
      const names = new Set<string>();
      for (let at = plainName(name); names.size <= mostAliases && !names.has(at); ) {
        names.add(at);
        const answer = await askHere(at, type);
        if (isReferral(answer)) {
          return { kind: 'failed', reason: `${answer.server} does not have ${at}.` };
        }
        // A resolver has followed aliases, and a name that does not exist is none.
        const isFinal = answer.kind !== 'none' || !answer.exists || answer.authoritative === false;
        if (isFinal || type === 'CNAME') return answer;
        const alias = await askHere(at, 'CNAME');
        const target = alias.kind === 'found' ? alias.values[0] : undefined;
        if (target === undefined) return alias.kind === 'failed' ? alias : answer;
        at = plainName(target);
      }
      const reason = `${name} is an alias that leads to ${[...names].slice(1).join(', ')} and does not end.`;
      loops.add(reason);
      return { kind: 'failed', reason };
    };
    const ask: Ask = async (name, type) => {
      const answer = await follow(name, type);
      if (answer.kind === 'failed' && !loops.has(answer.reason)) {
        failed.set(`${type} ${name}`, answer.reason);
      }
      return answer;
    };
    return {
      /** Asks as receivers do, following aliases; a zone's own servers for names in `zones`. */
      ask,
      /** Asks one name server, or the usual ones, without following aliases. No failure is recorded. */
      askAt,
      canAskServers: places.at !== undefined,
      /** From now on, names in this zone are asked at these of its servers. */
      preferServers: (zone: string, addresses: readonly string[]) => zones.set(zone, addresses),
      /** What DNS has, as the evidence of a finding. It is not asked again. */
      evidence: async (name: string, type: DnsType) =>
        evidenceOf(name, type, await follow(name, type)),
      /** Aliases that lead nowhere, which are the fault of who published them: sentences. */
      loops: () => [...loops],
      /** The look-ups that `ask` could not do. */
      failures: (): readonly Failure[] =>
        Array.from(failed, ([question, reason]) => ({ question, reason })),
    };
  };
}

/** An answer as evidence. */
export function evidenceOf(name: string, type: DnsType, answer: DnsAnswer): Evidence {
  return {
    question: `${type} ${name}`,
    server: answer.server ?? null,
    answer: answer.kind === 'found' ? answer.values : [],
  };
}

function isReferral(answer: DnsAnswer) {
  return answer.kind === 'none' && answer.referral !== undefined;
}

/** Runs at most `most` tasks at the same time. */
function limit(most: number): <Value>(task: () => Promise<Value>) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
