import type { DnsAnswer, DnsType } from '../../system/dns.ts';
import type { Asked, ChooseServers } from './name-servers.ts';

/** The records under a name, and how they were found. */
export interface Found {
  readonly answer: DnsAnswer;
  /** The chain of names it is an alias of, as far as the program had to follow it. */
  readonly via: readonly string[];
  /** The servers that were asked, in order. */
  readonly asked: readonly Asked[];
}

const mostAliases = 8;

/** Looks a name up and follows aliases (CNAME) into zones that its servers do not know. */
export async function lookUp(choose: ChooseServers, name: string, type: DnsType): Promise<Found> {
  const via: string[] = [];
  const asked: Asked[] = [];
  for (let at = name; ; ) {
    const { asked: servers, dns } = await choose(at);
    asked.push(servers);
    const answer = await dns.lookUp(at, type);
    if (answer.kind !== 'none') return { answer, via, asked };
    const alias = type === 'CNAME' ? answer : await dns.lookUp(at, 'CNAME');
    const [target] = alias.kind === 'found' ? alias.values : [];
    if (target === undefined) return { answer, via, asked };
    via.push(target.toLowerCase());
    if (via.length > mostAliases || new Set([name, ...via]).size <= via.length) {
      const reason = `${name} is an alias that does not resolve: ${via.join(', ')}.`;
      return { answer: { kind: 'failed', reason }, via, asked };
    }
    at = target;
  }
}
