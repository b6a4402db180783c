import { spfProblems } from '../../mail-authentication/spf-problems.ts';
import { type AskForSpf, spfTree } from '../../mail-authentication/spf-tree.ts';
import { lookUp } from './look-up.ts';
import type { DnsChoice } from './name-servers.ts';

/**
 * Why receivers do not use an SPF record with all that it leads to, or why that is unknown; undefined if they do.
 * `values` are the TXT records under its name. Names of the registered domain are asked as its other records are,
 * others as receivers ask them; where they cannot be asked, they are taken to be good.
 */
export async function spfTrouble(
  name: string,
  values: readonly string[],
  { choose, resolve, registered }: DnsChoice & { readonly registered: string },
): Promise<{ readonly status: 'wrong' | 'unknown'; readonly problem: string } | undefined> {
  const ask: AskForSpf = async (at, type) => {
    if (at === name && type === 'TXT') return { kind: 'found', values };
    const isOwn = at === registered || at.endsWith(`.${registered}`);
    const [found] = isOwn ? (await lookUp(choose, at, type)).found : [];
    const answer = found?.answer ?? (await resolve?.(at, type));
    return answer ?? { kind: 'failed', reason: `${at} was not asked.` };
  };
  const problems = spfProblems(await spfTree(name, ask));
  const fatal = problems.find(({ effect }) => effect === 'permerror');
  if (fatal !== undefined) {
    return { status: 'wrong', problem: `Receivers ignore the SPF record. ${fatal.sentence}` };
  }
  const failed = problems.find(({ effect }) => effect === 'temperror');
  if (failed === undefined || resolve === undefined) return undefined;
  const problem = `It is unknown whether receivers use the SPF record. ${failed.sentence}`;
  return { status: 'unknown', problem };
}
