import { isIP } from 'node:net';

/**
 * Why a request is rejected; undefined if it is not. Web sites that the developer visits must not reach the
 * sandbox through a host name of their own (DNS rebinding) or forge requests that need no key. `hosts` are
 * the address that the server listens on and its names, in lower case and without port.
 */
export function refusalOf(
  { headers, method }: Pick<Request, 'headers' | 'method'>,
  hosts: readonly [boundHost: string, ...others: string[]],
): string | undefined {
  const host = headers.get('Host');
  if (!isOwnHost(host, hosts)) return unknownHost(host);
  return isForged(headers, method, `http://${host}`) ? 'sent by a page of another site' : undefined;
}

function unknownHost(host: string | null): string {
  const name = host === null ? '' : (URL.parse(`http://${host}`)?.hostname ?? '');
  return name === ''
    ? 'the Host header names no host'
    : `${name} is not a name of this sandbox. To allow that name: mailer sandbox start --allow-host ${name}`;
}

const wildcards = new Set(['0.0.0.0', '::']);

/** Whether `boundHost` stands for all addresses of the machine. */
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
  // A server on every address is also reached by its other addresses, and by the name of the machine or
  // container. Such a name has no dot, so nobody can register it.
  return isWildcard(boundHost) && (isIP(bare) !== 0 || !bare.includes('.'));
}

/** Names that always refer to this machine; the last one is Docker's. */
const leadsHere = /^(?:(?:[\w-]+\.)*localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)$/;

function isForged(headers: Headers, method: string, ownOrigin: string): boolean {
  // Pages cannot set this header. Our own pages without a referrer have the Origin `null`.
  const site = headers.get('Sec-Fetch-Site');
  if (site === 'same-origin') return false;
  const origin = headers.get('Origin');
  if (origin !== null) return origin.toLowerCase() !== ownOrigin.toLowerCase();
  // Programs send neither header.
  return site !== null && site !== 'none' && !isFollowedLink(headers, method);
}

/**
 * Whether the user follows a link, from any page. Otherwise a page could, for example with an image,
 * time a search or unsubscribe a contact.
 */
function isFollowedLink(headers: Headers, method: string): boolean {
  const destination = headers.get('Sec-Fetch-Dest') ?? 'document';
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.get('Sec-Fetch-Mode') === 'navigate' &&
    destination === 'document'
  );
}
