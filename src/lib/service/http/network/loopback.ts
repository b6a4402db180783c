import type { LookupFunction } from 'node:net';

/** The loopback addresses, in the order in which they are tried. */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

/**
 * Looks up names of this machine without a resolver (RFC 6761, section 6.3): a resolver may return
 * the address of another machine, which would get the key in clear text.
 */
export const lookUpLoopback: LookupFunction = (_hostname, { all, family }, callback) => {
  const addresses = loopbackAddresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  if (all === true) {
    callback(null, addresses);
    return;
  }
  const wanted = family === 6 || family === 'IPv6' ? 6 : 4;
  const [found] = addresses.filter((one) => one.family === wanted);
  callback(null, found?.address ?? '', wanted);
};
