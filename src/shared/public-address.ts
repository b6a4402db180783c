import { BlockList, isIP } from 'node:net';

/** What IANA has set aside: networks of one's own, this machine, many at once, examples, tunnels. */
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
 * Whether an IP address is one of the public internet. Forms of IPv6 that stand for an address of IPv4 are
 * not: they may lead to any.
 */
export function isPublicAddress(address: string): boolean {
  lists ??= makeLists();
  const family = isIP(address);
  if (family === 4) return !lists.special.check(address, 'ipv4');
  // With a zone (`fe80::1%eth0`), it is one of this network.
  if (family !== 6 || address.includes('%')) return false;
  return lists.given.check(address, 'ipv6') && !lists.special.check(address, 'ipv6');
}

function makeLists() {
  const all = { special: new BlockList(), given: new BlockList() };
  for (const family of ['ipv4', 'ipv6'] as const) {
    for (const [network, bits] of special[family]) all.special.addSubnet(network, bits, family);
  }
  // Of IPv6, only this part has been given out.
  all.given.addSubnet('2000::', 3, 'ipv6');
  return all;
}
