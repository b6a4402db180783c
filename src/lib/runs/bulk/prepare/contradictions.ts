import { UsageError } from '../../../base/errors.ts';
import { type ShellSystem, shellQuote } from '../../../base/text/shell-quote.ts';
import type { ConsentColumn } from '../../../people/consent/consent.ts';
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

/** Throws a `UsageError` if rows disagree whether a person wants email, by these columns. */
export function refuseContradicted(
  { contradicted }: { readonly contradicted: readonly string[] },
  columns: readonly ConsentColumn[],
  system: ShellSystem,
): void {
  if (contradicted.length === 0) return;
  const saidNo = columns.filter(({ no }) => no > 0);
  const ignore = saidNo.flatMap(({ name }) => ['--ignore-column', name]);
  throw new UsageError(
    ['Rows of the same person disagree whether they want email:', ...contradicted].join('\n'),
    {
      hint: `Nothing was sent. Correct these rows, or remove them.\n${toEverybody(ignore, system)}`,
    },
  );
}

/** The flag by which people who do not want email get one. */
export function toEverybody(ignore: readonly string[], system: ShellSystem): string {
  return `For emails that everybody gets, such as receipts, or if the column means something else: ${shellQuote(ignore, system)}`;
}
