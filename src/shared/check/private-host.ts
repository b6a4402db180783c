import { isIP } from 'node:net';
import { isPublicAddress } from '../public-address.ts';

/** Names that only resolve on one machine or in one network. */
const privateName = /^(localhost|.*\.(localhost|local|internal|test|invalid|lan))\.?$/i;

/** Whether the host of a URL can be reached only from one machine or in one network, as its name says. */
export function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.+)\]$/, '$1');
  return privateName.test(bare) || (isIP(bare) !== 0 && !isPublicAddress(bare));
}
