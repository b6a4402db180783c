import { limits } from '../../../api/limits.ts';
import type { Segment } from '../../../api/segment.ts';
import { nearest } from '../../base/text/nearest.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { typedField } from './condition.ts';

/**
 * Says which conditions are about properties that no contact of the book has. Those that it declares as
 * variables need no look. Nothing depends on it.
 */
export async function sayFieldsOfNobody(
  context: Context,
  contactBookId: string | null | undefined,
  rules: Segment['rules'],
  declared: readonly string[] = [],
): Promise<void> {
  const fields = (rules?.conditions ?? []).flatMap(({ field }) =>
    field?.startsWith('properties.') ? [field.slice('properties.'.length)] : [],
  );
  if (
    fields.every((field) => declared.includes(field)) ||
    !contactBookId ||
    context.flags.dryRun === true
  )
    return;
  const params = { contactBookId };
  const contacts = await bestEffort(context, (within) =>
    context.call('contact.list', { params, query: {} }, within),
  );
  // A larger book is not listed in full.
  if (contacts === undefined || contacts.length >= limits.contactsPerList) return;
  const known = new Set(contacts.flatMap(({ properties }) => Object.keys(properties ?? {})));
  for (const field of new Set(fields)) {
    if (known.has(field)) continue;
    const meant = nearest(field, [...known]);
    const question = meant === undefined ? '' : ` Did you mean ${typedField(meant)}?`;
    context.notes.warn(`No contact of the book has the property ${field}.${question}`);
  }
}
