import { type ReadColumns, refuseTwice } from '../bulk/input/columns.ts';
import { asMeant, likelyColumns, recipientColumn } from '../bulk/input/recipient-column.ts';
import { UsageError } from '../errors.ts';
import { shortened } from '../text/shortened.ts';

/** Before the name of a property, in the name of a column or a field. */
export const ofProperty = 'properties.';

const fieldsByPlainName: ReadonlyMap<string, string> = new Map([
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
  ['subscribed', 'subscribed'],
]);

/** What a service says of a contact besides, and nobody can change. */
export const fieldsOfService: readonly string[] = [
  ...['id', 'contactBookId', 'unsubscribeReason', 'createdAt', 'updatedAt'],
];

/** How the header of `contact list --csv` begins. An export has no ids, so an `id` in it is a property. */
const headerOfList = 'id,email,firstName,lastName,subscribed';

/**
 * What the columns of a file of contacts are: fields of a contact, however they are written, or a
 * property each, as `properties.NAME`. Of what `contact list` has written, the fields of the service are
 * none; `ignored` takes their names.
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

/** Whether these fields were ignored in a file of `contact list --csv`, and not in one with `--jsonl`. */
export function isListAsCsv(ignored: ReadonlySet<string>): boolean {
  return ignored.has('id') && !ignored.has('contactBookId');
}

/** The field that a name means, the address apart. */
export function fieldOf(name: string): string {
  if (name.startsWith(ofProperty)) return name;
  return fieldsByPlainName.get(asMeant(name)) ?? `${ofProperty}${name}`;
}

/** The name among these that certainly has the address; `email` itself before other spellings. */
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
