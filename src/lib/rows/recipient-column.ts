import { UsageError } from '../errors.ts';
import { asMeant, isAddressName } from '../text/column-names.ts';
import { type ColumnChoices, isConsentField } from './column-choices.ts';

/** The column that certainly has the recipients; undefined if there is none, or more than one. */
export function recipientColumn(columns: readonly string[]): string | undefined {
  const [only, another] = columns.filter(isAddressName);
  return another === undefined ? only : undefined;
}

/** Columns that may have the recipients: "address" may also be a postal address. */
export function likelyColumns(columns: readonly string[]): string[] {
  return columns.filter(
    (one) => isAddressName(one) || /mail|^address(es)?$|^recipients?$/.test(asMeant(one)),
  );
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
