import { type ReadColumns, refuseTwice } from '../bulk/input/columns.ts';
import { asMeant, likelyColumns, recipientColumn } from '../bulk/input/recipient-column.ts';
import { UsageError } from '../errors.ts';
import { shortened } from '../text/shortened.ts';

/** The prefix of columns and fields for properties. */
export const ofProperty = 'properties.';

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
export function columnsOfContacts(ignored: Set<string>): ReadColumns {
  return (names, file) => {
    const email = emailColumn(names);
    if (email === undefined) throw noAddresses(names, file);
    const isList = names.join().startsWith(headerOfList);
    const columns = names.map((name) => {
      const isOfService = isList && fieldsOfService.includes(name);
      if (isOfService) ignored.add(name);
      const field = isOfService ? undefined : name === email ? 'email' : fieldOf(name);
      return { name, field, isVariable: false };
    });
    refuseTwice(columns, file);
    return columns;
  };
}

/** Whether fields were ignored in a file from `contact list --csv`, and not from `--jsonl`. */
export function isListAsCsv(ignored: ReadonlySet<string>): boolean {
  return ignored.has('id') && !ignored.has('contactBookId');
}

/** The field that a name means, except for the address. */
export function fieldOf(name: string): string {
  if (name.startsWith(ofProperty)) return name;
  return fieldsByPlainName.get(asMeant(name)) ?? `${ofProperty}${name}`;
}

/** The name of the column with the address, if it is unambiguous; `email` takes precedence. */
export function emailColumn(names: readonly string[]): string | undefined {
  const [only, another] = names.filter((one) => asMeant(one) === 'email');
  return only !== undefined && another === undefined ? only : recipientColumn(names);
}

function noAddresses(names: readonly string[], file: string): UsageError {
  const likely = likelyColumns(names);
  return new UsageError(
    `${file}: there is no column "email" in the header: ${shortened(names.join(', '))}`,
    {
      hint:
        likely.length > 0
          ? `Name the column with the addresses "email". Which one is it: ${likely.join(', ')}?`
          : 'The first line of a CSV file names the columns, such as: email,first name,plan',
    },
  );
}
