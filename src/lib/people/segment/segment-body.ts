import type { ContactBook } from '../../../api/contact.ts';
import type { CreateSegmentBody } from '../../../api/segment.ts';
import { usageErrorOf } from '../../base/errors.ts';
import { askForValues } from '../../command-line/command/ask/ask-for-values.ts';
import type { Context } from '../../command-line/command/context.ts';
import { bookNeed } from '../../command-line/command/names/books.ts';
import { readCondition, spelledByBook } from './condition.ts';
import type { SegmentFlags } from './segment-flags.ts';

/**
 * The segment to create, from flags and answers to questions; the book is an id or name, as given. Throws a
 * `UsageError` for what is missing or invalid.
 */
export async function readSegmentBody(
  context: Context,
  flags: SegmentFlags,
): Promise<CreateSegmentBody & { readonly contactBookId: string }> {
  const { where = [] } = flags;
  // Before the first question, so that a wrong flag does not cost a person their answers.
  const given = where.map(readCondition);
  const [named = '', contactBookId = '', first = ''] = await askForValues(
    [
      { flag: '--name', question: 'Name', value: flags.name },
      bookNeed(context, flags.book),
      {
        flag: '--where',
        question: 'Condition, such as plan=pro',
        value: where[0],
        check: problemOf,
      },
    ],
    context.prompts,
  );
  const conditions = given.length > 0 ? given : [readCondition(first)];
  return {
    name: named,
    contactBookId,
    rules: { match: flags.any === true ? 'any' : 'all', conditions },
  };
}

/** What is wrong with a typed condition; undefined if nothing. */
function problemOf(answer: string): string | undefined {
  return usageErrorOf(() => readCondition(answer))?.message.replace(/^--where: /, '');
}

/** The rules with properties as the book spells them, because contacts are stored like that; a note says so. */
export function rulesFor(
  { notes }: Pick<Context, 'notes'>,
  { match, conditions }: CreateSegmentBody['rules'],
  book: ContactBook | undefined,
): CreateSegmentBody['rules'] {
  return {
    match,
    conditions: conditions.map((one) => {
      const name = book && spelledByBook(one, book);
      if (name === undefined) return one;
      notes.say(`--where: the contact book spells this property ${name}.`);
      return { ...one, field: `properties.${name}` };
    }),
  };
}
