import type { ContactBook } from '../../../api/contact.ts';
import type { SegmentCondition } from '../../../api/segment.ts';
import { UsageError } from '../../base/errors.ts';
import { conditionText, parseCondition } from './where.ts';

/** The fields of contacts that conditions can be about. Everything else is a property. */
const ownFields: readonly string[] = ['email', 'firstName', 'lastName', 'subscribed'];
const ofProperty = 'properties.';

/** A condition as it is sent, from one such as `plan=pro`. Throws a `UsageError` for what it cannot mean. */
export function readCondition(text: string): SegmentCondition {
  const { field, op, value } = parseCondition(text);
  const problem = (what: string) => new UsageError(`--where: ${JSON.stringify(text)} ${what}`);
  if (field === 'subscribed') {
    const isYes = answers.get(String(value).toLowerCase());
    if (isYes === undefined || Array.isArray(value) || (op !== 'eq' && op !== 'neq')) {
      throw problem('must be subscribed=yes or subscribed=no');
    }
    // Not every service compares with `neq` here.
    return { field, op: 'eq', value: isYes === (op === 'eq') };
  }
  if (field === ofProperty) throw problem('has no name of a property');
  if (ownFields.includes(field) || field.startsWith(ofProperty)) return { field, op, value };
  const similar = ownFields.find((one) => plain(one) === plain(field));
  if (similar !== undefined) {
    const either = [similar, ofProperty + field].map((one) =>
      conditionText({ field: one, op, value }),
    );
    throw problem(`is ambiguous. Write ${either[0]}, or for a property ${either[1]}`);
  }
  return { field: ofProperty + field, op, value };
}

const answers: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);

function plain(field: string): string {
  return field.toLowerCase().replace(/[\s_-]/g, '');
}

/** The field of a condition as `readCondition` takes it. */
export function typedField(field: string): string {
  const name = field.startsWith(ofProperty) ? field.slice(ofProperty.length) : field;
  const isProperty = name !== '' && !name.startsWith(ofProperty);
  return isProperty && ownFields.every((one) => plain(one) !== plain(name)) ? name : field;
}

/** Whether no service knows the field of a condition: a property without what marks it as one. */
export function isUnknownField(field: string): boolean {
  return !ownFields.includes(field) && !field.startsWith(ofProperty);
}

/** The name of the property that a condition is about, as a book spells its variable; undefined if it is the same. */
export function spelledByBook(
  { field }: SegmentCondition,
  { variables }: Pick<ContactBook, 'variables'>,
): string | undefined {
  if (!field.startsWith(ofProperty)) return undefined;
  const name = field.slice(ofProperty.length);
  const known = variables ?? [];
  if (known.includes(name)) return undefined;
  return known.find((one) => one.toLowerCase() === name.toLowerCase());
}
