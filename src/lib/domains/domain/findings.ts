import type { Domain } from '../../../api/domain.ts';
import type { DnsType } from '../../base/system/dns.ts';
import type { Context } from '../../command-line/command/context.ts';
import { isSpf } from '../mail-authentication/spf-record.ts';
import { compare, expectedValue } from './dns/compare-records.ts';
import { registeredName } from './dns/dns-names.ts';
import { type Found, lookUp } from './dns/look-up.ts';
import {
  chooseServers,
  type DnsChoice,
  type QueriedServers,
  sandboxServers,
} from './dns/name-servers.ts';
import { spfTrouble } from './dns/spf-use.ts';
import { type WantedRecord, wantedRecords } from './dns/wanted-records.ts';
import type { Finding, Findings, ServerAnswer } from './findings-shapes.ts';

/** How long a DNS server may take without `--timeout`, in milliseconds. */
export const defaultTimeout = 5000;

/**
 * Looks up the records of a domain in DNS: at the servers in `given`, with `--sandbox` in the sandbox, or
 * else at those that `chooseServers` picks. A failed look-up is a finding, not an error. A domain without
 * records is a `NotFoundError`.
 */
export async function lookUpRecords(
  context: Pick<Context, 'system' | 'flags' | 'progress' | 'embedded'>,
  domain: Domain,
  given: readonly string[] = [],
): Promise<Findings> {
  const records = wantedRecords(domain);
  const { system, flags, progress } = context;
  return await progress.during('Asking DNS', async () => {
    const embedded = given.length === 0 ? await context.embedded() : undefined;
    const options = { given, timeout: flags.timeout ?? defaultTimeout };
    const places =
      embedded === undefined ? await chooseServers(system, options) : sandboxServers(embedded.dns);
    const search = { ...places, registered: registeredName(domain) };
    const found = await Promise.all(records.map((one) => findOne(search, one)));
    return {
      id: domain.id,
      domain: domain.name,
      ok: found.every(({ finding }) => finding.status === 'ok' || !finding.required),
      incomplete: found.some(({ finding }) => finding.status === 'unknown'),
      resolvers: merged(found.flatMap(({ asked }) => asked)),
      records: found.map(({ finding }) => finding),
    };
  });
}

interface Search extends DnsChoice {
  /** The registered domain. */
  readonly registered: string;
}

async function findOne(
  search: Search,
  wanted: WantedRecord,
): Promise<{ finding: Finding; asked: readonly QueriedServers[] }> {
  const { type, name, fqdn, required } = wanted;
  const base = { type, name, fqdn, expected: expectedValue(wanted), required };
  if (!isLookedUp(type)) {
    const problem = `Records of type ${type} are not looked up.`;
    return { finding: { ...base, found: [], status: 'unknown', problem }, asked: [] };
  }
  const { found, asked } = await lookUp(search.choose, fqdn, type);
  const answers = await Promise.all(
    found.map(async (one) => ({
      ...(await judge(search, wanted, type, one)),
      servers: one.servers,
    })),
  );
  const via = found[0]?.via ?? [];
  const finding = { ...base, ...combined(answers), ...(via.length === 0 ? {} : { via }) };
  return { finding, asked };
}

type Judged = Pick<Finding, 'found' | 'status' | 'problem'>;

async function judge(
  search: Search,
  wanted: WantedRecord,
  type: DnsType,
  found: Found,
): Promise<Judged> {
  const { answer } = found;
  switch (answer.kind) {
    case 'found': {
      const compared = compare(wanted, answer.values);
      const isUsable = compared.status === 'ok' && isSpf(wanted.value);
      const trouble = isUsable ? await spfTrouble(wanted.fqdn, answer.values, search) : undefined;
      return { found: answer.values, ...compared, ...trouble };
    }
    case 'none': {
      const problem = (await doubledName(search, wanted, type)) ?? whereNothingIs(wanted, found);
      return { found: [], status: 'missing', problem };
    }
    case 'failed':
      return {
        found: [],
        status: found.isEndless === true ? 'wrong' : 'unknown',
        problem: answer.reason,
      };
  }
}

function isLookedUp(type: string): type is DnsType {
  return type === 'MX' || type === 'TXT' || type === 'CNAME';
}

function whereNothingIs({ type, fqdn }: WantedRecord, { answer, via }: Found): string {
  const [target] = via.slice(-1);
  const at = target === undefined ? fqdn : `${fqdn} is an alias of ${target}, which`;
  const exists = answer.kind === 'none' && answer.exists;
  return exists ? `${at} has no ${type} record.` : `${at} does not exist.`;
}

/** The problem if the domain is appended twice: many control panels append it even to a full name. */
async function doubledName(
  { choose, registered }: Search,
  wanted: WantedRecord,
  type: DnsType,
): Promise<string | undefined> {
  const doubled = `${wanted.fqdn}.${registered}`;
  if (wanted.fqdn === registered || doubled.length > 253) return undefined;
  const { found } = await lookUp(choose, doubled, type);
  // A wildcard may also match, but its value is probably different.
  const isThere = found.some(
    ({ answer }) => answer.kind === 'found' && compare(wanted, answer.values).status === 'ok',
  );
  if (!isThere) return undefined;
  const short = wanted.fqdn.slice(0, -registered.length - 1);
  return `It is published as ${doubled}, because .${registered} was appended to the name. Enter the name as ${short}.`;
}

/** Where the servers of a zone differ, an answer that is not right counts: receivers may get it. */
function combined(answers: readonly ServerAnswer[]): Judged & Pick<Finding, 'answers'> {
  const bad = answers.find(({ status }) => status !== 'ok');
  const shown = bad ?? answers[0];
  if (shown === undefined) throw new Error('a look-up has an answer');
  const { servers: _, ...judged } = shown;
  if (answers.length === 1 || bad === undefined) return judged;
  const said = answers.map(({ servers, status, problem }) => {
    const what = status === 'ok' ? 'the record is correct' : (problem ?? status);
    return `${servers.join(', ')}: ${what.replace(/\.$/, '')}.`;
  });
  return { ...judged, problem: `The name servers differ. ${said.join(' ')}`, answers };
}

/** The servers that were asked, each once. */
function merged(asked: readonly QueriedServers[]): QueriedServers[] {
  const places = new Map<string, QueriedServers>();
  for (const { servers, ...source } of asked) {
    const key = JSON.stringify(source);
    const known = places.get(key)?.servers ?? [];
    places.set(key, { ...source, servers: [...new Set([...known, ...servers])] });
  }
  return [...places.values()];
}
