import { isIP } from 'node:net';
import { isPublicAddress } from '../public-address.ts';

/** Names that only resolve on one machine or in one network. */
const privateName = /^(localhost|.*\.(localhost|local|internal|test|invalid|lan))\.?$/i;

/**
 * Whether a URL's host is, by its name, reachable only from one machine or network. A name without a dot is
 * looked up in the own domain.
 */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.+)\]$/, '$1');
  if (isIP(bare) !== 0) return !isPublicAddress(bare);
  return privateName.test(bare) || !bare.replace(/\.$/, '').includes('.');
}
