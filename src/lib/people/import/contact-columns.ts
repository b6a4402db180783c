import { UsageError } from '../../base/errors.ts';
import { asMeant } from '../../base/text/column-names.ts';
import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { shortened } from '../../base/text/shortened.ts';
import type { Consent } from '../consent/consent.ts';
import type { ColumnChoices } from '../rows/column-choices.ts';
import { type FirstRecords, type ReadColumns, refuseTwice } from '../rows/columns.ts';
import {
  likelyColumns,
  recipientColumn,
  refuseAddressesAsConsent,
} from '../rows/recipient-column.ts';

/** The prefix of columns and fields for properties. */
export const ofProperty = 'properties.';

/** The prefix of columns that only say who wants email. No name in a file begins with it. */
export const ofConsent = '\0consent.';

const fieldsByPlainName: ReadonlyMap<string, string> = new Map([
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
  ['subscribed', 'subscribed'],
]);

/** Fields of a contact that only the service sets. */
export const fieldsOfService: readonly string[] = [
  ...['id', 'contactBookId', 'unsubscribeReason', 'createdAt', 'updatedAt'],
];

/** The start of the header of `contact list --csv`. Exports have no ids, so an `id` in one is a property. */
const headerOfList = 'id,email,firstName,lastName,subscribed';

/**
 * The meaning of the columns of a file of contacts: fields of a contact, in any spelling, or properties, as
 * `properties.NAME`. In output of `contact list`, skips the fields that only the service sets, and adds their
 * names to `ignored`.
 */
export function columnsOfContacts(ignored: Set<string>, meanings: Meanings): ReadColumns {
  return (names, file, first) => {
    meanings.choices.see(names);
    const email = emailColumn(names, meanings.choices);
    if (email === undefined) {
      refuseAddressesAsConsent(names, meanings.choices);
      throw noAddresses(names, file, first, meanings.system);
    }
    const isList = names.join().startsWith(headerOfList);
    const columns = names.map((name) => {
      const isOfService = isList && fieldsOfService.includes(name);
      if (isOfService) ignored.add(name);
      // Spreadsheets write empty columns without a name.
      const isNothing = isOfService || name === '';
      const field = isNothing ? undefined : name === email ? 'email' : fieldOf(name, meanings);
      return { name, field, isVariable: false, isText: meanings.choices.isIgnored(name) };
    });
    refuseTwice(columns, file, meanings.system);
    return columns;
  };
}

/** Whether fields were ignored in a file from `contact list --csv`, and not from `--jsonl`. */
export function isListAsCsv(ignored: ReadonlySet<string>): boolean {
  return ignored.has('id') && !ignored.has('contactBookId');
}

/** What decides what columns mean. */
export interface Meanings {
  readonly choices: ColumnChoices;
  readonly consent: Pick<Consent, 'isCertain'>;
  readonly system: ShellSystem;
}

/** The field that a name means, except for the address. */
export function fieldOf(name: string, { choices, consent }: Meanings): string {
  if (name.startsWith(ofProperty) || name.startsWith(ofConsent)) return name;
  const own = fieldsByPlainName.get(asMeant(name));
  // A name that says no in some rows is one in the others.
  if (own?.endsWith('Name') && choices.valuesOf(name) !== undefined) return own;
  if (choices.isIgnored(name)) return `${ofProperty}${name}`;
  if (consent.isCertain(name)) return `${ofConsent}${name}`;
  const meant = choices.fieldOf(name) ?? name;
  if (meant.startsWith(ofProperty)) return meant;
  return fieldsByPlainName.get(asMeant(meant)) ?? `${ofProperty}${meant}`;
}

/** The name of the column with the address, if it is unambiguous; `email` takes precedence. */
export function emailColumn(names: readonly string[], choices: ColumnChoices): string | undefined {
  const mapped = names.find((name) => choices.fieldOf(name) === 'email');
  if (mapped !== undefined) return mapped;
  const others = names.filter(
    (name) => choices.fieldOf(name) === undefined && !choices.isIgnored(name),
  );
  const [only, another] = others.filter((one) => asMeant(one) === 'email');
  return only !== undefined && another === undefined ? only : recipientColumn(others);
}

function noAddresses(
  names: readonly string[],
  file: string,
  first: FirstRecords,
  system: ShellSystem,
): UsageError {
  const likely = [...new Set(likelyColumns(names, first))];
  const header = shortened(names.join(', '));
  return new UsageError(
    likely.length > 1
      ? `${file}: several columns may have the addresses: ${shortened(likely.join(', '))}`
      : `${file}: there is no column "email" in the header: ${header}`,
    {
      hint:
        likely.length > 0
          ? `To name the column: ${likely.map((name) => shellQuote(['--map', `email=${name}`], system)).join(', or ')}`
          : 'The first line of a CSV file names the columns, such as: email,first name,plan',
    },
  );
}
