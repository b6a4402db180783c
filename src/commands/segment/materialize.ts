import type { Reply } from '../../api/operations.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { grouped, quantity } from '../../lib/base/text/quantity.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { bestEffort } from '../../lib/command-line/command/best-effort.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { fetchBook } from '../../lib/command-line/command/names/books.ts';
import { allowDuplicateFlag, existing } from '../../lib/command-line/command/names/if-missing.ts';
import { withoutDigest } from '../../lib/command-line/command/names/named-dry-run.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { countAt } from '../../lib/command-line/output/count-at.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { createBookOfSegment } from '../../lib/people/segment/book-of-segment.ts';
import { withSegment } from '../../lib/people/segment/find-segment.ts';
import { namedBy } from '../../lib/service/http/named-by.ts';

export const command = defineCommand({
  description:
    'The new book has the contacts that match the conditions now, those who are not subscribed included; it does not change later. A campaign can be sent to it, and mails the subscribed ones. It can use their properties only if the book has variables: --variables-from gives it those of another book. A name that a book has already is an error; --allow-duplicate creates another one.',
  effects: { changes: true },
  exits: {
    4: 'there is no such segment, or the service does not offer segments',
    5: 'a contact book has this name already',
  },
  prints: [replyOf('segment.materialize')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests'],
  examples: {
    'mailer segment materialize Pro --name "Pro, March" --variables-from Customers':
      'Create a contact book from its contacts, for a campaign',
  },
  offers: { '--variables-from': 'books' },
  flags: (command) =>
    command
      .argument('<segment>', 'id or exact name; @last for the last one created here')
      .option('--name <text>', 'name of the contact book to create')
      .option('--variables-from <book>', 'contact book whose variables it gets: id or exact name')
      .option(...allowDuplicateFlag),
  async run(context, options, named) {
    const [name = ''] = await askForValues(
      [{ flag: '--name', question: 'Name of the contact book', value: options.name }],
      context.prompts,
    );
    if (options.variablesFrom !== undefined && context.flags.expect !== undefined) {
      throw new UsageError('--expect and --variables-from cannot be used together', {
        hint: 'Nothing was created. Without --variables-from, add the variables afterwards: mailer contact book update BOOK --add-variable NAME',
      });
    }
    const variables = await variablesOf(context, options.variablesFrom);
    return await withSegment(context, named, async (segmentId) => {
      const input = { params: { segmentId }, body: { name } };
      const nameOf = namedBy({ name: '--name' });
      await existing(context, options, {
        ...{ kind: 'contact book', name, takesIfMissing: false },
        list: () => context.call('contactBook.list', {}),
        ...{ operation: 'segment.materialize', input, nameOf },
      });
      const create = () => createBookOfSegment(context, { segmentId, name, variables });
      const reply = await (variables === undefined ? create() : withoutDigest(create));
      const { listId, count } = reply;
      const add = ['contact', 'book', 'update', listId, '--add-variable', 'NAME'];
      context.notes.say(
        variables === undefined
          ? `The new contact book has no variables, so campaigns cannot use the properties of its contacts. To add one: ${nextCommand(context, ...add)}`
          : `Variables of the new contact book: ${variables.join(', ')}`,
      );
      const contacts = typeof count === 'number' ? await counted(context, reply, count) : '';
      const send = nextCommand(context, 'campaign', 'create', '--book', listId);
      const message = `Created contact book ${name}${contacts}. To send to it: ${send}`;
      return done({ reply, ids: [listId], message });
    });
  },
});

/** The variables of a contact book. Throws a `UsageError` if it has none, and otherwise like `fetchBook`. */
async function variablesOf(
  context: Context,
  book: string | undefined,
): Promise<readonly string[] | undefined> {
  if (book === undefined) return undefined;
  if (context.flags.dryRun === true) {
    context.notes.say(
      `The variables of ${book} would be looked up first, and the new contact book would get them.`,
    );
    return [];
  }
  const { name, variables } = await fetchBook(context, book);
  if (variables == null || variables.length === 0) {
    throw new UsageError(`--variables-from: the contact book ${name} has no variables`);
  }
  return variables;
}

/** How many contacts a new book has, and how many of them campaigns mail, if the service lists all. */
async function counted(
  context: Context,
  reply: Reply<'segment.materialize'>,
  count: number,
): Promise<string> {
  const params = { contactBookId: reply.listId };
  const contacts = await bestEffort(context, (within) =>
    context.call('contact.list', { params, query: {} }, within),
  );
  const subscribed = contacts?.filter((one) => one.subscribed === true).length ?? 0;
  const isWhole = contacts?.length === count;
  return ` with ${quantity(countAt(reply, 'count') ?? count, 'contact')}${isWhole ? ` (${grouped(subscribed)} subscribed)` : ''}`;
}
