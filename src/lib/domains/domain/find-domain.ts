import type { Domain } from '../../../api/domain.ts';
import { NotFoundError, UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { dryRunByName } from '../../command-line/command/names/named-dry-run.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { withFallback } from '../../service/http/operation-fallback.ts';

/** A domain given on the command line by id or name. */
interface NamedDomain {
  readonly id: number;
  /** Undefined if it was given by id, which needs no look-up. */
  readonly name: string | undefined;
}

/** The id of a domain given by id or name. Names are looked up in the list, regardless of case. */
export async function resolveDomain(context: Context, named: string): Promise<NamedDomain> {
  const id = idOf(named);
  if (id !== undefined) return { id, name: undefined };
  const domain = await findDomain(context, named);
  return { id: domain.id, name: domain.name };
}

/** The ids of domains given by id or name, in order. Needs at most one request for all of them. */
export async function resolveDomainIds(
  context: Context,
  named: readonly string[],
): Promise<number[]> {
  const wanted = named.map((name) => ({ name, id: idOf(name), isMeant: isNamed(name) }));
  const byId = wanted.every(({ id }) => id !== undefined);
  const domains = byId ? [] : await context.call('domain.list', {});
  return wanted.map(({ name, id, isMeant }) =>
    id === undefined ? existing(domains.find(isMeant), name, context).id : id,
  );
}

/** Calls `use` with the domain of an id or name. `--dry-run` looks nothing up and shows the name. */
export async function withDomain<Value>(
  context: Context,
  named: string,
  use: (domain: NamedDomain) => Promise<Value>,
): Promise<Value> {
  if (context.flags.dryRun !== true || idOf(named) !== undefined) {
    const domain = await resolveDomain(context, named);
    if (domain.name !== undefined) context.names.set(String(domain.id), domainName(named));
    return await use(domain);
  }
  const name = domainName(named);
  return await dryRunByName(context, 'domain', name, (id) => use({ id: Number(id), name }));
}

/** A domain in full, as the list has it, which may be outdated during a verification. */
export async function findDomain(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
  named: string,
  options?: CallOptions,
): Promise<Domain> {
  const isMeant = isNamed(named);
  const domains = await context.call('domain.list', {}, options);
  return existing(domains.find(isMeant), named, context);
}

/** Tests whether a domain is the given one; throws a `UsageError` if none can be. */
function isNamed(named: string): (domain: Domain) => boolean {
  const id = idOf(named);
  if (id !== undefined) return (domain) => domain.id === id;
  const name = domainName(named);
  return (domain) => domain.name.toLowerCase() === name;
}

/**
 * The name of a domain given by id or name, and the account's domain of that name, if it is one. A `NotFoundError` for
 * an unknown id, a `UsageError` for what is neither.
 */
export function amongDomains(
  domains: readonly Domain[],
  named: string,
  context: Pick<Context, 'flags' | 'system'>,
): { readonly name: string; readonly domain: Domain | undefined } {
  const domain = domains.find(isNamed(named));
  if (idOf(named) === undefined) return { name: domain?.name ?? domainName(named), domain };
  const { name } = existing(domain, named, context);
  return { name, domain };
}

function existing(
  found: Domain | undefined,
  named: string,
  context: Pick<Context, 'flags' | 'system'>,
): Domain {
  if (found !== undefined) return found;
  throw new NotFoundError(`There is no domain ${named}, or this key has no access to it.`, {
    hint: `To list the domains: ${nextCommand(context, 'domain', 'list')}`,
  });
}

function idOf(named: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(named) ? Number(named) : undefined;
}

/** A name in the form used for comparing; throws a `UsageError` for an invalid one. */
function domainName(named: string): string {
  const name = named.toLowerCase().replace(/\.$/, '');
  if (isDomainName(name)) return name;
  throw new UsageError(`${JSON.stringify(named)} is neither a domain's id nor a domain name`);
}

/** Labels of letters, digits and hyphens, in any script, with a dot between (RFC 1035, RFC 5890); no IP address. */
function isDomainName(name: string): boolean {
  return (
    name.length <= 253 &&
    !/\.\d+$/.test(name) &&
    /^(?!-)[\p{L}\p{N}_-]{1,63}(?<!-)(\.(?!-)[\p{L}\p{N}_-]{1,63}(?<!-))+$/u.test(name)
  );
}

/**
 * Returns a function that fetches a domain again. It requests the single domain, because during a
 * verification this makes live servers look up its DNS records. If that fails, it requests the list.
 */
export function createDomainRefresh(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
): (id: number, options?: CallOptions) => Promise<Domain> {
  return withFallback(
    (id: number, options?: CallOptions) => context.call('domain.get', { params: { id } }, options),
    (id, options) => findDomain(context, String(id), options),
  );
}
