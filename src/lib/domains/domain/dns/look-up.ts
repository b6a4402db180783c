import type { DnsAnswer } from '../../../../shared/dns-answer.ts';
import type { DnsType } from '../../../base/system/dns.ts';
import type { ChooseServers, Chosen, QueriedServers, Server } from './name-servers.ts';

/** What some servers have under a name. */
export interface Found {
  readonly answer: DnsAnswer;
  /** The chain of names it is an alias of, as far as the program had to follow it. */
  readonly via: readonly string[];
  /** The addresses of the servers that gave this answer. */
  readonly servers: readonly string[];
  /** Whether the chain does not end, which is the fault of who published it. */
  readonly isEndless?: true;
}

/** The answers about a name. */
export interface LookedUp {
  /** At least one; several if the servers differ. */
  readonly found: readonly Found[];
  /** The servers that were asked, in order. */
  readonly asked: readonly QueriedServers[];
}

const mostAliases = 8;

/**
 * Looks a name up and follows aliases (CNAME) into zones that its servers do not know. `via` are the names that it was
 * found to be an alias of: the last one is looked up.
 */
export async function lookUp(
  choose: ChooseServers,
  name: string,
  type: DnsType,
  via: readonly string[] = [],
): Promise<LookedUp> {
  const at = via.at(-1) ?? name;
  const chosen = await choose(at);
  const { answers, asked } = await askServers(chosen, at, type);
  const parts = await Promise.all(
    grouped(answers).map(async ({ answer, alias, servers }, _, all): Promise<LookedUp> => {
      if (alias === undefined) return { found: [{ answer, via, servers }], asked: [] };
      const way = [...via, alias.toLowerCase()];
      if (via.length >= mostAliases || new Set([name, ...way]).size <= way.length) {
        const reason = `${name} is an alias that does not resolve: ${way.join(', ')}.`;
        const failed = { kind: 'failed', reason } as const;
        return { found: [{ answer: failed, via: way, servers, isEndless: true }], asked: [] };
      }
      const below = await lookUp(choose, name, type, way);
      // Where servers differ in the alias, they are the ones to name.
      if (all.length === 1) return below;
      return { ...below, found: below.found.map((one) => ({ ...one, servers })) };
    }),
  );
  return {
    found: parts.flatMap(({ found }) => found),
    asked: [asked, ...parts.flatMap((part) => part.asked)],
  };
}

interface Answer {
  readonly answer: DnsAnswer;
  /** The name that it is an alias of, if it has no record of the type itself. */
  readonly alias?: string;
  readonly server: string | undefined;
}

/** Asks every server of a zone, or others in turn until one answers. */
async function askServers({ servers, inTurn, ...source }: Chosen, name: string, type: DnsType) {
  const answers: Answer[] = [];
  if (inTurn) {
    for (const server of servers) {
      answers.push(await askServer(server, name, type));
      if (answers.at(-1)?.answer.kind !== 'failed') break;
    }
  } else answers.push(...(await Promise.all(servers.map((one) => askServer(one, name, type)))));
  const addresses = answers.flatMap(({ server }) => server ?? []);
  return { answers, asked: { ...source, servers: addresses } };
}

async function askServer(server: Server, name: string, type: DnsType): Promise<Answer> {
  const answer = await server.lookUp(name, type);
  const base = { answer, server: server.address };
  if (answer.kind !== 'none' || type === 'CNAME') return base;
  const alias = await server.lookUp(name, 'CNAME');
  if (alias.kind === 'failed') return { ...base, answer: alias };
  const [target] = alias.kind === 'found' ? alias.values : [];
  return target === undefined ? base : { ...base, alias: target };
}

/** Answers that say the same, together. A server without an answer is left out if another one has it. */
function grouped(answers: readonly Answer[]) {
  const given = answers.filter(({ answer }) => answer.kind !== 'failed');
  const groups = new Map<string, Answer & { readonly servers: string[] }>();
  for (const one of given.length > 0 ? given : answers.slice(-1)) {
    const { answer, alias } = one;
    const values = answer.kind === 'found' ? answer.values.toSorted() : [];
    const key = JSON.stringify([answer.kind, values, alias?.toLowerCase()]);
    const group = groups.get(key) ?? { ...one, servers: [] };
    if (one.server !== undefined) group.servers.push(one.server);
    groups.set(key, group);
  }
  return [...groups.values()];
}
