import { type Ask, plainName } from './ask.ts';
import { organizationalDomain, walkTree } from './dmarc-tree-walk.ts';

/** Whether a domain that SPF or DKIM has authenticated is that of the From header, for DMARC. */
export type Alignment =
  | { readonly aligned: boolean }
  /** A look-up failed. */
  | { readonly aligned: undefined; readonly failure: string };

/**
 * Compares the domain of From with an authenticated one: strict alignment wants the same name, relaxed the same
 * organizational domain, as the tree walk finds it (RFC 9989, 4.10.2).
 */
export async function align(
  from: string,
  authenticated: string,
  { strict }: { readonly strict: boolean },
  ask: Ask,
): Promise<Alignment> {
  const [one, other] = [plainName(from), plainName(authenticated)];
  if (one === other) return { aligned: true };
  // Names without a common end have no common organizational domain.
  if (strict || one.split('.').at(-1) !== other.split('.').at(-1)) return { aligned: false };
  const walks = await Promise.all([walkTree(one, ask), walkTree(other, ask)]);
  const failure = walks.find((walk) => walk.failure !== undefined)?.failure;
  if (failure !== undefined) return { aligned: undefined, failure };
  const [first, second] = walks.map(organizationalDomain);
  return { aligned: first === second };
}
