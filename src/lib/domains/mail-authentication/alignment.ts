import { type Ask, plainName } from './ask.ts';
import { organizationalDomain, walkTree } from './dmarc-tree-walk.ts';

/**
 * Whether a domain that SPF or DKIM has authenticated is that of the From header, for DMARC: strict alignment wants the
 * same name, relaxed the same organizational domain, as the tree walk finds it (RFC 9989, 4.10.2). Undefined if a look-up
 * failed.
 */
export async function isAligned(
  from: string,
  authenticated: string,
  { strict }: { readonly strict: boolean },
  ask: Ask,
): Promise<boolean | undefined> {
  const [one, other] = [plainName(from), plainName(authenticated)];
  if (one === other) return true;
  // Names without a common end have no common organizational domain.
  if (strict || one.split('.').at(-1) !== other.split('.').at(-1)) return false;
  const walks = await Promise.all([walkTree(one, ask), walkTree(other, ask)]);
  if (walks.some(({ failure }) => failure !== undefined)) return undefined;
  const [first, second] = walks.map(organizationalDomain);
  return first === second;
}
