import type { Client } from '../http/client.ts';

/** Who an account can send as. */
export interface Senders {
  /** Senders of recent emails, the latest first, as far as their domains are still verified. */
  readonly recent: readonly string[];
  /** The verified domains. */
  readonly domains: readonly string[];
}

/** Looks up who the account can send as: two requests. Throws their typed errors. */
export async function findSenders(call: Client['call']): Promise<Senders> {
  const [domains, { data }] = await Promise.all([
    call('domain.list', {}),
    call('email.list', { query: {} }),
  ]);
  const verified = domains.filter(({ status }) => status === 'SUCCESS').map(({ name }) => name);
  const known = new Set(verified.map((name) => name.toLowerCase()));
  const senders = data
    .map(({ from }) => from ?? '')
    .filter((from) => known.has(domainBehind(from)));
  return { recent: [...new Set(senders)], domains: verified };
}

/** The domain of a sender, in lower case; empty where it has none. */
export function domainBehind(sender: string): string {
  return /@([^@>]+)>?$/.exec(sender)?.[1]?.toLowerCase() ?? '';
}
