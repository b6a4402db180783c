import type { Client } from '../../service/http/client.ts';

/** Looks up the senders an account can use, in two requests. Throws their typed errors. */
export async function findSenders(call: Client['call']) {
  const [domains, { data }] = await Promise.all([
    call('domain.list', {}),
    call('email.list', { query: {} }),
  ]);
  const verified = domains.filter(({ status }) => status === 'SUCCESS').map(({ name }) => name);
  const known = new Set(verified.map((name) => name.toLowerCase()));
  const senders = data
    .map(({ from }) => from ?? '')
    .filter((from) => known.has(domainBehind(from)));
  return {
    /** Senders of recent emails whose domains are still verified, latest first. */
    recent: [...new Set(senders)],
    /** Verified domains. */
    domains: verified,
  };
}

/** The domain of a sender, in lower case; empty if it has none. */
export function domainBehind(sender: string): string {
  return /@([^@>]+)>?$/.exec(sender)?.[1]?.toLowerCase() ?? '';
}
