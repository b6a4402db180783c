import { isIP } from 'node:net';

/**
 * Why a request is not answered, or undefined when it is. It keeps web pages of others, which the
 * developer visits, from using a server on the developer's machine: by a name of theirs that leads
 * to it (DNS rebinding), or by sending what needs no key (forged requests). `hosts` are
 * the address the server listens on and names that lead to it, in lower case and without port.
 */
export function refusalOf(
  { headers, method }: Pick<Request, 'headers' | 'method'>,
  hosts: readonly [boundHost: string, ...others: string[]],
): string | undefined {
  const host = headers.get('Host');
  if (!isOwnHost(host, hosts)) return 'unknown Host';
  return isForged(headers, method, `http://${host}`) ? 'sent by a page of another site' : undefined;
}

const wildcards = new Set(['0.0.0.0', '::']);

/** Whether a server that listens on `boundHost` does so on all addresses of the machine. */
export function isWildcard(boundHost: string): boolean {
  return wildcards.has(boundHost);
}

function isOwnHost(
  header: string | null,
  [boundHost, ...others]: readonly [boundHost: string, ...others: string[]],
): boolean {
  const name = header === null ? undefined : URL.parse(`http://${header}`)?.hostname;
  if (name === undefined) return false;
  if (others.includes(name)) return true;
  const bare = name.replace(/^\[|\]$/g, '');
  if (bare === boundHost.toLowerCase() || leadsHere.test(name)) return true;
  // Who listens on every address is reached by other addresses, and by the name of the machine or
  // container. Such a name has no dot: nobody can buy it to have it lead here.
  return isWildcard(boundHost) && (isIP(bare) !== 0 || !bare.includes('.'));
}

/** Names of this machine that are reserved, so that they lead nowhere else; the last is Docker's. */
const leadsHere = /^(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)$/;

function isForged(headers: Headers, method: string, ownOrigin: string): boolean {
  // No page can set this one. A page of our own that sends no referrer has the Origin `null`.
  const site = headers.get('Sec-Fetch-Site');
  if (site === 'same-origin') return false;
  const origin = headers.get('Origin');
  if (origin !== null) return origin.toLowerCase() !== ownOrigin.toLowerCase();
  // Links and images of other pages lead here, and their pages see nothing of it. Programs send
  // neither header.
  return site !== null && site !== 'none' && method !== 'GET' && method !== 'HEAD';
}
