import type { Domain } from '../../api/domain.ts';
import type { Context } from '../command/context.ts';
import type { DnsType } from '../system/dns.ts';
import { compare, expectedValue } from './dns/compare-records.ts';
import { registeredName } from './dns/dns-names.ts';
import { type Found, lookUp } from './dns/look-up.ts';
import {
  type Asked,
  type ChooseServers,
  chooseServers,
  sandboxServers,
} from './dns/name-servers.ts';
import { type WantedRecord, wantedRecords } from './dns/wanted-records.ts';

/** What DNS has for one record, as in `--json`. */
export interface Finding {
  readonly type: string;
  /** As the service returns it. */
  readonly name: string;
  /** The full name, without a dot at the end. */
  readonly fqdn: string;
  /** Such as `10 mx.example` for an MX record. */
  readonly expected: string;
  /** All values of this type under this name. */
  readonly found: readonly string[];
  /** `unknown` if DNS could not be queried. */
  readonly status: 'ok' | 'missing' | 'wrong' | 'unknown';
  readonly required: boolean;
  /** A sentence; absent if there is no problem. */
  readonly problem?: string;
  /** The chain of names that `fqdn` is an alias of, if it had to be followed. */
  readonly via?: readonly string[];
}

/** What DNS has for the records of a domain, as in `--json`. */
export interface Findings {
  readonly id: number;
  readonly domain: string;
  /** Whether all required records are correct. */
  readonly ok: boolean;
  /** The servers that were asked, without duplicates. */
  readonly resolvers: readonly Asked[];
  readonly records: readonly Finding[];
}

/** How long a DNS server may take without `--timeout`, in milliseconds. */
const defaultTimeout = 5000;

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
    const choose =
      embedded === undefined
        ? await chooseServers(system, { given, timeout: flags.timeout ?? defaultTimeout })
        : sandboxServers(embedded.dns);
    const registered = registeredName(domain);
    const found = await Promise.all(records.map((one) => findOne(choose, one, registered)));
    return {
      id: domain.id,
      domain: domain.name,
      ok: found.every(({ finding }) => finding.status === 'ok' || !finding.required),
      resolvers: distinct(found.flatMap(({ asked }) => asked)),
      records: found.map(({ finding }) => finding),
    };
  });
}

async function findOne(
  choose: ChooseServers,
  wanted: WantedRecord,
  registered: string,
): Promise<{ finding: Finding; asked: readonly Asked[] }> {
  const { type, name, fqdn, required } = wanted;
  const base = { type, name, fqdn, expected: expectedValue(wanted), required };
  if (!isLookedUp(type)) {
    const problem = `Records of type ${type} are not looked up.`;
    return { finding: { ...base, found: [], status: 'unknown', problem }, asked: [] };
  }
  const result = await lookUp(choose, fqdn, type);
  const { answer, asked } = result;
  const via = result.via.length === 0 ? {} : { via: result.via };
  const finding = (rest: Pick<Finding, 'found' | 'status' | 'problem'>) => ({
    finding: { ...base, ...rest, ...via },
    asked,
  });
  switch (answer.kind) {
    case 'found':
      return finding({ found: answer.values, ...compare(wanted, answer.values) });
    case 'none': {
      const problem =
        (await doubledName(choose, wanted, type, registered)) ?? whereNothingIs(wanted, result);
      return finding({ found: [], status: 'missing', problem });
    }
    case 'failed':
      return finding({ found: [], status: 'unknown', problem: answer.reason });
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
  choose: ChooseServers,
  wanted: WantedRecord,
  type: DnsType,
  registered: string,
): Promise<string | undefined> {
  const doubled = `${wanted.fqdn}.${registered}`;
  if (wanted.fqdn === registered || doubled.length > 253) return undefined;
  const { answer } = await lookUp(choose, doubled, type);
  // A wildcard may also match, but its value is probably different.
  if (answer.kind !== 'found' || compare(wanted, answer.values).status !== 'ok') return undefined;
  return `It is published as ${doubled}: enter the name without .${registered}.`;
}

function distinct(asked: readonly Asked[]): Asked[] {
  return [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()];
}
