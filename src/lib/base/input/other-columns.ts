import { mailboxParts, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../errors.ts';
import { asMeant } from '../text/column-names.ts';
import { visible } from '../text/visible.ts';
import { splitList } from './addresses.ts';

/** Columns whose addresses are those of senders, as lists of emails have them. */
const ofSenders = /^(from|sender|replyto|returnpath)$/;

export type OtherColumns = ReturnType<typeof otherColumns>;

/** The addresses in columns of a file beside the one that is read. */
export function otherColumns() {
  const seen = new Map<string, Set<string>>();
  return {
    see(column: string, cell: string): void {
      if (!cell.includes('@') || ofSenders.test(asMeant(column))) return;
      const addresses = seen.get(column) ?? new Set();
      for (const one of splitList(cell)) {
        const address = mailboxParts(trimAddress(one))?.address;
        if (address !== undefined) addresses.add(address.toLowerCase());
      }
      seen.set(column, addresses);
    },
    /**
     * Throws a `UsageError` that names the columns if one of them has addresses that are not among `found`: of several
     * addresses of a person, or several people of a row, perhaps only one is meant.
     */
    refuse(read: string, found: Iterable<string>, flag: string): void {
      const known = new Set([...found].map((one) => one.toLowerCase()));
      const isOther = (address: string) => !known.has(address);
      const others = [...seen].filter(([, all]) => [...all].some(isOther)).map(([name]) => name);
      if (others.length === 0) return;
      const names = [read, ...others].map((one) => `"${visible(one)}"`).join(', ');
      throw new UsageError(`${flag}: several columns have addresses: ${names}`, {
        hint: 'Nothing was changed. Leave out those that are not meant. If all are, give one address per line.',
      });
    },
  };
}
