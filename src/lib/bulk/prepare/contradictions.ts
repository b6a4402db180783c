import type { createSeenAddresses } from './seen-addresses.ts';

/**
 * Finds people who do not want email by one row and would get one by another, before or after it. Addresses that share
 * an email, and those that want none, are kept in `seen` with a prefix that no address has.
 */
export function createContradictions(
  seen: Pick<ReturnType<typeof createSeenAddresses>, 'earlier' | 'rowOf'>,
) {
  let areAny = false;
  return {
    /** Called for each email; returns its recipients who want none, each with the row that says so. */
    mailed(addresses: readonly string[], row: number) {
      if (addresses.length > 1) {
        for (const address of addresses) seen.earlier(`to ${address}`, row);
      }
      if (!areAny) return [];
      return addresses.flatMap((address) => {
        const by = seen.rowOf(`no ${address}`);
        return by === undefined ? [] : [{ address, by }];
      });
    },
    /** Called for people who do not want email; returns those who would get one, each with its row. */
    refused(addresses: readonly string[], row: number) {
      areAny = true;
      return addresses.flatMap((address) => {
        seen.earlier(`no ${address}`, row);
        const mailed = seen.rowOf(address) ?? seen.rowOf(`to ${address}`);
        return mailed === undefined ? [] : [{ address, mailed }];
      });
    },
  };
}
