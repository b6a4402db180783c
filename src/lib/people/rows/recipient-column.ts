import { UsageError } from '../../base/errors.ts';
import { asMeant, isAddressName } from '../../base/text/column-names.ts';
import { type ColumnChoices, isConsentField } from './column-choices.ts';
import type { FirstRecords } from './columns.ts';

/** The column that certainly has the recipients; undefined if there is none, or more than one. */
export function recipientColumn(columns: readonly string[]): string | undefined {
  const [only, another] = columns.filter(isAddressName);
  return another === undefined ? only : undefined;
}

/**
 * Columns that may have the recipients, by their names and by what stands in the first records: "E-mail 1 - Label" has
 * none, and "address" may be a postal one.
 */
export function likelyColumns(columns: readonly string[], first: FirstRecords): string[] {
  const likely = columns.filter(
    (one) => isAddressName(one) || /mail|^address(es)?$|^recipients?$/.test(asMeant(one)),
  );
  const records = first();
  const holding = columns.filter((_, index) =>
    records.some((one) => /\S@\S/.test(one[index] ?? '')),
  );
  const both = likely.filter((one) => isAddressName(one) || holding.includes(one));
  return both.length > 0 ? both : holding.length > 0 ? holding : likely;
}

/** Throws a `UsageError` if `--map` takes the column of addresses for one that says who wants email. */
export function refuseAddressesAsConsent(columns: readonly string[], choices: ColumnChoices): void {
  const column = columns.find((one) => isAddressName(one) && isConsentField(choices.fieldOf(one)));
  if (column === undefined) return;
  const field = choices.fieldOf(column);
  throw new UsageError(
    `--map ${field}=${JSON.stringify(column)}: that column has the addresses, not who wants email`,
    { hint: `Name the column that says yes or no: --map ${field}='Accepts Email Marketing'` },
  );
}
