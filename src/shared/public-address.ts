import { BlockList, isIP } from 'node:net';

/**
 * Networks that IANA reserves for special use: private networks, this machine, multicast, examples, tunnels.
 */
const special = {
  ipv4: [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ],
  ipv6: [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ],
} as const;

let lists: { readonly special: BlockList; readonly given: BlockList } | undefined;

/**
 * Whether an IP address belongs to the public internet. IPv6 forms that embed an IPv4 address do not, since
 * they may lead to any address.
 */
export function isPublicAddress(address: string): boolean {
  lists ??= makeLists();
  const family = isIP(address);
  if (family === 4) return !lists.special.check(address, 'ipv4');
  // An address with a zone (`fe80::1%eth0`) belongs to the local network.
  if (family !== 6 || address.includes('%')) return false;
  return lists.given.check(address, 'ipv6') && !lists.special.check(address, 'ipv6');
}

function makeLists() {
  const all = { special: new BlockList(), given: new BlockList() };
  for (const family of ['ipv4', 'ipv6'] as const) {
    for (const [network, bits] of special[family]) all.special.addSubnet(network, bits, family);
  }
  // IANA has allocated only this part of IPv6.
  all.given.addSubnet('2000::', 3, 'ipv6');
  return all;
}
